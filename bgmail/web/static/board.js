// The board of a match: builds a play by click, drag or keys and puts it into the page's form. Nothing is sent from here.
//
// What is legal is said by the server as whole plays, each by the Position ID that it leaves. A move is offered
// if one of these can still be reached after it; the steps between are played by the small simulator below.

import {BAR, Drawing, OFF, element} from './drawing.js';

const SAFE_MS = 400, DRAG_PX = 6;

export function positionId(board) {
  // The ID as the opponent, who is next on roll, sees the position: my checkers first, then theirs.
  const bits = [];
  for (const count of [(p) => board[p], (p) => -board[25 - p]]) {
    for (let point = 1; point <= 25; point++) {
      for (let n = Math.max(0, count(point)); n > 0; n--) bits.push(1);
      bits.push(0);
    }
  }
  const bytes = Array(10).fill(0);
  bits.forEach((bit, i) => { bytes[i >> 3] |= bit << (i & 7); });
  return btoa(String.fromCharCode(...bytes)).slice(0, 14);
}

export function step(board, from, die) {
  // One checker by one die: {board, to, hit}, or {why, at} for what stands in its way.
  const highest = board.reduce((top, n, p) => (n > 0 ? p : top), 0);
  const to = Math.max(OFF, from - die);
  if (highest === BAR && from !== BAR) return {why: 'bar'};
  if (to > OFF && board[to] < -1) return {why: 'blocked', at: to};
  if (to === OFF && highest > 6) return {why: 'straggler', at: highest};
  if (from < die && highest > from) return {why: 'higher', at: highest};
  const after = board.slice();
  const hit = to > OFF && after[to] === -1;
  after[from] -= 1;
  if (hit) { after[to] = 0; after[0] -= 1; }
  if (to > OFF) after[to] += 1;
  return {board: after, to, hit};
}

export class Builder {
  // A play in the making. `dice` are {face, used} in the order shown; `done` the moves so far.
  // `most` is how many moves a legal play makes.
  constructor(board, dice, legal, most) {
    this.most = most;
    this.start = board;
    this.board = board;
    const faces = dice[0] === dice[1] ? [dice[0], dice[0], dice[0], dice[0]] : dice;
    this.dice = faces.map((face) => ({face, used: false}));
    this.double = faces.length === 4;
    this.legal = new Map(legal.map((play) => [play.position_id, play.play]));
    this.known = new Map();
    this.done = [];
  }

  left() { return this.dice.filter((die) => !die.used).map((die) => die.face); }

  // A legal play that can still be reached from here with these dice; null if none can.
  open(board, faces) {
    const id = positionId(board);
    if (this.legal.has(id)) return this.legal.get(id);
    const key = id + faces;
    if (!this.known.has(key)) this.known.set(key, this.anyMove(board, faces));
    return this.known.get(key);
  }

  anyMove(board, faces) {
    for (const face of new Set(faces)) {
      for (let from = BAR; from > OFF; from--) {
        const move = board[from] > 0 && this.tried(board, from, face, faces);
        if (move) return move.open;
      }
    }
    return null;
  }

  tried(board, from, face, faces) {
    const move = step(board, from, face);
    if (move.why) return null;
    const rest = faces.slice();
    rest.splice(rest.indexOf(face), 1);
    const open = this.open(move.board, rest);
    return open ? {...move, from, face, rest, open} : null;
  }

  // The moves of the checker on `from`, the first die first.
  moves(from) {
    if (!(this.board[from] > 0)) return [];
    const faces = this.left();
    return [...new Set(faces)].map((face) => this.tried(this.board, from, face, faces)).filter(Boolean);
  }

  // Where the checker on `from` can get with one die or several: a Map from place to the way there.
  ways(from) {
    const found = new Map();
    let front = this.moves(from).map((move) => [move]);
    while (front.length) {
      const next = [];
      for (const way of front) {
        const last = way[way.length - 1];
        if (!found.has(last.to)) found.set(last.to, way);
        if (last.to === OFF) continue;
        for (const face of new Set(last.rest)) {
          const more = this.tried(last.board, last.to, face, last.rest);
          if (more) next.push([...way, more]);
        }
      }
      front = next;
    }
    return found;
  }

