// What happened since the reader was here, shown on a picture laid over the board. The board beneath, and all that can
// be done with it, stays as it is: whatever one does ends the replay.

import {Film, rest, still} from './film.js';

const PAUSE_MS = 900, GONE = 0.6, EDGE = 16, FOOT = 100, ROOMY = 200, LEAST = 120;
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const player = () => document.querySelector('[data-replay]');
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');

let film = null, data = null, sheet = null, at = 0, run = null, known = 0;

const count = () => data?.rows.length ?? 0;

// ---- the picture over the board

function cover() {
  const board = part('board')?.querySelector('svg');
  if (sheet?.isConnected || !board) return Boolean(board);
  sheet = document.createElement('div');
  sheet.className = 'film';
  sheet.setAttribute('aria-hidden', 'true');
  const copy = board.cloneNode(true);
  for (const name of ['role', 'aria-labelledby', 'aria-describedby']) copy.removeAttribute(name);
  for (const one of copy.querySelectorAll('title,desc,defs')) one.remove();
  copy.classList.remove('bar-first');
  const tag = Object.assign(document.createElement('span'), {className: 'film-tag'}), {cube, width} = data.geometry;
  tag.style.left = `${100 * cube.centre[0] / width}%`;  // over the bar, where no point has its number
  sheet.append(copy, tag);
  part('board').append(sheet);
  film = new Film(copy, data);
  return true;
}

// Where the board has scrolled out of sight, the picture comes along, above or below the buttons.
function follow() {
  if (!sheet?.isConnected) return;
  const {top, height} = part('board').getBoundingClientRect(), box = player().getBoundingClientRect();
  const above = box.top - EDGE, below = innerHeight - box.bottom - FOOT;
  sheet.classList.toggle('afloat', top < -height * GONE || top + height * (1 - GONE) > innerHeight);
  sheet.style.setProperty('--from', `${above >= Math.min(below, ROOMY) ? EDGE / 2 : box.bottom + EDGE / 2}px`);
  sheet.style.setProperty('--room', `${Math.max(LEAST, Math.min(innerHeight / 2, above >= Math.min(below, ROOMY) ? above : below))}px`);
}

function uncover() {
  sheet?.remove();
  sheet = film = null;
}

// ---- steps

function halt() {
  run?.abort();
  run = null;
  paint();
}

// To the step `to`, counted from 0; after the last comes the present.
async function go(to, moving) {
  halt();
  at = Math.max(0, Math.min(count(), to));
  if (at === count() || !cover()) { at = count(); uncover(); paint(); return; }
  const mine = run = new AbortController();
  follow();
  paint();
  if (moving) await film.run(at, mine.signal);
  else film.show(at);
  if (run === mine) run = null;
  paint();
}

async function play(from, aloud) {
  halt();
  const mine = run = new AbortController();
  mine.playing = true;
  player()?.querySelector('[data-said]').setAttribute('aria-live', aloud ? 'polite' : 'off');
  for (at = from; at < count() && cover(); at++) {
    follow();
    paint();
    if (!await film.run(at, mine.signal)) return;
    await rest(PAUSE_MS, mine.signal);
    if (mine.signal.aborted) return;
  }
  present();
}

function present() {
  halt();
  at = count();
  uncover();
  paint();
}

// ---- the player: its buttons, what it says, and the line that is shown

function paint() {
  const box = player();
  if (!box || !data) return;
  const {words} = data, shown = at < count(), all = count();
  const said = box.querySelector('[data-said]'), aloud = said.getAttribute('aria-live') === 'polite';
  const text = shown ? fill(aloud ? words.step : words.silent, {n: at + 1, all, text: data.rows[at][2]}) : words.rest;
  if (said.textContent !== text) said.textContent = text;
  box.classList.toggle('on', shown);
  const toggle = box.querySelector('[data-to=play]'), playing = Boolean(run?.playing);
  toggle.setAttribute('aria-label', playing ? words.pause : words.play);
  toggle.querySelector('.i-play').toggleAttribute('hidden', playing);
  toggle.querySelector('.i-pause').toggleAttribute('hidden', !playing);
  const off = {first: at === 0, back: at === 0, on: !shown, last: !shown};
  for (const [to, none] of Object.entries(off)) box.querySelector(`[data-to=${to}]`).setAttribute('aria-disabled', String(none));
  for (const line of document.querySelectorAll('[data-part=news] [data-step]')) line.closest('li').classList.toggle('now', shown && Number(line.dataset.step) === at);
  if (sheet) Object.assign(sheet.querySelector('.film-tag'), {textContent: `${at + 1} / ${all}`, hidden: all < 2});
}

const ACTS = {
  first: () => go(0, false),
  back: () => go(at - 1, false),
  on: () => go(at + 1, true),
  last: present,
  play: () => (run?.playing ? halt() : play(at < count() ? at : 0, true)),
};

function speak() { player().querySelector('[data-said]').setAttribute('aria-live', 'polite'); }

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-replay] [data-to]'), line = event.target.closest('[data-part=news] a[data-step]');
  if (button && data) {
    speak();
    if (button.getAttribute('aria-disabled') !== 'true') ACTS[button.dataset.to]();
  } else if (line && data && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
    event.preventDefault();
    speak();
    go(Number(line.dataset.step), true);
  }
});

const KEYS = {ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last'};
const QUIET = new Set(['Shift', 'Control', 'Alt', 'Meta', 'Tab']);

const inside = (target) => target instanceof Element && target.closest('[data-part=news]');

// Whatever else one does is meant for the present position: it is there again before the key or the finger arrives.
addEventListener('keydown', (event) => {
  if (inside(event.target) && event.target.closest('[data-replay]') && event.key in KEYS) {
    event.preventDefault();
    event.stopPropagation();
    speak();
    ACTS[KEYS[event.key]]();
  } else if (at < count() && (event.key === 'Escape' || !inside(event.target)) && !QUIET.has(event.key)) present();
}, true);

addEventListener('pointerdown', (event) => { if (at < count() && !inside(event.target)) present(); }, true);
addEventListener('scroll', follow, {passive: true});

// ---- news: at first, and whenever the page is renewed

function mount() {
  const source = document.querySelector('[data-film]');
  const board = JSON.parse(document.getElementById('board-data')?.textContent ?? '{}');
  data = source ? JSON.parse(source.textContent) : null;
  if (data) data.geometry ??= board.geometry;
  if (!data?.geometry) data = null;
  at = count();
  uncover();
  paint();
}

const latest = () => data?.rows.at(-1)[0] ?? 0;

// By itself only what is new is shown, and never where somebody is in the middle of something.
function begin(from) {
  const root = document.documentElement;
  if (document.hidden && from >= 0) document.addEventListener('visibilitychange', () => begin(from), {once: true});
  if (from < 0 || still() || document.hidden || root.hasAttribute('data-unsent') || document.querySelector('dialog[open]')) return;
  play(from, false);
}

function renewed() {
  const before = known;
  run?.abort();
  run = null;
  mount();
  known = Math.max(known, latest());
  begin(data ? data.rows.findIndex(([seq]) => seq > before) : -1);
}

// Once all is there that it looks like.
export function start() {
  document.addEventListener('page:swapped', renewed);
  mount();
  known = latest();
  if (data && document.querySelector('[data-film][data-fresh]')) begin(0);
}
