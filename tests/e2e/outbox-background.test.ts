import { expect, it, onTestFinished } from 'vitest';
import { serveForTest } from '../../src/server/test-server.ts';
import { outboxSyncTag } from '../../src/platform/browser/outbox/background-sync.ts';
import { builtApp, launchChromium } from './app.ts';
import { serviceWorkerReady } from './data-client.ts';
import { openPageOutbox } from './open-page-outbox.ts';

it('goes on in the service worker, with the key that was kept', async () => {
  const { origin: url, service } = await serveForTest();
  const app = await builtApp();
  onTestFinished(app.close);
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(app.url);
  await serviceWorkerReady(page);
  const cdp = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [mine] = registrations.filter(({ scopeURL }) => scopeURL === app.url);
      if (mine) resolve(mine.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const registrationId = await registered;

  await openPageOutbox(page);
  const { id: keyId, secret: key } = service.keys.operator;
  await page.evaluate((server) => queueFrame(server), { url, keyId, key, partId: 'lab-part' });
  const { origin } = new URL(app.url);
  await cdp.send('ServiceWorker.dispatchSyncEvent', { origin, registrationId, tag: outboxSyncTag, lastChance: false });
  // how many are sent is not asked: the page files what it finds captured in this browser, too, as soon as it is idle
  await expect.poll(() => page.evaluate(() => outboxCounts())).toMatchObject({ waiting: 0, sending: 0, failed: 0 });
  const { count } = await service.owner.data.binaryDataByFilter({ countOnly: true });
  expect(count).toBe(1n);
});
