// Seeds are dragged into their order; the boxes with their numbers follow, and the form says the rest.

const list = document.querySelector('[data-seeds]');
list?.classList.add('drags');

function number() {
  list.querySelectorAll('input').forEach((box, place) => { box.value = place + 1; });
}

function under(line, y) {
  return [...list.children].find((one) => {
    const box = one.getBoundingClientRect();
    return one !== line && y >= box.top && y < box.bottom;
  });
}

list?.addEventListener('pointerdown', (event) => {
  const line = event.target.closest('.grip')?.parentElement;
  if (!line) return;
  event.preventDefault();
  list.setPointerCapture(event.pointerId);
  line.classList.add('dragged');
  const move = (at) => {
    const [other] = document.elementsFromPoint(at.clientX, at.clientY).map((one) => one.closest('.seed')).filter((one) => one && one !== line);
    const over = other || under(line, at.clientY);
    if (!over) return;
    const box = over.getBoundingClientRect();
    over[at.clientY > box.top + box.height / 2 ? 'after' : 'before'](line);
    number();
  };
  const drop = () => {
    line.classList.remove('dragged');
    list.removeEventListener('pointermove', move);
    list.removeEventListener('pointerup', drop);
    list.removeEventListener('pointercancel', drop);
  };
  list.addEventListener('pointermove', move);
  list.addEventListener('pointerup', drop);
  list.addEventListener('pointercancel', drop);
});
