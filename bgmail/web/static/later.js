// What the page of a match can do without at first comes once it stands: the replay where there is one, the notes.

const root = document.documentElement;

function come() {
  if (document.querySelector('[data-film]') && !root.dataset.came) {
    root.dataset.came = 'yes';
    document.head.append(Object.assign(document.createElement('link'), {rel: 'stylesheet', href: document.querySelector('[data-looks]').dataset.looks}));
    import('./replay.js').catch(() => { delete root.dataset.came; });  // left, or no connection: tried again with the next news
  }
}

document.addEventListener('page:swapped', come);
if (document.readyState === 'complete') come();
else addEventListener('load', come);

document.addEventListener('focusin', (event) => { if (event.target.closest('[data-note]')) import('./notes.js').catch(() => { /* the form works without */ }); });

document.addEventListener('board:laid', (event) => { import('./sketch.js').then(({keep}) => keep(event.detail)).catch(() => { /* it is only kept on this page then */ }); });
