import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { featuresOffFlag } from '../../scripts/chromium.ts';
import { useApp } from './app.ts';
import { openDataClient, uploadSample } from './data-client.ts';
import { openDataTab } from './open-data-tab.ts';

// Without this flag Chromium 156 reports a static quota, 10 GiB above the usage, instead of the one that the test sets.
const app = useApp(undefined, () => [featuresOffFlag('StaticStorageQuota')]);
const resourceExhausted = 8;
const unavailable = 14;

/** Uploads random bytes; resolves to 0, or to the Connect code of the error. */
function upload(page: Page, byteLength: number): Promise<number> {
  return page.evaluate(async (length) => {
    const { client, home } = pageData;
    const contents = new Uint8Array(length);
    for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(contents.subarray(at, at + 65_536));
    async function* packets() {
      const metadata = { partId: home.partId, fileName: 'noise.bin', type: 3, fileExtension: '.bin' } as const;
      yield { uploadPacket: { case: 'metadata' as const, value: metadata } };
      for (let at = 0; at < length; at += 65_536) {
        const data = contents.slice(at, at + 65_536);
        yield { uploadPacket: { case: 'fileContents' as const, value: { data } } };
      }
    }
    return client.sync.fileUpload(packets()).then(
      () => 0,
      (error: { code: number }) => error.code,
    );
  }, byteLength);
}

/** The numbers of stored rows and blobs. */
function kept(page: Page): Promise<{ rows: number; blobs: number }> {
  return page.evaluate(async () => {
    const answered = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => (request.onsuccess = () => resolve(request.result)));
    const database = await answered(indexedDB.open('sightglass-data'));
    const stores = database.transaction(['binary', 'blobs']);
    const [rows, blobs] = await Promise.all([
      answered(stores.objectStore('binary').count()),
      answered(stores.objectStore('blobs').count()),
    ]);
    database.close();
    return { rows, blobs };
  });
}

describe('a full disk', () => {
  it('refuses what does not fit, keeps nothing of it, warns before, and takes more when there is room again', async () => {
    // Open a page without storage first, because the browser caches the quota for a while after the first use.
    const { page, context } = await app.open({ path: 'docs/glossary.html' });
    const browser = await context.newCDPSession(page);
    const { origin } = new URL(app.url);
    await browser.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 5_000_000 });
    await page.goto(`${app.url}#/data/outbox`);
    await openDataClient(page);
    await uploadSample(page);
    expect(await upload(page, 4_400_000)).toBe(0);
    await expect
      .poll(() => page.evaluate(async () => (await navigator.storage.estimate()).usage!))
      .toBeGreaterThan(4e6);
    expect(await upload(page, 20_000_000)).toBe(resourceExhausted);
    expect(await kept(page)).toEqual({ rows: 2, blobs: 2 });

    await openDataTab(page, 'Pipelines');
    await page.getByText('The storage of this browser is nearly full').waitFor();
    await openDataTab(page, 'Settings');
    await page.getByText(/The storage is nearly full: .* are left\./).waitFor();

    await browser.send('Storage.overrideQuotaForOrigin', { origin });
    expect(await upload(page, 20_000_000)).toBe(0);
    expect(await kept(page)).toEqual({ rows: 3, blobs: 3 });
  });
});

describe('a newer version in another tab', () => {
  it('gets the data at once; the older one says to reload', async () => {
    const { page, context } = await app.open({ path: '#/data/outbox' });
    await openDataClient(page);
    await uploadSample(page);
    const newer = await context.newPage();
    await newer.goto(app.url);
    // The upgrade would block for ever if a page kept its connection to the older version.
    await newer.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('sightglass-data', 50);
          opening.onsuccess = () => resolve(opening.result.close());
        }),
    );
    const answer = await page.evaluate(() =>
      pageData.client.data.tagsByFilter({}).then(
        () => null,
        (error: { code: number; rawMessage: string }) => [error.code, error.rawMessage] as const,
      ),
    );
    expect(answer).toEqual([unavailable, expect.stringContaining('reload this page')]);
    await openDataTab(page, 'Datasets');
    await page.getByRole('alert').getByText('reload this page').waitFor();
  });
});
