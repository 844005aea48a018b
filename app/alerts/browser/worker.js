// Shows a push as a notification; a repeat has the same tag and replaces the first.
self.addEventListener("push", (event) => {
  const told = event.data ? event.data.json() : { title: "tapewatch", body: "", tag: "", url: "" };
  event.waitUntil(self.registration.showNotification(told.title, { body: told.body, tag: told.tag, data: told.url }));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = event.notification.data;
  if (/^https?:\/\//.test(url)) event.waitUntil(self.clients.openWindow(url));
});
