// The form for boards: each choice is shown on the sample at once, and kept by Save alone.

const form = document.querySelector('[data-boards]');
const sample = form.querySelector('[data-sample]');
let asked = 0;

form.addEventListener('change', async () => {
  const mine = ++asked;
  const answer = await fetch(`${form.dataset.boards}?${new URLSearchParams(new FormData(form))}`).catch(() => null);
  if (answer?.ok && mine === asked) sample.innerHTML = await answer.text();
});
