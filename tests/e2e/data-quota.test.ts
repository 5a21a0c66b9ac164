import { createGrpcWebTransport } from '@connectrpc/connect-node';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { authorizing, login } from '../clients/login.ts';
import { OperationRecord } from '../clients/operation-record.ts';
import { serveSightglass } from '../clients/sightglass-server.ts';
import { runSightglass } from '../server/run-sightglass.ts';
import { addServer } from './add-server.ts';
import { builtApp, launchPlainChromium, visit, type RunningApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { expectFirstBoxes } from './bench-page.ts';
import { openDataTab } from './open-data-tab.ts';

let app: RunningApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([builtApp(), launchPlainChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

async function serve() {
  const server = await serveSightglass();
  onTestFinished(() => server.close());
  const clients = await login(
    server,
    (authorization) =>
      createGrpcWebTransport({
        baseUrl: server.origin,
        httpVersion: '1.1',
        interceptors: [authorizing(authorization)],
      }),
    new OperationRecord(),
  );
  const setQuota = async (size: string): Promise<void> => {
    const argv = ['orgs', 'quota', server.organizationId, size, '--data', server.dataDir];
    expect(await runSightglass(argv)).toMatchObject({ code: 0, stderr: '' });
  };
  /** Fills the organization from elsewhere; resolves to the id of what it stored. */
  const fill = async (bytes: number): Promise<string> => {
    const { binaryDataId } = await clients.sync.dataCaptureUpload({
      metadata: { partId: server.partId, type: DataType.BINARY_SENSOR, fileName: 'filler.bin' },
      sensorContents: [{ data: { case: 'binary', value: new Uint8Array(bytes) } }],
    });
    return binaryDataId;
  };
  return { server, clients, setQuota, fill };
}

const storage = (page: Page) => page.getByRole('region', { name: 'Storage' });
const queue = (page: Page) => page.getByRole('region', { name: 'Queue', exact: true });

/** Looks at Settings anew, as somebody does who comes back to the page. */
async function openSettings(page: Page): Promise<void> {
  await openDataTab(page, 'Files');
  await openDataTab(page, 'Settings');
}

it('shows what a server stores and its quota, keeps what has no room, and sends it once there is', async () => {
  const { server, clients, setQuota, fill } = await serve();
  const filler = await fill(980_000);
  const { page, context, complaints } = await visit(browser, app.url, { mayCall: server.origin });
  onTestFinished(() => context.close());
  await expectFirstBoxes(page);
  await page.keyboard.press('k');
  await page.getByText('1 capture in this browser').waitFor();
  await page.goto(`${app.url}#/data/settings`);
  await storage(page)
    .getByText(/that this browser gives/)
    .waitFor();
  await addServer(page, server, 'Yard');

  await storage(page).getByText('980 kB stored: 1 file (980 kB) and 0 readings (0 B).').waitFor();
  await storage(page).getByText('The organization has no quota').waitFor();
  expect(await storage(page).getByRole('progressbar').count()).toBe(0);

  await setQuota('1MB');
  await openSettings(page);
  await storage(page).getByText('980 kB used of the 1.00 MB that the organization may store').waitFor();
  await storage(page).getByText('The quota is nearly used up: 20.0 kB are left.').waitFor();
  const bar = storage(page).getByRole('progressbar', { name: 'Quota used' });
  expect(await bar.getAttribute('aria-valuenow')).toBe('98');
  expect(await violations(page, 'a quota that is nearly used up')).toEqual([]);

  // A capture of more than 20 kB is refused, and waits.
  await openDataTab(page, 'Outbox');
  await page.getByRole('button', { name: 'Choose all' }).click();
  await page.getByLabel('Target').selectOption({ label: 'Yard' });
  await page.getByRole('button', { name: 'Send 1 capture' }).click();
  const waits = queue(page).getByRole('button', { name: /^again in/ });
  await waits.click();
  await page
    .getByRole('dialog')
    .getByText(/The organization stores 980 kB of its quota of 1 MB, and \d+ kB more do not fit\..*Delete data/)
    .waitFor();
  await page.keyboard.press('Escape');
  expect((await clients.data.binaryDataByFilter({ countOnly: true })).count).toBe(1n);

  await setQuota('900kB');
  await openSettings(page);
  await storage(page).getByText('The quota is used up: uploads are refused.').waitFor();
  await storage(page)
    .getByText(/What waits in the outbox is kept/)
    .waitFor();
  expect(await bar.getAttribute('aria-valuenow')).toBe('100');
  expect(await violations(page, 'a quota that is used up')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => sideways(page)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });

  // Deleting makes room at once, for what waits, too.
  await clients.data.deleteBinaryDataByIDs({ binaryDataIds: [filler] });
  await openDataTab(page, 'Outbox');
  const again = queue(page).getByRole('button', { name: /^Try .* again now$/ });
  // What waits may be tried again by itself at any moment: then nothing is left to press.
  await expect
    .poll(async () => {
      if (await again.isVisible()) await again.click({ timeout: 1000 }).catch(() => undefined);
      return (await clients.data.binaryDataByFilter({ countOnly: true })).count;
    })
    .toBe(1n);
  await openSettings(page);
  await storage(page)
    .getByText(/^\d+ kB\s+used of the 900 kB that the organization may store: 1 file/)
    .waitFor();
  expect(
    await storage(page)
      .getByText(/used up/)
      .count(),
  ).toBe(0);
  expect(complaints).toEqual([]);
});
