// The replay of a whole match: slider, buttons and keys move the one board through all its positions; what else the page
// says about a position comes from that position's own page, once one rests on it.

import {Film, rest} from './film.js';

const PAUSE_MS = 900, REST_MS = 250;
const box = document.querySelector('.player'), screen = document.querySelector('[data-screen]'), slider = box.querySelector('[data-slider]');
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');

let film = null, data = null, at = 0, run = null, asked = 0;

const row = () => data.rows[at];
const stepOf = (seq) => Math.max(0, data.rows.findLastIndex((one) => one[0] <= seq));

function halt() {
  run?.abort();
  run = null;
}

async function go(to, moving) {
  halt();
  mount();
  at = Math.max(0, Math.min(data.rows.length - 1, to));
  const mine = run = new AbortController();
  paint();
  if (moving) await film.run(at, mine.signal);
  else film.show(at);
  if (run !== mine) return;
  run = null;
  paint();
  settle();
}

async function play() {
  const from = at === data.rows.length - 1 ? 0 : at + 1;
  halt();
  mount();
  const mine = run = new AbortController();
  mine.playing = true;
  for (at = from; ; at++) {
    paint();
    if (!await film.run(at, mine.signal)) return;
    if (at === data.rows.length - 1) break;
    await rest(PAUSE_MS, mine.signal);
    if (mine.signal.aborted) return;
  }
  stop();
}

function stop() {
  halt();
  film.show(at);
  paint();
  settle();
}

// ---- what is said about the position

function paint() {
  const [seq, , said, , , , , , w, b] = row(), {words, who, viewer} = data;
  const [mine, theirs] = film.pips(film.boards[at][1]), pips = viewer === 0 ? {w: mine, b: theirs} : {w: theirs, b: mine};
  const put = (name, text) => { const spot = document.querySelector(name); if (spot.textContent !== text) spot.textContent = text; };
  put('[data-said]', said);
  put('[data-score]', fill(words.score, {w, b, ...who}));
  put('[data-pips]', fill(words.pips, {...pips, ...who}));
  put('[data-nth]', `${at + 1} / ${data.rows.length}`);
  slider.value = at + 1;
  slider.setAttribute('aria-valuetext', fill(words.step, {n: at + 1, all: data.rows.length, text: said}));
  const playing = Boolean(run?.playing), toggle = box.querySelector('[data-to=play]');
  toggle.querySelector('.i-play').toggleAttribute('hidden', playing);
  toggle.querySelector('.i-pause').toggleAttribute('hidden', !playing);
  toggle.setAttribute('aria-label', playing ? words.pause : words.play);
  for (const [name, to] of Object.entries(targets())) {
    const link = box.querySelector(`a[data-to=${name}]`), none = to === at;
    link.toggleAttribute('href', false);
    if (!none) link.href = box.dataset.moments + data.rows[to][0];
    if (none) link.setAttribute('aria-disabled', 'true'); else link.removeAttribute('aria-disabled');
    link.setAttribute('role', 'link');
    link.tabIndex = 0;
  }
  mark(seq);
}

function mark(seq) {
  for (const line of document.querySelectorAll('[data-seq][aria-current]')) line.removeAttribute('aria-current');
  const line = document.querySelector(`[data-seq="${seq}"]`);
  if (line) {
    line.setAttribute('aria-current', 'step');
    const list = line.closest('.sheet-box'), place = line.getBoundingClientRect().top - list.getBoundingClientRect().top;
    if (place < 0 || place > list.clientHeight - 40) list.scrollTop += place - list.clientHeight / 2;
  }
  const graph = document.querySelector('.pg'), first = data.rows.findIndex((one) => one[1] === row()[1]);
  if (!graph || !line) return;
  const {from, to, steps} = graph.dataset, x = Number(from) + (to - from) * (at - first) / Math.max(1, steps - 1);
  graph.querySelector('.pg-now').setAttribute('d', `M${x} 10V168`);
}

// The address is that of the position; once one rests there, so are game, time, ids, sheet and graph.
function settle() {
  const [seq] = row(), address = box.dataset.moments + seq, mine = ++asked;
  history.replaceState(history.state, '', address);
  setTimeout(async () => {
    if (mine !== asked) return;
    const answer = await fetch(address, {headers: {'X-Requested-With': 'page'}}).catch(() => null);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (mine !== asked) return;
    document.title = page.title;
    for (const fresh of page.querySelectorAll('[data-moment]')) {
      const old = document.querySelector(`[data-moment="${fresh.dataset.moment}"]`);
      const same = fresh.dataset.moment === 'sheet' && old.querySelector(`[data-seq="${seq}"]`);
      if (!same && !old.contains(document.activeElement)) old.replaceWith(document.adoptNode(fresh));
    }
    mark(row()[0]);
  }, REST_MS);
}

// ---- ways about

function targets() {
  const {rows} = data, game = row()[1], begins = rows.findIndex((one) => one[1] === game), next = rows.findIndex((one) => one[1] > game);
  const earlier = at > begins ? begins : rows.findIndex((one) => one[1] === rows[Math.max(0, begins - 1)][1]);
  return {back: Math.max(0, at - 1), on: Math.min(rows.length - 1, at + 1), last: rows.length - 1, game_back: earlier, game_on: next < 0 ? at : next};
}

function act(name) {
  if (name === 'play') { if (run?.playing) stop(); else play(); }
  else go(name === 'first' ? 0 : targets()[name], name === 'on');
}

document.addEventListener('click', (event) => {
  if (!data || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const button = event.target.closest('.player [data-to]'), line = event.target.closest('a[data-seq]');
  if (!button && !line) return;
  event.preventDefault();
  if (line) go(stepOf(Number(line.dataset.seq)), true);
  else if (button.getAttribute('aria-disabled') !== 'true') act(button.dataset.to);
});

document.addEventListener('click', (event) => {
  const graph = event.target.closest('.pg');
  if (!graph || !data) return;
  const {left, width} = graph.getBoundingClientRect(), {from, to, steps} = graph.dataset;
  const share = ((event.clientX - left) / width * graph.viewBox.baseVal.width - from) / (to - from);
  const first = data.rows.findIndex((one) => one[1] === row()[1]);
  go(first + Math.round(Math.max(0, Math.min(1, share)) * (steps - 1)), false);
});

slider.addEventListener('input', () => { if (data) go(Number(slider.value) - 1, false); });

const KEYS = {ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last', PageUp: 'game_back', PageDown: 'game_on'};

document.addEventListener('keydown', (event) => {
  if (!data || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('textarea,select,input:not([data-slider]),dialog')) return;
  const space = event.key === ' ' && !event.target.closest('button,a,summary,input');
  if (!(event.key in KEYS) && !space) return;
  event.preventDefault();
  act(space ? 'play' : KEYS[event.key]);
});

// What the server drew makes room for the film; a roll that waits for its play is a picture of its own until then.
function mount() {
  if (film) return;
  const svg = screen.querySelector('svg');
  for (const one of svg.querySelectorAll('desc')) one.remove();
  svg.removeAttribute('aria-describedby');
  film = new Film(svg, data);
}

async function begin() {
  const answer = await fetch(box.dataset.film);
  if (!answer.ok) return;
  data = await answer.json();
  at = stepOf(Number(box.dataset.at));
  if (row()[0] === Number(box.dataset.at)) {
    mount();
    film.show(at);
    paint();
  }
  mark(Number(box.dataset.at));
  box.dataset.ready = 'yes';
}

begin();
