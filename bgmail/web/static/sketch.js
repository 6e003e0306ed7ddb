// What is laid out on the board and not submitted is kept, so that it waits there on any device, and letters can offer it.

const PAUSE = 400;
let timer = 0, waiting = null, kept = null;

const laid = () => JSON.parse(document.getElementById('board-data').textContent).laid ?? '';

export function keep(play) {
  const state = document.querySelector('[data-part=state]')?.dataset;
  if (!state?.sketch) return;
  clearTimeout(timer);
  waiting = {url: state.sketch, version: state.version, play};
  kept ??= state.version + laid();
  timer = setTimeout(tell, PAUSE);
}

function tell() {
  clearTimeout(timer);
  const {url, version, play} = waiting ?? {};
  waiting = null;
  if (!url || kept === version + play) return;
  kept = version + play;
  const headers = {'X-CSRFToken': document.querySelector('meta[name=csrf-token]').content};
  fetch(url, {method: 'POST', keepalive: true, headers, body: new URLSearchParams({version, play})}).catch(() => { kept = ''; });
}

document.addEventListener('submit', () => { waiting = null; clearTimeout(timer); }, true);
addEventListener('pagehide', tell);
