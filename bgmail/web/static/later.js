// What the page of a match can do without at first comes once it stands: the replay where there is one, the notes.

const root = document.documentElement;

// A press of the replay's buttons while they are still being fetched: done once they are there.
let early = null;

document.addEventListener('click', (event) => { if (root.dataset.came !== 'here') early = event.target.closest('[data-replay] [data-to]')?.dataset.to ?? early; });

function dressed() {
  const {looks: href} = document.querySelector('[data-looks]').dataset;
  return new Promise((onload, onerror) => { document.head.append(Object.assign(document.createElement('link'), {rel: 'stylesheet', href, onload, onerror})); });
}

function here([replay]) {
  replay.start();
  root.dataset.came = 'here';
  document.querySelector(`[data-replay] [data-to="${early}"]`)?.click();
}

function come() {
  if (document.querySelector('[data-film]') && !root.dataset.came) {
    root.dataset.came = 'yes';
    Promise.all([import('./replay.js'), dressed()]).then(here).catch(() => { delete root.dataset.came; });  // left, or no connection: tried again with the next news
  }
}

document.addEventListener('page:swapped', come);
if (document.readyState === 'complete') come();
else addEventListener('load', come);

document.addEventListener('focusin', (event) => { if (event.target.closest('[data-note]')) import('./notes.js').catch(() => { /* the form works without */ }); });

// One promise for all: of two imports at once the later may be answered first, and the older play would be the one kept.
let sketch = null;

document.addEventListener('board:laid', ({detail}) => {
  sketch ??= import('./sketch.js');
  sketch.then(({keep}) => keep(detail)).catch(() => { sketch = null; /* it is only kept on this page then */ });
});