  play(way) {
    for (const move of way) {
      const die = this.dice.find((d) => !d.used && d.face === move.face);
      die.used = true;
      this.done.push({...move, die, before: this.board});
      this.board = move.board;
    }
  }

  undo() {
    const move = this.done.pop();
    if (!move) return null;
    move.die.used = false;
    this.board = move.before;
    return move;
  }

  swap() { this.dice.reverse(); }

  sources() {
    const found = [];
    for (let point = BAR; point > OFF; point--) if (this.moves(point).length) found.push(point);
    return found;
  }

  // The notation of the finished play; null while something can or must still be moved.
  finished() {
    return this.sources().length ? null : this.legal.get(positionId(this.board)) ?? null;
  }

  // Why no die that is left moves the checker on `from`: [{face, why, at}], one for each number. Where nothing stands
  // in its way, the roll does: `play` uses more of it ("whole"), or the higher number has to be played ("larger").
  reasons(from) {
    const left = this.left(), high = Math.max(...left);
    return [...new Set(left)].map((face) => {
      const move = step(this.board, from, face);
      if (move.why) return {face, why: move.why, at: move.at};
      return {face, high, why: this.most === 1 && face < high ? 'larger' : 'whole', play: this.open(this.board, left)};
    });
  }
}

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');

class Board extends Drawing {
  constructor(root) {
    const data = JSON.parse(document.getElementById('board-data').textContent);
    super(data.geometry, data.white);
    this.root = root;
    this.svg = root.querySelector('svg');
    this.data = data;
    this.words = this.data.words;
    this.form = document.querySelector('form[data-play]');
    this.talk = document.querySelector('[data-say]');
    this.rolled = this.data.state.dice;
    this.builder = new Builder(this.data.points, this.rolled, this.data.state.legal, this.data.most);
    this.selected = null;
    this.places = new Map([...this.svg.querySelectorAll('[data-point]')].map((g) => [g.dataset.point, g]));
    this.ground = this.svg.querySelector('.bd-turn');
    this.marks = this.ground.appendChild(element('g'));
    this.marks.setAttribute('pointer-events', 'none');
    this.button = (name) => this.form.querySelector(`[data-${name}]`);
    this.svg.querySelectorAll('.bd-ring,.bd-target').forEach((mark) => mark.remove());
    this.listen();
    this.rest();
    this.draw();
    this.hint();
    if (this.data.laid) this.lay(this.data.laid);
  }

  // Lays out a whole play that was laid out before, or that came by a link; it is not sent by that.
  lay(play) {
    const {builder} = this, all = builder.legal, wanted = [...all].find(([, text]) => text === play);
    if (!wanted) return;
    builder.legal = new Map([wanted]);
    builder.known.clear();
    for (let [from] = builder.sources(); from !== undefined; [from] = builder.sources()) builder.play([builder.moves(from)[0]]);
    builder.legal = all;
    builder.known.clear();
    this.changed();
    document.documentElement.removeAttribute('data-unsent');
    this.report(play);
  }

  listen() {
    const on = (target, name, act) => target.addEventListener(name, act.bind(this));
    on(this.svg, 'pointerdown', this.pressed);
    on(this.svg, 'pointermove', this.moved);
    on(this.svg, 'pointerup', this.released);
    on(this.svg, 'pointercancel', this.dropGhost);
    on(this.svg, 'contextmenu', this.turnedTo);
    on(this.svg, 'keydown', this.keyed);
    this.svg.addEventListener('touchstart', this.held.bind(this), {passive: false});
    on(this.button('undo'), 'click', this.undo);
    on(this.button('swap'), 'click', this.swap);
    on(this.form, 'submit', this.submitted);
  }

  // ---- what the person does

