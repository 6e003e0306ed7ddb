// What the page of a match can do without at first comes once it stands: the replay where there is one, the notes.

const root = document.documentElement;

// A press of the replay's buttons while they are still being fetched: done once they are there.
let early = null;

document.addEventListener('click', (event) => { if (root.dataset.came !== 'here') early = event.target.closest('[data-replay] [data-to]')?.dataset.to ?? early; });

function here() {
  root.dataset.came = 'here';
  document.querySelector(`[data-replay] [data-to="${early}"]`)?.click();
}

function come() {
  if (document.querySelector('[data-film]') && !root.dataset.came) {
    root.dataset.came = 'yes';
    document.head.append(Object.assign(document.createElement('link'), {rel: 'stylesheet', href: document.querySelector('[data-looks]').dataset.looks}));
    import('./replay.js').then(here).catch(() => { delete root.dataset.came; });  // left, or no connection: tried again with the next news
  }
}

document.addEventListener('page:swapped', come);
if (document.readyState === 'complete') come();
else addEventListener('load', come);

document.addEventListener('focusin', (event) => { if (event.target.closest('[data-note]')) import('./notes.js').catch(() => { /* the form works without */ }); });

document.addEventListener('board:laid', (event) => { import('./sketch.js').then(({keep}) => keep(event.detail)).catch(() => { /* it is only kept on this page then */ }); });
