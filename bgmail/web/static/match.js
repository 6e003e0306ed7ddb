// The page of a match: sends actions (each once, however often it is tried), keeps clocks by the server's time,
// asks for news, and puts a newer page in place of the old one without losing what the person was doing.

const root = document.documentElement;
const RETRIES = [1000, 2000, 4000], PATIENCE = 15000;
const words = () => JSON.parse(document.getElementById('page-words').textContent);
const part = (name) => document.querySelector(`[data-part="${name}"]`);

// ---- sending

const random = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

// What was last tried and not answered: the same wish keeps its nonce and key, so it can only happen once.
let pending = null;

function wish(form, submitter) {
  const fields = new FormData(form, submitter);
  const body = {version: Number(fields.get('version')), action: fields.get('action')};
  if (fields.get('play')) body.play = fields.get('play');
  if (fields.get('value')) body.value = Number(fields.get('value'));
  const what = JSON.stringify(body);
  if (pending?.what !== what) pending = {what, body: {...body, nonce: random(), key: random()}};
  return pending.body;
}

async function post(url, body) {
  const headers = {'Content-Type': 'application/json', 'X-CSRFToken': document.querySelector('meta[name=csrf-token]').content};
  const response = await fetch(url, {method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(PATIENCE)});
  if (response.status >= 500) throw new TypeError(`the server answered ${response.status}`);
  return response;
}

async function persist(url, body) {
  for (const wait of RETRIES) {
    try { return await post(url, body); } catch { say(words().trying, true); }
    await new Promise((resume) => setTimeout(resume, wait));
  }
  return post(url, body);
}

let sending = false, leaving = false;

async function send(form, submitter) {
  if (sending || leaving) return;
  sending = true;
  root.toggleAttribute('data-sending', true);
  try {
    await answered(await persist(form.dataset.send, wish(form, submitter)), form, submitter);
  } catch {
    say(words().offline, true);
  } finally {
    sending = false;
    root.removeAttribute('data-sending');
  }
}

async function answered(response, form, submitter) {
  const problem = response.ok ? null : await response.json().catch(() => ({}));
  if (response.ok || response.status !== 429) pending = null;
  if (response.ok && new FormData(form, submitter).get('action') !== 'roll' && await leadOn(response)) return;
  if (response.ok || response.status === 409) {
    root.removeAttribute('data-unsent');
    closeDialogs();
    await refresh(true);
    part('todo')?.querySelector('h2')?.focus({preventScroll: true});
    toast(response.ok ? words().sent : words().moved_on);
  } else if (response.status === 401) {
    say(words().signed_out, true);
    toast(words().signed_out, words().sign_in);
  } else if (response.status === 422 && root.lang !== 'en') {
    askThePage(form, submitter);
  } else {
    closeDialogs();
    say(problem.detail || words().refused, true, problem.guide);
  }
}

// The API gives its reasons in English; the page that comes after its own form gives them in the reader's language.
function askThePage(form, submitter) {
  leaving = true;
  root.removeAttribute('data-unsent');
  if (submitter?.name) form.append(Object.assign(document.createElement('input'), {type: 'hidden', name: submitter.name, value: submitter.value}));
  HTMLFormElement.prototype.submit.call(form);
}

// Where other matches wait, an action leads on to the next, unless this one still waits for me, or has ended. Whoever
// rolled stays: dice that let nothing be played, or one play alone, are seen nowhere else.
async function leadOn(response) {
  const {onward, sent} = part('state').dataset;
  const state = onward ? await response.json().catch(() => ({})) : {};
  if (!state.you || state.on_turn === state.you || state.phase === 'over') return false;
  leaving = true;
  root.removeAttribute('data-unsent');
  try { sessionStorage.setItem('told', sent); } catch { /* then it isn't told */ }
  location.assign(onward);
  return true;
}

function tellSent() {
  try {
    const told = sessionStorage.getItem('told');
    sessionStorage.removeItem('told');
    if (told) toast(told);
  } catch { /* nothing was kept */ }
}

function say(text, bad, guide) {
  const talk = document.querySelector('[data-say]');
  if (!talk) { toast(text); return; }
  talk.textContent = text;
  if (guide) talk.append(' ', Object.assign(document.createElement('a'), {href: guide, textContent: words().guide}));
  talk.classList.toggle('bad', Boolean(bad));
}