  // Where something happened in the board's own measures, whichever way the style sheet has laid the board.
  point({clientX, clientY}) {
    const {left, top, width, height} = this.svg.getBoundingClientRect(), scale = Math.min(width / this.geometry.width, height / this.geometry.height);
    const x = (clientX - left - width / 2) / scale + this.geometry.width / 2, y = (clientY - top - height / 2) / scale + this.geometry.height / 2;
    return new DOMPoint(x, y).matrixTransform(new DOMMatrix(getComputedStyle(this.ground).transform).inverse());
  }

  placeAt(event) {
    const {x, y} = this.point(event), {points, off, bar, column, height} = this.geometry;
    const inside = ([bx, by, bw, bh]) => x >= bx && x < bx + bw && y >= by && y < by + bh;
    for (const [point, spot] of Object.entries(points)) {
      if (Math.abs(x - spot.x) < column / 2 && (y > height / 2) === (spot.dir < 0)) return +point;
    }
    if (inside(off.viewer.hit)) return OFF;
    return inside(bar.viewer.hit) ? BAR : null;
  }

  // A finger on a checker that can move drags it; anywhere else it scrolls the page.
  held(event) {
    if (event.touches.length === 1 && this.movable(this.placeAt(event.touches[0]))) event.preventDefault();
  }

  movable(place) { return place !== null && place !== OFF && this.builder.moves(place).length > 0; }

  pressed(event) {
    this.mouse = event.pointerType === 'mouse';
    if (event.button || !event.isPrimary) return;
    this.down = {x: event.clientX, y: event.clientY, place: this.placeAt(event), id: event.pointerId};
    this.down.die = event.target.closest('[data-die]');
    this.down.moves = this.movable(this.down.place);
  }

  moved(event) {
    const down = this.down;
    if (!down || event.pointerId !== down.id || !down.moves) return;
    if (!this.ghost && Math.hypot(event.clientX - down.x, event.clientY - down.y) < DRAG_PX) return;
    if (!this.ghost) this.lift(down);
    const {x, y} = this.point(event);
    this.ghost.setAttribute('x', x);
    this.ghost.setAttribute('y', y);
    event.preventDefault();
  }

  lift(down) {
    this.svg.setPointerCapture(down.id);
    this.select(down.place, true);
    this.ghost = this.checker(this.white, [0, 0]);
    this.ghost.classList.add('ghost');
    this.ghost.setAttribute('pointer-events', 'none');
    this.ground.append(this.ghost);
    this.places.get(String(down.place)).classList.add('lifted');
  }

  dropGhost() {
    this.ghost?.remove();
    this.svg.querySelector('.lifted')?.classList.remove('lifted');
    this.ghost = this.down = null;
  }

  released(event) {
    const down = this.down;
    if (!down || event.pointerId !== down.id) return;
    const dragged = Boolean(this.ghost), to = this.placeAt(event);
    this.dropGhost();
    if (!dragged) {
      if (down.die && this.canSwap()) this.swap();
      else this.touched(down.place, this.quick(event.pointerType) ? {right: this.isRight(event, down.place)} : null);
      return;
    }
    const way = this.builder.ways(down.place).get(to);
    if (way) this.make(way);
    else this.select(null);
  }

  // Whether a press on a checker plays a die at once, by what it was pressed with.
  quick(pointer) { return this.data.click === 'touch' || (this.data.click === 'mouse' && pointer !== 'touch'); }

  // Whether a press was on the right half of the checker nearest to it.
  isRight({clientX, clientY}, place) {
    const middles = [...this.places.get(String(place))?.querySelectorAll('use') ?? []].map((checker) => checker.getBoundingClientRect())
      .map(({x, y, width, height}) => [x + width / 2, y + height / 2]);
    const nearest = middles.sort(([ax, ay], [bx, by]) => Math.hypot(ax - clientX, ay - clientY) - Math.hypot(bx - clientX, by - clientY))[0];
    return Boolean(nearest) && clientX > nearest[0];
  }

  // The right button of a mouse plays the other die, wherever on the checker it is pressed.
  turnedTo(event) {
    if (event.pointerType === 'touch' || event.button !== 2) return;
    event.preventDefault();
    const place = this.placeAt(event);
    if (this.movable(place) && this.quick('mouse')) this.touched(place, {right: true});
  }

