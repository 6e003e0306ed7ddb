// Notes of one's own: kept without leaving the page, and also when one leaves it with a note half written.

const words = JSON.parse(document.getElementById('note-words').textContent);

function send(form, more) {
  return fetch(form.action, {method: 'POST', headers: {'X-Requested-With': 'note'}, body: new FormData(form), ...more});
}

async function keep(form) {
  const {body} = form.elements, written = body.value, said = form.querySelector('[data-kept]');
  const fits = written.trim().length <= body.maxLength;
  let answer = null;
  try { answer = fits ? await send(form, {signal: AbortSignal.timeout(15000)}) : null; } catch { /* said below */ }
  if (answer?.ok) body.defaultValue = written;
  said.textContent = answer?.ok ? words.kept : fits && answer?.status !== 422 ? words.lost : words.most;
}

const changed = (form) => form.elements.body.value !== form.elements.body.defaultValue;

document.addEventListener('submit', (event) => {
  if (!event.target.matches('[data-note]')) return;
  event.preventDefault();
  keep(event.target);
});

document.addEventListener('input', (event) => {
  const said = event.target.closest('[data-note]')?.querySelector('[data-kept]');
  if (said) said.textContent = '';
});

addEventListener('pagehide', () => {
  for (const form of document.querySelectorAll('[data-note]')) if (changed(form)) send(form, {keepalive: true});
});
