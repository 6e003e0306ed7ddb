// How a board looks: checkers, dice, cube and arrows as SVG, where the page's geometry says. Knows nothing of rules.
//
// A board is 26 numbers from the viewer's side: mine above zero, theirs below; 25 is my bar, 0 is theirs.

export const BAR = 25, OFF = 0;
const SVG = 'http://www.w3.org/2000/svg';
const SPOTS = {1: ['00'], 2: ['--', '++'], 3: ['--', '00', '++'], 4: ['--', '+-', '-+', '++'], 5: ['--', '+-', '00', '-+', '++'],
  6: ['--', '+-', '-0', '+0', '-+', '++']};

export function element(tag, css, attributes = {}) {
  const made = document.createElementNS(SVG, tag);
  if (css) made.setAttribute('class', css);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

export class Drawing {
  // `white`: whether the viewer has the light checkers; `ids` starts the ids of their two forms in the page.
  constructor(geometry, white, ids = 'bd-') {
    this.geometry = geometry;
    this.white = white;
    this.ids = ids;
  }

  off(board, sign) { return 15 - board.reduce((sum, n) => sum + Math.max(0, sign * n), 0); }

  checker(white, [x, y]) {
    const side = white === this.white ? 'viewer' : 'opponent';
    return element('use', '', {href: `#${this.ids}${white ? 'w' : 'd'}`, x, y, 'data-side': side});
  }

  text(css, [x, y], words) {
    const text = element('text', css, {x, y});
    text.textContent = words;
    return text;
  }

  spot(point, nth, count) {
    const {x, edge, dir} = this.geometry.points[point], {stack, shown} = this.geometry;
    return [x, edge + dir * stack[Math.min(Math.max(count, 1), shown) - 1][Math.min(nth, shown - 1)]];
  }

  barSpot(whose, nth) {
    const {spots} = this.geometry.bar[whose];
    return spots[Math.min(nth, spots.length - 1)];
  }

  stack(white, spots, n) {
    const parts = spots.map((spot) => this.checker(white, spot)), side = white ? 'w' : 'd';
    if (n > spots.length) {
      const [x, y] = spots[spots.length - 1];
      parts.push(element('circle', `bd-${side}c`, {cx: x, cy: y, r: 24}), this.text(`bd-${side}t bd-count`, [x, y], n));
    }
    return parts;
  }

  slabs(board, whose) {
    const mine = whose === 'viewer', n = this.off(board, mine ? 1 : -1), side = mine === this.white ? 'w' : 'd', parts = [];
    const {spots, slab: [width, height], count} = this.geometry.off[whose];
    for (const [x, y] of spots.slice(0, n)) {
      parts.push(element('rect', `bd-${side}`, {x: x - width / 2, y: y - height / 2, width, height, rx: 4}),
        element('path', `bd-${side}r`, {d: `M${x - 18} ${y}h36`}));
    }
    if (n) parts.push(this.text('bd-off', count, n));
    return parts;
  }

  // What stands on a place: "1" to "24", "25" and "0" are my bar and tray, "opponent-bar" and "opponent-off" theirs.
  parts(board, key) {
    if (key === '0') return this.slabs(board, 'viewer');
    if (key === 'opponent-off') return this.slabs(board, 'opponent');
    const bar = key === '25' ? 'viewer' : key === 'opponent-bar' ? 'opponent' : null;
    const count = bar === 'opponent' ? board[0] : board[key], n = Math.abs(count), spots = [];
    if (!n) return [];
    const shown = bar ? this.geometry.bar[bar].spots.length : this.geometry.shown;
    for (let nth = 0; nth < Math.min(n, shown); nth++) spots.push(bar ? this.barSpot(bar, nth) : this.spot(+key, nth, n));
    return this.stack(count > 0 ? this.white : !this.white, spots, n);
  }

  // The dots of a die around its middle, in the colours of its side.
  dots([x, y], face, mine) {
    const side = mine === this.white ? 'w' : 'd', shift = {'-': -15, 0: 0, '+': 15};
    return SPOTS[face].map(([dx, dy]) => element('circle', `bd-${side}t`, {cx: x + shift[dx], cy: y + shift[dy], r: 5.6}));
  }

  pips(board) {
    return board.reduce(([mine, theirs], n, p) => [mine + Math.max(0, n) * p, theirs + Math.max(0, -n) * (25 - p)], [0, 0]);
  }
}
