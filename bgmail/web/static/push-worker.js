// Shows what was pushed to this browser, and opens its match on a click. It keeps nothing and stands before no page.

self.addEventListener('install', () => self.skipWaiting());

function read(data) {
  try { return data.json(); } catch { return {}; }
}

self.addEventListener('push', (event) => {
  const told = event.data ? read(event.data) : {};
  const tag = told.tag || 'bgmail';
  event.waitUntil(self.registration.showNotification(told.title || 'bgmail', {
    body: told.body || '',
    tag,
    renotify: true,
    lang: told.lang || '',
    icon: '/static/icon.png',
    badge: '/static/badge.png',
    data: {link: told.link || '/'},
  }));
});

// A link leads to a page of this site, whatever it says.
function place(link) {
  const url = new URL(link, self.location.origin);
  return url.origin === self.location.origin ? url : new URL('/', self.location.origin);
}

async function open(link) {
  const url = place(link), windows = await self.clients.matchAll({type: 'window', includeUncontrolled: true});
  const there = windows.find((one) => new URL(one.url).pathname === url.pathname);
  return there ? there.focus() : self.clients.openWindow(url.href);
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.link));
});

// Push services move browsers now and then: the one before shows that it is the same.
async function move(event) {
  const before = event.oldSubscription;
  if (!before) return;
  const now = event.newSubscription || await self.registration.pushManager.subscribe(before.options);
  const {p256dh, auth} = now.toJSON().keys;
  const body = new URLSearchParams({before: before.endpoint, endpoint: now.endpoint, p256dh, auth});
  await fetch('/settings/push/moved', {method: 'POST', body});
}

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(move(event)));