  // A place was pressed, or chosen by key. `half` says on which half of its checker where that plays a die at once.
  touched(place, half) {
    const chosen = this.selected;
    if (chosen !== null && place !== chosen) {
      const way = this.builder.ways(chosen).get(place);
      if (way) { this.make(way); return; }
    }
    if (place === null || !(this.builder.board[place] > 0)) {
      this.select(null);
      if (place > OFF && this.builder.board[place] < 0) this.say(this.words.theirs, true);
      return;
    }
    const moves = this.builder.moves(place);
    if (!moves.length) { this.select(null); this.say(this.why(place), true); return; }
    if (half) this.make([moves[half.right ? moves.length - 1 : 0]]);
    else if (place === chosen) this.make([moves[0]]);
    else this.select(place);
  }

  select(place, quiet) {
    this.selected = place;
    if (place === null) this.rest();
    this.draw();
    if (place === null || quiet) return;
    const targets = [...this.builder.ways(place).keys()].sort((a, b) => b - a).map((to) => this.name(to));
    this.say(fill(this.words.selected, {from: this.name(place), to: targets.join(', '), die: this.builder.moves(place)[0].face}));
  }

  make(way) {
    this.builder.play(way);
    this.changed();
    this.told();
    const text = way.map((m) => `${this.name(m.from)}/${this.name(m.to)}${m.hit ? '*' : ''}`).join(' ');
    this.report(text);
  }

  report(text) {
    const left = this.builder.left(), short = left.length && this.off(this.builder.board, 1) < 15;
    if (this.finished) this.say(fill(this.words[short ? 'ready_short' : 'ready'], {play: this.finished, left: this.list('conjunction', [...new Set(left)].map(String))}));
    else this.say(fill(this.words.made, {move: text, left: left.join(', ')}));
  }

  undo() {
    this.dropGhost();
    const move = this.builder.undo();
    this.changed();
    this.told();
    if (move) this.say(this.words.undone);
    if (!this.builder.done.length) this.hint();
  }

  canSwap() { return !this.builder.double && !this.builder.done.length; }

  swap() {
    if (!this.canSwap()) return;
    this.builder.swap();
    this.select(null);
    this.say(fill(this.words.swapped, {die: this.builder.left()[0]}));
  }

  submitted(event) {
    // A tap meant for the last checker must not send the play (a mouse has a way to go), nor may an unfinished one be sent.
    if (this.finished && (this.mouse || Date.now() - this.since >= SAFE_MS)) {
      this.form.elements.play.value = this.finished;
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!this.finished) this.say(this.words.unfinished, true);
  }

  // A finished play is kept on the server until it is sent; one that is taken up again is forgotten.
  told() { document.dispatchEvent(new CustomEvent('board:laid', {detail: this.finished ?? ''})); }

  changed() {
    this.finished = this.builder.done.length ? this.builder.finished() : null;
    this.since = Date.now();
    document.documentElement.toggleAttribute('data-unsent', this.builder.done.length > 0);
    this.form.elements.play.value = this.finished ?? '';
    this.rest();
    this.draw();
  }

  // ---- keys

