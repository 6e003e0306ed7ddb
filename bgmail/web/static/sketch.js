// What is laid out on the board and not submitted is kept, so that it waits there on any device, and letters can offer it.

const PAUSE = 400, PATIENCE = 15000;
let timer = 0, waiting = null, kept = null, told = Promise.resolve();

const laid = () => JSON.parse(document.getElementById('board-data').textContent).laid ?? '';

export function keep(play) {
  const state = document.querySelector('[data-part=state]')?.dataset;
  if (!state?.sketch) return;
  clearTimeout(timer);
  waiting = {url: state.sketch, version: state.version, play};
  kept ??= state.version + laid();
  timer = setTimeout(tell, PAUSE);
}

// One after the other, so that none overtakes a newer one; only who leaves the page can't wait.
function tell(leaving) {
  clearTimeout(timer);
  const {url, version, play} = waiting ?? {};
  waiting = null;
  if (!url || kept === version + play) return;
  kept = version + play;
  const headers = {'X-CSRFToken': document.querySelector('meta[name=csrf-token]').content};
  const send = () => fetch(url, {method: 'POST', keepalive: true, headers, body: new URLSearchParams({version, play}), signal: AbortSignal.timeout(PATIENCE)}).catch(() => { kept = ''; });
  told = leaving ? send() : told.then(send);
}

document.addEventListener('submit', () => { waiting = null; clearTimeout(timer); }, true);
addEventListener('pagehide', tell);
