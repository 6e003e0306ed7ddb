// Steps of a match on a board: each as a picture, or played out checker by checker. Draws, and nothing else.
//
// A row is [seq, game, sentence, play, position id, side, dice, cube, White's points, Black's]; see bgmail/web/frames.py.

import {BAR, Drawing, OFF, element} from './drawing.js';

const MOVE_MS = 250, MIDDLE = 370;
const GROUND = 'defs,title,desc,.bd-frame,.bd-bar,.bd-tray,.bd-felt,.bd-pa,.bd-pb,path[fill],.bd-num';
const START = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0];
const WHO = {w: 0, b: 1};

export const still = () => document.documentElement.dataset.motion === 'off' || matchMedia('(prefers-reduced-motion: reduce)').matches;

const flipped = (board) => board.map((n, place) => -board[25 - place] || 0);

// The board of a Position ID as the side on roll sees it: the ID has the other side's checkers first.
export function boardOf(id) {
  const bytes = Array.from(atob(id.padEnd(16, '=')), (sign) => sign.charCodeAt(0));
  const board = Array(26).fill(0);
  let at = 0;
  const bit = () => { const found = bytes[at >> 3] >> (at & 7) & 1; at += 1; return found; };
  for (let point = 1; point <= 25; point++) while (bit()) board[25 - point] -= 1;
  for (let point = 1; point <= 25; point++) while (bit()) board[point] += 1;
  return board;
}

const place = (word) => (word === 'bar' ? BAR : word === 'off' ? OFF : Number(word));

