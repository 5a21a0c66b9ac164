import { readdirSync } from 'node:fs';
import type { Page } from 'playwright';
import { build } from 'vite';
import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import './page-data-client.ts';

let script: Promise<string> | undefined;

/** Builds the app's typed client as a script, so that tests can call the public operations independently of the views. */
async function buildClient(): Promise<string> {
  const lib = { entry: 'tests/e2e/page-data-client.ts', formats: ['iife' as const], name: 'ignored' };
  const built = await build({ configFile: false, publicDir: false, logLevel: 'silent', build: { write: false, lib } });
  return (built as unknown as { output: { code: string }[] }[])[0]!.output[0]!.code;
}

/** Adds `pageData` to the page: a client with a separate worker on the same data. Call it again after every page load. */
export async function openDataClient(page: Page): Promise<void> {
  const workers = readdirSync('dist/assets').filter((name) => /^data-service-.*\.js$/.test(name));
  await page.evaluate(await (script ??= buildClient()));
  await page.evaluate((path) => openPageData(path), `assets/${workers[0]!}`);
}

/** Uploads one of the built-in samples; resolves to its id. */
export function uploadSample(page: Page, fileName = 'sample1.jpg'): Promise<string> {
  return page.evaluate(
    async ([name, type]) => {
      const { client, home } = pageData;
      const answer = await fetch(`builtin/frames/${name}`);
      if (answer.headers.get('content-type') !== 'image/jpeg') throw new Error(`There is no sample ${name}.`);
      const { binaryDataId } = await client.sync.dataCaptureUpload({
        metadata: { partId: home.partId, fileName: name, type, fileExtension: '.jpg' },
        sensorContents: [{ data: { case: 'binary', value: new Uint8Array(await answer.arrayBuffer()) } }],
      });
      return binaryDataId;
    },
    [fileName, DataType.BINARY_SENSOR] as const,
  );
}

/** Uploads bytes with a file name and a media type; resolves to the id. */
export function uploadBytes(page: Page, fileName: string, mimeType: string, bytes: Uint8Array): Promise<string> {
  return page.evaluate(
    async ([name, mimeType, base64, type]) => {
      const { client, home } = pageData;
      const value = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const { binaryDataId } = await client.sync.dataCaptureUpload({
        metadata: { partId: home.partId, fileName: name, type, mimeType },
        sensorContents: [{ data: { case: 'binary', value } }],
      });
      return binaryDataId;
    },
    [fileName, mimeType, Buffer.from(bytes).toString('base64'), DataType.BINARY_SENSOR] as const,
  );
}

/** A signed URL of stored data. */
export function signedUrlOf(page: Page, binaryDataId: string): Promise<string> {
  return page.evaluate(async (id) => {
    const { signedUrl } = await pageData.client.data.createBinaryDataSignedURL({ binaryDataId: id });
    return signedUrl;
  }, binaryDataId);
}

/** Waits until the service worker controls the page. */
export function serviceWorkerReady(page: Page): Promise<unknown> {
  return page.waitForFunction(() => navigator.serviceWorker?.controller !== null);
}
