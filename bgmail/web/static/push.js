// The settings of push: what this browser can do, and the switch. It asks for leave only after a click.

const card = document.querySelector('[data-push]'), {key, endpoint, action} = card.dataset;
const trouble = card.querySelector('[data-trouble]');

function say(when) {
  for (const part of card.querySelectorAll('[data-when]')) part.hidden = part.dataset.when !== when;
}

// Safari on a phone can, once the site is on its home screen.
function cannot() {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return '';
  return navigator.standalone === false ? 'home' : 'never';
}

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (sign) => sign.charCodeAt(0));

async function subscription() {
  const worker = await navigator.serviceWorker.getRegistration('/');
  return worker?.pushManager.getSubscription();
}

async function look() {
  const missing = cannot();
  if (missing) return say(missing);
  if (Notification.permission === 'denied') return say('denied');
  const known = endpoint && Notification.permission === 'granted' && (await subscription())?.endpoint === endpoint;
  return say(known ? 'on' : 'off');
}

async function subscribe() {
  await navigator.serviceWorker.register('/sw.js');
  const worker = await navigator.serviceWorker.ready;
  await (await worker.pushManager.getSubscription())?.unsubscribe();
  return worker.pushManager.subscribe({userVisibleOnly: true, applicationServerKey: bytes(key)});
}

async function tell(subscribed) {
  const {p256dh, auth} = subscribed.toJSON().keys;
  const csrf_token = document.querySelector('meta[name=csrf-token]').content;
  const body = new URLSearchParams({csrf_token, endpoint: subscribed.endpoint, p256dh, auth});
  return fetch(action, {method: 'POST', body});
}

async function switchOn() {
  if (await Notification.requestPermission() !== 'granted') return look();
  say('busy');
  let subscribed = null, said = '';
  try {
    subscribed = await subscribe();
    const answer = await tell(subscribed);
    if (answer.ok) return location.reload();
    if (answer.status === 422) said = await answer.text();
  } catch { /* said below */ }
  await subscribed?.unsubscribe().catch(() => false);
  say('off');
  trouble.textContent = said || trouble.dataset.words;
  trouble.hidden = false;
  return null;
}

card.querySelector('[data-switch]').addEventListener('click', switchOn);
look();