// The hops of a play, in the mover's numbers: "13/7*/5 6/4(2)".
export function hops(play) {
  return play.split(' ').filter(Boolean).flatMap((part) => {
    const [, stops, times] = /^([^(]+)(?:\((\d)\))?$/.exec(part);
    const places = stops.split('/').map((stop) => place(stop.replace('*', '')));
    const way = places.slice(1).map((to, nth) => [places[nth], to]);
    return Array.from({length: Number(times ?? 1)}, () => way).flat();
  });
}

export class Film extends Drawing {
  // Draws on an SVG that the server drew; whatever lay on its board is taken off.
  constructor(svg, data) {
    super(data.geometry, data.white);
    this.data = data;
    this.rows = data.rows;
    const ground = svg.querySelector('.bd-turn') ?? svg;
    for (const child of [...ground.children]) if (!child.matches(GROUND)) child.remove();
    for (const number of ground.querySelectorAll('.bd-last')) number.classList.remove('bd-last');
    this.layer = ground.appendChild(element('g'));
    this.boards = [];
    this.fill();
  }

  fill() {
    const {start, viewer} = this.data;
    let board = start ? this.seen(start[0], start[1] === viewer) : null, game = this.data.game;
    for (const [, number, , , id, side] of this.rows) {
      if (number !== game || !board) board = START;
      game = number;
      this.boards.push([board, id ? this.seen(id, side !== viewer) : board]);
      board = this.boards.at(-1)[1];
    }
  }

  seen(id, mine) { return mine ? boardOf(id) : flipped(boardOf(id)); }

  mine(side) { return side === this.data.viewer; }

  // A checker in the air isn't off.
  off(board, sign) { return super.off(board, sign) - (this.hand === sign ? 1 : 0); }

  // ---- a step as a picture

  show(nth) {
    this.hand = 0;
    const board = this.boards[nth][1], row = this.rows[nth];
    this.layer.replaceChildren(...this.checkers(board), ...this.arrows(board, row), ...this.dice(row), ...this.cube(row));
  }

  checkers(board) {
    const keys = [...Array(26).keys()].map(String).concat('opponent-bar', 'opponent-off');
    return keys.flatMap((key) => this.parts(board, key));
  }

  dice([, , , , , side, dice]) {
    const mine = this.mine(side), css = mine === this.white ? 'w' : 'd', half = this.geometry.die / 2;
    return Array.from(dice, (face, nth) => {
      const [x, y] = this.geometry.dice[mine ? 'viewer' : 'opponent'][nth], die = element('g', 'bd-die');
      die.append(element('rect', `bd-${css}`, {x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 11}), ...this.dots([x, y], face, mine));
      return die;
    });
  }

  cube([, , , , , , , cube]) {
    const [, value, owner, to] = /^(\d+)(.)(.)$/.exec(cube) ?? [];
    if (!value) return [];
    const whose = (letter) => (this.mine(WHO[letter]) ? 'viewer' : 'opponent'), offered = to !== '-';
    const {size, ...spots} = this.geometry[offered ? 'offered_cube' : 'cube'];
    const [x, y] = offered ? spots[whose(to)] : owner === '-' ? spots.centre : spots[whose(owner)];
    const shown = value === '1' ? '64' : value, made = element('g', offered ? 'bd-cube bd-offer' : 'bd-cube');
    made.append(element('rect', '', {x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 9}), this.text(shown.length > 2 ? 'bd-long' : 'bd-short', [x, y], shown));
    return [made];
  }

  arrows(board, [, , , play, , side]) {
    const starts = {}, ends = {}, mine = this.mine(side);
    return this.hops(play, mine).flatMap(([from, to]) => {
      starts[from] = (starts[from] ?? -1) + 1;
      ends[to] = (ends[to] ?? -1) + 1;
      const held = this.held(board, from, mine) + starts[from], n = this.held(board, to, mine);
      return this.arrow(this.place(from, mine, held, held + 1), this.place(to, mine, Math.max(0, n - 1 - ends[to]), n));
    });
  }

  // Bowed towards the middle, with a halo that lifts it off anything.
  arrow([x1, y1], [x2, y2]) {
    const level = Math.abs(y2 - y1) <= this.geometry.radius, inward = y1 + y2 < 2 * MIDDLE ? 1 : -1;
    const bend = [(x1 + x2) / 2, (y1 + y2) / 2 + inward * ((level ? 0.3 : 0.1) * Math.abs(x2 - x1) + 20)];
    const dx = x2 - bend[0], dy = y2 - bend[1], length = Math.hypot(dx, dy) || 1, ux = dx / length, uy = dy / length;
    const tip = [x2 - 8 * ux, y2 - 8 * uy], wing = (way) => `${tip[0] - 22 * ux + way * 14 * uy} ${tip[1] - 22 * uy - way * 14 * ux}`;
    const d = `M${x1} ${y1}Q${bend.join(' ')} ${tip.join(' ')}M${wing(1)}L${tip.join(' ')}L${wing(-1)}`;
    return ['bd-halo', 'bd-arrow'].map((css) => element('path', css, {d}));
  }

  // ---- places as the viewer numbers them; 25 and 0 are bar and tray of the side concerned

  hops(play, mine) {
    const seen = (at) => (mine || at === BAR || at === OFF ? at : 25 - at);
    return hops(play).map((hop) => hop.map(seen));
  }

  held(board, at, mine) {
    if (at === BAR) return mine ? board[BAR] : -board[0];
    if (at === OFF) return this.off(board, mine ? 1 : -1);
    return Math.max(0, mine ? board[at] : -board[at]);
  }

  place(at, mine, nth, count) {
    const whose = mine ? 'viewer' : 'opponent', {spots} = this.geometry.off[whose];
    if (at === BAR) return this.barSpot(whose, nth);
    return at === OFF ? spots[Math.min(nth, spots.length - 1)] : this.spot(at, nth, count);
  }

  // ---- a step played out

  // Shows the step, its checkers moving one after the other unless nothing may move. False if `signal` ended it.
  async run(nth, signal) {
    const row = this.rows[nth], mine = this.mine(row[5]);
    if (row[3] && !still()) {
      let board = this.boards[nth][0].slice();
      for (const [from, to] of this.hops(row[3], mine)) {
        const way = this.lift(board, from, to, mine, row);
        await this.fly(...way, mine, signal);
        if (signal.aborted) return false;
        board = this.landed(board, to, mine);
      }
    }
    this.show(nth);
    return !signal.aborted;
  }

  // Takes a checker up; where it stood and where it will.
  lift(board, from, to, mine, row) {
    const sign = mine ? 1 : -1, n = this.held(board, from, mine);
    board[from === BAR && !mine ? 0 : from] -= sign;
    this.hand = sign;
    this.layer.replaceChildren(...this.checkers(board), ...this.dice(row), ...this.cube(row));
    const there = this.held(board, to, mine);
    return [this.place(from, mine, Math.max(0, n - 1), n), this.place(to, mine, there, there + 1)];
  }

  landed(board, to, mine) {
    const sign = mine ? 1 : -1, after = board.slice();
    this.hand = 0;
    if (to === OFF) return after;
    if (after[to] === -sign) { after[to] = 0; after[mine ? 0 : BAR] -= sign; }
    after[to] += sign;
    return after;
  }

  async fly([x1, y1], [x2, y2], mine, signal) {
    const checker = this.layer.appendChild(this.checker(mine === this.white, [x1, y1]));
    const moving = checker.animate({transform: ['none', `translate(${x2 - x1}px,${y2 - y1}px)`]}, {duration: MOVE_MS, easing: 'ease-in-out', fill: 'forwards'});
    const end = () => moving.finish();
    signal.addEventListener('abort', end);
    await moving.finished;
    signal.removeEventListener('abort', end);
  }
}

export const rest = (ms, signal) => new Promise((resume) => {
  const timer = setTimeout(resume, ms);
  signal.addEventListener('abort', () => { clearTimeout(timer); resume(); });
});