let toastTimer = 0;

function toast(text, link) {
  document.querySelector('.toast')?.remove();
  const box = document.createElement('div');
  box.className = 'toast';
  box.setAttribute('role', 'status');
  box.textContent = text;
  if (link) box.append(' ', Object.assign(document.createElement('a'), {href: link.href, textContent: link.text}));
  document.body.append(box);
  clearTimeout(toastTimer);
  if (!link) toastTimer = setTimeout(() => box.remove(), 5000);
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (event.defaultPrevented) return;
  if (form.dataset.send) {
    event.preventDefault();
    send(form, event.submitter);
  } else if (form.dataset.swap !== undefined) {
    event.preventDefault();
    talkTo(form);
  } else if (form.elements.nonce) {
    form.elements.nonce.value = random();
    root.removeAttribute('data-unsent');
  }
});

// A form whose answer is this page again (the chat): the answer is put in place.
async function talkTo(form) {
  const button = form.querySelector('button');
  button.disabled = true;
  try {
    const response = await fetch(form.action, {method: 'POST', body: new FormData(form), signal: AbortSignal.timeout(PATIENCE)});
    if (!response.ok) throw new TypeError('not taken');
    form.reset();
    place(await response.text(), false);
  } catch {
    toast(words().not_said);
  } finally {
    button.disabled = false;
  }
}

// ---- confirmations

document.addEventListener('click', (event) => {
  const opener = event.target.closest('[data-confirm]');
  if (opener) {
    const dialog = document.getElementById(`confirm-${opener.dataset.confirm}`);
    if (!dialog?.showModal) return;
    event.preventDefault();
    closeDialogs();
    dialog.showModal();
  } else if (event.target.closest('[data-close]')) {
    event.preventDefault();
    event.target.closest('dialog').close();
  } else if (event.target.closest('[data-byhand]')) {
    const hidden = document.querySelector('.byhand').classList.toggle('open');
    event.target.closest('[data-byhand]').setAttribute('aria-expanded', String(hidden));
    if (hidden) document.getElementById('written').focus();
  }
});

function closeDialogs() {
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
}

// ---- the newer page in place of the old one

// An answer that was overtaken on its way must not bring the past back, nor take away what was begun since.
function older(next) {
  const marks = [next.querySelector('[data-part=state]'), part('state')].map((state) => state?.dataset.mark.split('-').map(Number));
  const [[head, lines], [known, heard]] = marks.map((mark) => mark ?? [0, 0]);
  return head < known || (head === known && lines < heard);
}

// A play half made or half written, or a question half answered, is kept as long as it can still be sent.
function busy() {
  const written = document.getElementById('written')?.value, asked = document.querySelector('dialog[open]');
  return root.hasAttribute('data-unsent') || Boolean(written || asked);
}

function place(html, all) {
  const next = new DOMParser().parseFromString(html, 'text/html');
  if (older(next)) return;
  const same = (name) => part('state')?.dataset[name] === next.querySelector('[data-part=state]')?.dataset[name];
  const still = !all && same('version') && busy(), keep = !all && same('head') || still;
  let mounted = false;
  for (const fresh of next.querySelectorAll('[data-part]')) {
    const old = part(fresh.dataset.part);
    if (!old) continue;
    if (keep && ['board', 'todo', 'data'].includes(fresh.dataset.part)) continue;
    if (still && fresh.dataset.part === 'state') continue;  // so that what was kept is renewed once it is let go
    if (!all && old.contains(document.activeElement) && !['board', 'todo'].includes(fresh.dataset.part)) continue;
    if (fresh.outerHTML === old.outerHTML) continue;
    old.replaceWith(document.adoptNode(fresh));
    mounted ||= ['board', 'todo', 'data'].includes(fresh.dataset.part);
  }
  const badge = next.querySelector('.nav-turn');
  if (badge) document.querySelector('.nav-turn')?.replaceWith(document.adoptNode(badge));
  document.title = next.title;
  settle();
  if (mounted || all) document.dispatchEvent(new Event('page:swapped'));
}

async function refresh(all) {
  const state = part('state');
  const url = new URL(location.href);
  url.hash = '';
  if (!all) url.searchParams.set('seen', state.dataset.mark);
  const response = await fetch(url, {headers: {'X-Requested-With': 'page'}, signal: AbortSignal.timeout(PATIENCE)});
  serverTime(response.headers.get('X-Now'));
  if (response.status === 204) return;
  if (!response.ok || response.redirected) throw new TypeError('no newer page');
  place(await response.text(), all);
}

