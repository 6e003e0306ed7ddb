// Every page: the light-dark switch without a reload, menus that close when one looks elsewhere, a nonce of one's own.

const root = document.documentElement;

document.addEventListener('submit', (event) => {
  if (!event.target.matches('[data-theme-form]')) return;
  event.preventDefault();
  const {value} = event.submitter;
  if (value) root.dataset.theme = value;
  else delete root.dataset.theme;
  const secure = location.protocol === 'https:' ? ';secure' : '';
  document.cookie = `bgmail_theme=${value};path=/;max-age=${value ? 31536000 : 0};samesite=lax${secure}`;
  for (const button of document.querySelectorAll('[data-theme-form] button')) button.setAttribute('aria-pressed', String(button.value === value));
});

// A form that begins a match carries a random number of this browser's own: it joins the dice.
document.addEventListener('submit', (event) => {
  if (!event.target.matches('[data-nonce]')) return;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  event.target.elements.nonce.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
});

document.addEventListener('click', (event) => {
  for (const menu of document.querySelectorAll('details.menu[open]')) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    menu.open = false;
    menu.querySelector('summary').focus();
  }
});
