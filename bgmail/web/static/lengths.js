// The lengths on offer are those of the rules that are chosen. While nobody has named one, the usual is shown as they have it; one that somebody named stays.

const rules = document.querySelector('#rules');
const length = document.querySelector('#length');
const changed = document.querySelector('#own-lengths');
const usual = Number(length.dataset.usual);

function offered() {
  const odd = (one) => one % 2 === 1 && one < 16;
  if (changed.value && changed.value !== 'this') return changed.value === 'odd' ? odd : () => true;
  const {lengths} = rules.selectedOptions[0].dataset;
  return lengths ? (one) => lengths.split(' ').includes(String(one)) : () => true;
}

function follow() {
  const isOffered = offered();
  const near = Array.from({length: 25}, (_, place) => place + 1).filter(isOffered).sort((one, other) => Math.abs(one - usual) - Math.abs(other - usual) || one - other)[0] ?? usual;
  if (length.options) choices(isOffered, near);
  else length.placeholder = near;
}

function choices(isOffered, near) {
  const says = length.querySelector(`[value="${near}"]`)?.text ?? String(near);
  for (const one of length.options) {
    if (one.dataset.says) one.text = one.dataset.says.replace('{match}', says[0].toLowerCase() + says.slice(1));
    else one.hidden = one.disabled = changed.value !== 'this' && !one.selected && !isOffered(Number(one.value));
  }
}

for (const one of [rules, length, changed]) one.addEventListener('change', follow);
follow();