// ---- news: told by the server while the page is looked at, and asked for now and then in case it can't be told

const QUICK = 5000, SLOW = 60000;
let wait = QUICK, timer = 0, stream = null, told = '';
const mark = () => part('state')?.dataset.mark;
const live = () => part('state')?.dataset.live === 'yes';

async function ask() {
  clearTimeout(timer);
  if (document.hidden || !part('state') || sending) { again(); return; }
  const before = mark();
  try { await refresh(false); } catch { /* asked again later */ }
  wait = mark() === before ? Math.min(SLOW, wait * 1.25) : QUICK;
  if (told === mark()) told = '';
  again();
}

function again() {
  clearTimeout(timer);
  if (live()) timer = setTimeout(ask, stream?.readyState === EventSource.OPEN && !told ? SLOW : wait);
  else hush();
}

// A stream for this page as long as it is in sight: a browser has few connections for all its pages together.
function listen() {
  hush();
  if (document.hidden || !live()) return;
  const url = new URL(part('state').dataset.news, location);
  url.searchParams.set('seen', mark());
  stream = new EventSource(url);
  stream.onopen = again;  // told from here on, it asks seldom
  stream.onmessage = (event) => { if (event.data !== mark()) { told = event.data; wait = QUICK; ask(); } };
}

function hush() {
  stream?.close();
  stream = null;
}

function look() {
  listen();
  if (document.hidden) return;
  wait = QUICK;
  ask();
}

document.addEventListener('visibilitychange', look);
addEventListener('online', look);
addEventListener('pagehide', hush);
addEventListener('pageshow', (event) => { leaving = false; if (event.persisted) look(); });
addEventListener('beforeunload', (event) => { if (root.hasAttribute('data-unsent')) event.preventDefault(); });

// ---- clocks, by the server's time: this machine's own clock may be wrong by hours

let ahead = 0;

function serverTime(millis) {
  if (millis) ahead = Number(millis) - performance.now();
}

const now = () => performance.now() + ahead;

function span(seconds) {
  const {units} = words();
  const s = Math.max(0, Math.floor(seconds)), pick = (a, x, b, y) => (y ? `${a} ${units[x]} ${y} ${units[b]}` : `${a} ${units[x]}`);
  if (s >= 86400) return pick(Math.floor(s / 86400), 'd', 'h', Math.floor(s % 86400 / 3600));
  if (s >= 3600) return pick(Math.floor(s / 3600), 'h', 'min', Math.floor(s % 3600 / 60));
  if (s >= 600) return `${Math.floor(s / 60)} ${units.min}`;
  return s >= 60 ? pick(Math.floor(s / 60), 'min', 's', s % 60) : `${s} ${units.s}`;
}

function tick() {
  for (const clock of document.querySelectorAll('.clock[data-runs]')) {
    const {turn: first, bank, runs, stops = Infinity, low} = clock.dataset;
    const ran = Math.max(0, Math.min(now(), stops) - runs), turn = (first - ran) / 1000, end = turn + bank / 1000;
    const own = clock.querySelector('[data-own]'), behind = clock.querySelector('[data-behind]');
    own.textContent = turn > 0 ? span(turn) : words().bank.replace('{span}', span(end));
    if (behind) behind.hidden = turn <= 0;
    clock.classList.toggle('low', end < Number(low));
    if ((end <= 0 || now() >= stops || (ran && clock.matches('.rests'))) && !clock.dataset.asked) { clock.dataset.asked = 'yes'; setTimeout(ask, 3000); }
  }
}

// The board tells what a play in the making does to the pip counts.
document.addEventListener('board:change', (event) => {
  ['viewer', 'opponent'].forEach((whose, i) => {
    const pips = document.querySelector(`[data-pips=${whose}]`);
    if (pips) pips.textContent = event.detail[i];
  });
});

function settle() {
  serverTime(part('state')?.dataset.now);
  const lines = document.querySelector('.lines');
  if (lines) lines.scrollTop = lines.scrollHeight;
  tick();
}

settle();
tellSent();
setInterval(tick, 1000);
listen();
again();
