import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { openDataClient, serviceWorkerReady, signedUrlOf, uploadBytes, uploadSample } from './data-client.ts';
import { servePlainly } from './plain-server.ts';
import { twentyGrays } from './test-media.ts';

interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly range: string | null;
  readonly byteLength: number;
  readonly text: string;
}

/** Fetches a URL from the page. Returns the text only of a short answer. */
function get(page: Page, url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return page.evaluate(
    async ([address, sent, how]) => {
      const answer = await fetch(address, { headers: sent, method: how });
      const bytes = await answer.arrayBuffer();
      return {
        status: answer.status,
        type: answer.headers.get('content-type'),
        range: answer.headers.get('content-range'),
        byteLength: bytes.byteLength,
        text: bytes.byteLength < 200 ? new TextDecoder().decode(bytes) : '',
      };
    },
    [url, headers, method] as const,
  );
}

/** The same URL with a valid signature and an expiry in the past, because a test cannot set the service worker's clock. */
function expired(page: Page, url: string): Promise<string> {
  return page.evaluate(async (address) => {
    const answered = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => (request.onsuccess = () => resolve(request.result)));
    const database = await answered(indexedDB.open('sightglass-data'));
    const secrets = database.transaction('installationSecrets').objectStore('installationSecrets');
    const secret = (await answered(secrets.get('signed-urls'))) as Uint8Array<ArrayBuffer>;
    database.close();
    const [origin, path] = address.split('/in-browser') as [string, string];
    const signed = path.replace(/expires=.*/, 'expires=1000');
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']);
    const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(signed)));
    const hex = Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return `${origin}/in-browser${signed}&signature=${hex}`;
  }, url);
}

const sampleBytes = 1_000_000; // every sample photograph is larger

describe('files of the browser, with the app in a folder of any host', () => {
  const app = useApp(() => servePlainly('/tools/sightglass/'));

  it('are served until they expire, whole and in ranges, and no changed byte of a link is taken; what lies beside the app is the host’s', async () => {
    const { page, context } = await app.open({ serviceWorker: true });
    await serviceWorkerReady(page);
    await page.waitForFunction(() => crossOriginIsolated); // on a plain host the page reloads once to become isolated
    await openDataClient(page);
    const id = await uploadSample(page);
    const url = await signedUrlOf(page, id);
    expect(url.startsWith(`${app.url}in-browser/data/signed/`)).toBe(true);
    const { sizeBytes, uri } = await page.evaluate(async (binaryDataId) => {
      const { data } = await pageData.client.data.binaryDataByIDs({ binaryDataIds: [binaryDataId] });
      const { fileSizeBytes, uri } = data[0]!.metadata!;
      return { sizeBytes: Number(fileSizeBytes), uri };
    }, id);
    expect(sizeBytes).toBeGreaterThan(sampleBytes / 10);

    // A new page that has not opened the data service.
    const other = await context.newPage();
    await other.goto(app.url);
    await page.close();
    const { status, type, byteLength } = await get(other, url);
    expect({ status, type, byteLength }).toEqual({ status: 200, type: 'image/jpeg', byteLength: sizeBytes });
    expect((await get(other, uri)).byteLength).toBe(sizeBytes); // the owner's own page needs no signature
    expect(uri).not.toBe(url);
    const part = await get(other, url, { range: 'bytes=10-19' });
    expect([part.status, part.range, part.byteLength]).toEqual([206, `bytes 10-19/${sizeBytes}`, 10]);
    expect((await get(other, url, { range: `bytes=${sizeBytes}-` })).status).toBe(416);
    const head = await get(other, url, {}, 'HEAD');
    expect([head.status, head.byteLength]).toEqual([200, 0]);
    expect((await get(other, url, {}, 'POST')).status).toBe(405);

    for (const at of [url.indexOf('signed/') + 8, url.indexOf('expires=') + 9, url.length - 1]) {
      const changed = url.slice(0, at) + (url[at] === '1' ? '2' : '1') + url.slice(at + 1);
      expect((await get(other, changed)).status, changed).toBe(403);
    }
    const late = await get(other, await expired(other, url));
    expect([late.status, late.text]).toEqual([410, 'This URL has expired; ask for a new one.\n']);

    await openDataClient(other);
    await other.evaluate(
      (binaryDataId) => pageData.client.data.deleteBinaryDataByIDs({ binaryDataIds: [binaryDataId] }),
      id,
    );
    expect((await get(other, url)).status).toBe(404);

    // The service worker does not answer a navigation to an address beside the app: the host does.
    const visit = await context.newPage();
    const answer = await visit.goto(`${app.url}sw.js`);
    expect(answer?.headers()['content-type']).toMatch(/^text\/javascript/);
  });
});

describe('files of the browser, with the app at the root of its host', () => {
  const app = useApp();

  it('play as a film of the page and in a tab of its own, from wherever one seeks to', async () => {
    const { page, context } = await app.open({ serviceWorker: true });
    await serviceWorkerReady(page);
    await page.waitForFunction(() => crossOriginIsolated);
    await openDataClient(page);
    const id = await uploadBytes(page, 'grays.webm', 'video/webm', readFileSync(twentyGrays));
    const url = await signedUrlOf(page, id);
    const shown = await context.newPage();
    await shown.goto(url);
    await page.evaluate((src) => document.body.append(Object.assign(document.createElement('video'), { src })), url);
    for (const tab of [page, shown]) {
      await tab.bringToFront(); // browsers do not decode videos in background tabs
      const film = tab.locator(tab === page ? `video[src="${url}"]` : 'video');
      await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBe(64);
      // Poll, because the browser's own video page runs no script that could listen to events.
      await film.evaluate((video: HTMLVideoElement) => {
        video.pause();
        video.currentTime = 1.2;
      });
      const place = () => film.evaluate((video: HTMLVideoElement) => [video.seeking, video.currentTime]);
      await expect.poll(place).toEqual([false, 1.2]);
    }
  });
});
