import { strFromU8, unzipSync } from 'fflate';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { expect, it, onTestFinished } from 'vitest';
import { accountKeyId } from '../account-fixture.ts';
import { accountHost, accountKey, peerOf } from '../server/machine-in-account.ts';
import { builtin } from '../server/machine-resources.ts';
import { startOwnMachine } from '../server/own-machine.ts';
import { useApp } from './app.ts';
import { chooseFrom, copied, expectFirstBoxes, openConfiguration, panel } from './bench-page.ts';

const app = useApp();
const wrongKey = 'wr0ng-key';

/** All that the browser stores for the page, as text. */
const stored = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error!);
      });
    const rows: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name!));
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store);
        rows.push(await done(objects.getAll()), await done(objects.getAllKeys()));
      }
      database.close();
    }
    return JSON.stringify(rows);
  });

it('the key of a machine goes to its account service alone: into no address, log, storage, link, saved bench or error', async () => {
  const picture = new Uint8Array(await readFile(builtin('frames/sample1.jpg')));
  const own = await startOwnMachine({ image: () => picture, mediaType: 'image/jpeg' });
  onTestFinished(() => own.close());
  const { page } = await app.open({ mayCall: own.account.url, permissions: ['clipboard-read', 'clipboard-write'] });
  const seen: Record<string, string[]> = { addresses: [], log: [], shown: [] };
  const holders: string[] = []; // paths of requests that hold the key
  page.on('console', (message) => seen['log']!.push(message.text()));
  page.on('request', (request) => {
    seen['addresses']!.push(request.url(), JSON.stringify(request.headers()['referer'] ?? ''));
    if (request.postDataBuffer()?.includes(accountKey)) holders.push(new URL(request.url()).pathname);
  });
  await expectFirstBoxes(page);
  const source = panel(page, 'Source');
  await source.getByRole('tab', { name: 'Machine' }).click();
  const address = page.getByLabel('Address of a machine');
  await address.fill(peerOf(own.account.url));
  await source.getByText('The machine asks for a key').click();
  await source.getByLabel('Key id').fill(accountKeyId);
  await source.getByLabel('Key', { exact: true }).fill(wrongKey);
  await address.press('Enter');
  await source.getByText(/does not take this key: key \[key\] is not known/).waitFor();
  seen['shown']!.push(await page.locator('body').innerText());
  await source.getByLabel('Key', { exact: true }).fill(accountKey);
  await address.press('Enter');
  await source.getByText(`Connected to ${accountHost}`).waitFor();
  await source.getByText(/By WebRTC over the local network/).waitFor();
  seen['shown']!.push(await page.locator('body').innerText());

  const drawer = await openConfiguration(page);
  seen['link'] = [await copied(page, drawer.getByRole('button', { name: 'Copy link' }))];
  await page.keyboard.press('Escape');
  await chooseFrom(page, 'Main menu', 'Save or open a bench');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Save the bench' }).click(),
  ]);
  seen['bench'] = Object.values(unzipSync(await readFile(await download.path()))).map((bytes) =>
    strFromU8(bytes, true),
  );
  seen['stored'] = [await stored(page)];
  seen['addresses']!.push(page.url());

  expect(holders).toEqual(['/proto.rpc.v1.AuthService/Authenticate']);
  expect(seen['stored']![0]).toContain(accountKeyId); // what is remembered is read here
  expect(seen['bench']!.join()).toContain('"services"'); // and what is saved
  for (const [where, texts] of Object.entries(seen)) {
    for (const secret of [accountKey, wrongKey]) expect(texts.join('\n'), where).not.toContain(secret);
  }
});
