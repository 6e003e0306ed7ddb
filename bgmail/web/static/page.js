// Every page: the light-dark switch without a reload, and menus that close when one looks elsewhere.

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
