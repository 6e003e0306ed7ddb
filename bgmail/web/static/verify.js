// Checks the dice of an exported match in the reader's own browser, from the log alone (see the page for the recipe).

const text = new TextEncoder();
const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
const bytes = (string) => Uint8Array.from(string.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const sha256 = async (data) => hex(await crypto.subtle.digest('SHA-256', data));

async function draw(secret, prefix) {
  const key = await crypto.subtle.importKey('raw', bytes(secret), {name: 'HMAC', hash: 'SHA-256'}, false, ['sign']);
  const dice = [];
  for (let k = 0; dice.length < 2; k++) {
    const block = new Uint8Array(await crypto.subtle.sign('HMAC', key, text.encode(prefix + k)));
    dice.push(...Array.from(block).filter((byte) => byte < 252).map((byte) => 1 + byte % 6));
  }
  return dice.slice(0, 2);
}

export async function verify(file) {
  const faults = [], commitments = {}, rolls = {}, counts = {}, guarded = new Set(), over = new Set();
  let nonces = '', prev = '0'.repeat(64), checked = 0, games = 0, imported = false;
  for (const {text: line, hash} of file.entries) {
    const entry = JSON.parse(line), fault = (what, values) => faults.push({seq: entry.seq, what, ...values});
    if (await sha256(text.encode(line)) !== hash) fault('bad_hash');
    if (entry.prev !== prev) fault('bad_link');
    prev = hash;
    if (entry.nonce) {
      nonces += entry.nonce;
      if (!entry.seat || ['auto', 'clock', 'import'].includes(entry.via)) fault('bad_nonce');
      Object.keys(commitments).forEach((game) => guarded.add(game));
    }
    const {game} = entry.data;
    if (entry.kind === 'commit') {
      commitments[game] ??= entry.data.commitment;
      guarded.delete(String(game));
    }
    if (entry.kind === 'game_over') over.add(String(game));
    if (entry.kind === 'match_over') Object.keys(commitments).forEach((game) => over.add(game));
    if (entry.kind === 'roll' || entry.kind === 'opening_roll') {
      if (entry.via === 'import') { imported = true; continue; }
      counts[game] = (counts[game] ?? 0) + 1;
      if (entry.data.roll !== counts[game]) fault('bad_number');
      if (!(game in commitments)) fault('unsealed');
      else if (!rolls[game] && !guarded.has(String(game)) && !entry.data.unguarded) fault('unguarded');
      (rolls[game] ??= []).push({entry, digest: await sha256(text.encode(nonces)), fault});
    }
    if (entry.kind !== 'reveal') continue;
    const {secret} = entry.data;
    if (await sha256(bytes(secret)) !== commitments[game]) fault('bad_secret');
    for (const roll of rolls[game] ?? []) {
      const number = roll.entry.data.roll, dice = await draw(secret, `${entry.match}|${game}|${number}|${roll.digest}|`);
      if (dice.join() !== roll.entry.data.dice.join()) roll.fault('bad_roll', {dice: dice.join('-')});
      checked += 1;
    }
    if (rolls[game]) games += 1;
    delete rolls[game];
    delete commitments[game]; // a restored match is sealed anew
  }
  for (const game of Object.keys({...rolls, ...commitments})) if (over.has(game)) faults.push({seq: file.entries.length, what: 'missing', game});
  const open = Object.entries(rolls).filter(([game]) => !over.has(game)).map(([game, list]) => ({game, rolls: list.length}));
  return {faults, checked, games, open, imported, entries: file.entries.length};
}

const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');

function lines(result, words) {
  const found = result.faults.map((fault) => fill(words.fault, {seq: fault.seq, what: fill(words[fault.what], fault)}));
  if (!found.length) {
    found.push(fill(words.chain, result));
    if (result.checked) found.unshift(fill(words.good, {rolls: result.checked, games: result.games}));
  }
  found.push(...result.open.map((open) => fill(words.open, open)));
  if (result.imported) found.push(words.imported);
  return found;
}

document.querySelector('[data-verify]')?.addEventListener('click', async ({target}) => {
  const box = document.querySelector('[data-verdict]'), words = JSON.parse(document.getElementById('verify-words').textContent);
  const tell = (sentences, bad) => {
    box.classList.toggle('bad', bad);
    box.replaceChildren(...sentences.map((sentence) => Object.assign(document.createElement('p'), {textContent: sentence})));
  };
  tell([words.working], false);
  target.disabled = true;
  try {
    const response = await fetch(target.dataset.verify);
    if (!response.ok) throw new TypeError('no file');
    const result = await verify(await response.json());
    tell(lines(result, words), result.faults.length > 0);
  } catch {
    tell([words.failed], true);
  }
  target.disabled = false;
});
