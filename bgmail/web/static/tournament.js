// An open page of a tournament or a league: whatever is new in it comes by itself. Parts are fetched anew and put in their places.

const room = document.querySelector('[data-tournament]');
let last = Promise.resolve();

// What somebody has begun to fill in is not taken from under their hands.
function inUse(part) {
  if (!part.querySelector('form')) return false;
  return part.contains(document.activeElement) || [...part.querySelectorAll('input')].some((one) => one.value !== one.defaultValue);
}

function placed(fresh) {
  for (const part of document.querySelectorAll('[data-live]')) {
    const now = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
    if (!now || now.innerHTML === part.innerHTML || inUse(part)) continue;
    const scrolled = [...part.querySelectorAll('.scroll')].map((box) => [box.scrollLeft, box.scrollTop]);
    const open = [...part.querySelectorAll('details')].map((one) => one.open);
    part.replaceChildren(...now.childNodes);
    part.querySelectorAll('.scroll').forEach((box, place) => { if (scrolled[place]) [box.scrollLeft, box.scrollTop] = scrolled[place]; });
    part.querySelectorAll('details').forEach((one, place) => { one.open = open[place] ?? one.open; });
  }
}

async function fetched() {
  const answer = await fetch(location.href, {headers: {Accept: 'text/html'}});
  if (answer.ok) placed(new DOMParser().parseFromString(await answer.text(), 'text/html'));
}

if (room && window.EventSource) {
  const news = new EventSource(`${room.dataset.tournament}?seen=${room.dataset.mark}`);
  news.addEventListener('message', () => { last = last.then(fetched).catch(() => { /* no connection: the next news tries again */ }); });
  addEventListener('pagehide', () => news.close());
}