  keyed(event) {
    this.mouse = false;
    const place = event.target.closest('[data-point]');
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    if (event.key in arrows) this.go(place, ...arrows[event.key]);
    else if (event.key === 'Enter' || event.key === ' ') this.chooseByKey(place);
    else if (event.key === 'Escape') this.select(null);
    else if (/^[1-6]$/.test(event.key)) this.playByKey(this.own(place), +event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The number of a place that my checkers can stand on; null for the opponent's bar and tray.
  own(place) { return /^\d+$/.test(place.dataset.point) ? +place.dataset.point : null; }

  chooseByKey(place) {
    if (this.finished) { this.form.requestSubmit(this.button('submit')); return; }
    this.touched(this.own(place));
    this.goOn(place);
  }

  // A number plays that die with the checker in focus.
  playByKey(place, face) {
    const move = this.builder.moves(place).find((one) => one.face === face);
    if (!move) { this.say(this.whyNot(place, face), true); return; }
    this.make([move]);
    this.goOn(this.places.get(String(place)));
  }

  whyNot(place, face) {
    if (!(this.builder.board[place] > 0)) return this.builder.board[place] < 0 && place ? this.words.theirs : this.words.nobody;
    return this.builder.left().includes(face) ? this.why(place, face) : fill(this.words.no_die, {face});
  }

  // Where the focus goes after a step: to Submit, or to a checker that can move.
  goOn(place) {
    if (this.finished) this.button('submit').focus();
    else if (place.getAttribute('tabindex') === '-1') this.svg.querySelector('[data-point][tabindex="0"]')?.focus();
  }

  middle(place) {
    const {x, y, width, height} = place.querySelector('.bd-hit').getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  }

  // The nearest place in the direction of an arrow key.
  go(from, dx, dy) {
    const [x, y] = this.middle(from);
    let best = null, nearest = Infinity;
    for (const place of this.places.values()) {
      const [px, py] = this.middle(place);
      const ahead = (px - x) * dx + (py - y) * dy, aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      if (ahead > 4 && ahead + 3 * aside < nearest) { nearest = ahead + 3 * aside; best = place; }
    }
    best?.focus();
  }

  // ---- what it says

  name(place) { return place === BAR ? this.words.bar : place === OFF ? this.words.off : String(place); }

  say(text, bad) {
    this.talk.textContent = text;
    this.talk.classList.toggle('bad', Boolean(bad));
  }

  // What is selected when nothing was chosen: the bar, as long as a checker there must enter first.
  rest() { this.selected = this.builder.board[BAR] && this.builder.moves(BAR).length ? BAR : null; }

  list(type, parts) { return new Intl.ListFormat(document.documentElement.lang, {type}).format(parts); }

  hint() {
    const [first, other] = this.builder.left();
    if (this.builder.board[BAR]) this.say(this.onBar());
    else if (!this.quick(matchMedia('(pointer: coarse)').matches ? 'touch' : 'mouse')) this.say(this.words.start);
    else this.say(fill(this.words[this.builder.double ? 'start_double' : 'start_quick'], {first, other}));
  }

  // With which numbers a checker enters, and which are blocked.
  onBar() {
    const {board} = this.builder, entries = [...new Set(this.builder.left())].map((face) => ({face, at: step(board, BAR, face).at}));
    const parts = (which, words) => entries.filter(which).sort((a, b) => b.face - a.face).map((entry) => fill(words, entry));
    const dice = this.list('disjunction', parts((entry) => !entry.at, this.words.die)), blocked = parts((entry) => entry.at, this.words.die_blocked);
    return fill(blocked.length ? this.words.bar_blocked : this.words.bar_first, {dice, blocked: this.list('conjunction', blocked)});
  }

  // Why the checker on a place can't move, by any number or by one.
  why(place, only) {
    const left = this.builder.left();
    if (!left.length || this.finished) return this.words.all_played;
    if (this.builder.board[BAR] && place !== BAR) return this.onBar();
    return this.builder.reasons(place).filter(({face}) => !only || face === only).map((reason) => fill(this.words[reason.why], {...reason, from: this.name(place)})).join(' ');
  }

  label(key) {
    const {board} = this.builder, {names} = this.words;
    const [place, n] = key === 'opponent-bar' ? ['bar', board[0]] : key === 'opponent-off' ? ['off', -this.off(board, -1)]
      : key === '25' ? ['bar', board[BAR]] : key === '0' ? ['off', this.off(board, 1)] : ['point', board[key]];
    const owner = key.startsWith('opponent') || n < 0 ? 'theirs' : 'yours';
    const held = n ? fill(names[owner], {n: Math.abs(n)}) : place === 'point' ? names.empty : names[`none_${owner}`];
    return `${fill(names[place], {point: key})}, ${held}`;
  }

  // ---- drawing

  draw() {
    const sources = this.finished ? [] : this.builder.sources();
    const targets = this.selected === null ? [] : [...this.builder.ways(this.selected).keys()];
    const usable = new Set([...sources, ...targets].map(String));
    for (const [key, place] of this.places) {
      const hit = place.querySelector('.bd-hit');
      place.replaceChildren(hit, ...this.parts(this.builder.board, key));
      place.classList.toggle('can', sources.includes(+key) && /^\d+$/.test(key));
      place.setAttribute('tabindex', usable.has(key) ? 0 : -1);
      place.setAttribute('aria-label', this.label(key) + (targets.includes(+key) && /^\d+$/.test(key) ? `, ${this.words.target}` : ''));
      if (key === String(this.selected)) place.setAttribute('aria-pressed', 'true');
      else place.removeAttribute('aria-pressed');
    }
    this.svg.classList.toggle('bar-first', this.builder.board[BAR] > 0 && !this.finished);
    if (this.builder.done.length || (this.selected !== null && this.selected !== BAR)) this.svg.querySelectorAll('.bd-arrow,.bd-halo').forEach((arrow) => arrow.remove());
    this.drawDice();
    this.drawMarks(targets);
    this.drawButtons();
    document.dispatchEvent(new CustomEvent('board:change', {detail: this.pips(this.builder.board)}));
  }

  drawDice() {
    const {dice, double} = this.builder, dies = this.svg.querySelectorAll('[data-die]');
    dies.forEach((group, nth) => {
      const own = double ? dice.slice(2 * nth, 2 * nth + 2) : [dice[nth]];
      const used = own.filter((die) => die.used).length;
      group.classList.toggle('bd-used', used === own.length);
      group.classList.toggle('bd-half', used > 0 && used < own.length);
      const face = own[0].face;
      if (+group.dataset.face === face || (!group.dataset.face && this.rolled[nth] === face)) { group.dataset.face = face; return; }
      group.dataset.face = face;
      this.drawPips(group, nth, face);
    });
  }

  drawPips(group, nth, face) {
    group.replaceChildren(group.firstElementChild, ...this.dots(this.geometry.dice.viewer[nth], face, true));
  }

  drawMarks(targets) {
    const {board} = this.builder, {radius} = this.geometry, parts = [];
    const landing = (to) => {
      if (to !== OFF) return this.spot(to, Math.max(0, board[to]), Math.max(0, board[to]) + 1);
      const [x, y, width, height] = this.geometry.off.viewer.tray;
      return [x + width / 2, y + height / 2];
    };
    for (const to of targets) {
      const [cx, cy] = landing(to);
      parts.push(element('circle', 'bd-target', {cx, cy, r: radius - 2}));
    }
    if (this.selected !== null) {
      const n = board[this.selected];
      const [cx, cy] = this.selected === BAR ? this.barSpot('viewer', n - 1) : this.spot(this.selected, n - 1, n);
      parts.push(element('circle', 'bd-ring', {cx, cy, r: radius + 3}));
    }
    this.marks.replaceChildren(...parts);
  }

  drawButtons() {
    this.button('submit').setAttribute('aria-disabled', String(!this.finished));
    this.button('undo').disabled = !this.builder.done.length;
    this.button('swap').disabled = !this.canSwap();
  }
}

function mount() {
  document.documentElement.removeAttribute('data-unsent');
  const root = document.querySelector('[data-board]');
  if (!root || !document.getElementById('board-data') || !document.querySelector('form[data-play]')) return;
  const board = new Board(root);
  mount.board = board;
}

function shortcut(event) {
  const board = mount.board;
  if (!board?.form.isConnected || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest('input,textarea,select,dialog,button,a,summary')) return;
  const key = event.key.toLowerCase();
  if (key === 'u' || key === 'backspace') board.undo();
  else if (key === 's') board.swap();
  else if (key === 'enter') board.form.requestSubmit(board.button('submit'));
  else if (key === 'escape') board.select(null);
  else return;
  event.preventDefault();
}

document.addEventListener('keydown', shortcut);
document.addEventListener('page:swapped', mount);
mount();
