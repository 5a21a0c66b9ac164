import { createGrpcWebTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Browser, Page } from 'playwright';
import { authorizing, login } from '../clients/login.ts';
import { OperationRecord } from '../clients/operation-record.ts';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';
import { builtApp, launchChromium, visit, type RunningApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { expectFirstBoxes } from './bench-page.ts';

let app: RunningApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([builtApp(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

function clientsOf(server: SightglassServer) {
  const transport = (authorization: string | null) =>
    createGrpcWebTransport({ baseUrl: server.origin, httpVersion: '1.1', interceptors: [authorizing(authorization)] });
  return login(server, transport, new OperationRecord());
}

async function storedOn(server: SightglassServer) {
  const { data } = await clientsOf(server);
  return data.binaryDataByFilter({ dataRequest: { limit: 50n }, includeBinary: false });
}

async function captureSamples(page: Page, count: number): Promise<void> {
  await expectFirstBoxes(page);
  for (let at = 1; at <= count; at++) {
    await page.keyboard.press('k');
    await page.getByText(`${at} ${at === 1 ? 'capture' : 'captures'} in this browser`).waitFor();
    if (at === count) return;
    const results = page.getByRole('region', { name: 'Results' }).locator('tbody');
    const before = await results.innerText();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => results.innerText()).not.toBe(before); // the next frame is on the stage
  }
}

const outbox = (page: Page) => page.getByRole('region', { name: 'Queue', exact: true });
const counts = (page: Page, state: string) =>
  outbox(page)
    .getByRole('group', { name: 'Entries to list' })
    .getByRole('button', { name: state })
    .locator('b')
    .innerText();

async function addServer(page: Page, server: SightglassServer): Promise<void> {
  await page.getByRole('button', { name: 'Add a server to send to' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill(server.origin);
  await dialog.getByLabel('Name').fill('Yard');
  await dialog.getByLabel('Part id').fill(server.partId);
  await dialog.getByLabel('Key id').fill(server.keyId);
  await dialog.getByLabel('Key', { exact: true }).fill('wrong');
  await dialog.getByRole('button', { name: 'Check the connection' }).click();
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByLabel('Keep the key, encrypted').isChecked()).toBe(false);
  // as it is copied out of a terminal
  await dialog.getByLabel('Key', { exact: true }).fill(` ${server.key} `);
  await dialog.getByRole('button', { name: 'Check the connection' }).click();
  await dialog.getByRole('status').getByText('answers and accepts the key').waitFor();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

describe('the outbox', () => {
  it('asks for a key that was not to be kept once the last tab was closed, and sends each capture once, with answers lost, the network cut and the page reloaded', async () => {
    const server = await serveSightglass();
    onTestFinished(() => server.close());
    const uploads = `${server.origin}/**/DataCaptureUpload`;
    const { page: earlier, context } = await visit(browser, app.url, { serviceWorker: true });
    onTestFinished(() => context.close());
    await captureSamples(earlier, 2);
    await earlier.goto(`${app.url}#/data/outbox`);
    await addServer(earlier, server);
    await earlier.close();

    const page = await context.newPage();
    await page.goto(`${app.url}#/data/outbox`);
    // The server stores the first capture, but its answer is lost.
    let lost = 0;
    await page.route(uploads, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      if (lost++ === 0) await route.fetch();
      return route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Choose all' }).click();
    await page.getByLabel('Target').selectOption({ label: 'Yard' });
    await page.getByLabel('Tags to add').fill('yard');
    await page.getByRole('button', { name: 'Send 2 captures' }).click();
    await outbox(page)
      .getByText(/waits for a key/)
      .first()
      .waitFor();
    expect(lost).toBe(0);
    await page.getByRole('group', { name: 'Key of Yard' }).getByLabel('Key', { exact: true }).fill(server.key);
    await page.getByRole('button', { name: 'Enter the key' }).click();
    await outbox(page)
      .getByText(/^again in/)
      .first()
      .waitFor();
    expect(lost).toBe(1);
    expect((await storedOn(server)).data).toHaveLength(1);
    expect(await violations(page, 'an outbox that waits')).toEqual([]);
    await outbox(page)
      .getByRole('button', { name: /^again in/ })
      .first()
      .click();
    const why = page.getByRole('dialog');
    await why.getByText(/^Check the address/).waitFor();
    await why.getByText(/^Tried once/).waitFor();
    expect(await violations(page, 'why something waits')).toEqual([]);
    await page.keyboard.press('Escape');
    await why.waitFor({ state: 'detached' });

    await page.unroute(uploads);
    await page.reload();
    // The key was not stored on the disk, but it is still in memory in this visit, so it need not be given again.
    const again = outbox(page).getByRole('button', { name: /^Try .* again now$/ });
    await again.first().click();
    // Each capture is also stored in this browser's data.
    await expect.poll(() => counts(page, 'sent')).toBe('4');

    const { data, count } = await storedOn(server);
    expect(count).toBe(2n);
    const seen = data.map(({ metadata }) => ({
      name: metadata!.fileName.split('/').at(-1),
      tags: metadata!.captureMetadata!.tags,
      boxes: metadata!.annotations!.bboxes.length > 0,
    }));
    expect(seen.toSorted((a, b) => a.name!.localeCompare(b.name!))).toEqual(
      ['sample1.jpg', 'sample2.jpg'].map((name) => ({ name, tags: ['yard'], boxes: true })),
    );

    // Sending the same captures again queues nothing.
    await page.getByRole('button', { name: 'Choose all' }).click();
    await page.getByLabel('Tags to add').fill('yard');
    await page.getByRole('button', { name: 'Send 2 captures' }).click();
    await page.getByText('Nothing new to send.').first().waitFor();
  });

  it('brings captures and their corrected boxes into the data of this browser by itself, and into a dataset that is chosen or made on a server, also while it does not answer', async () => {
    const server = await serveSightglass();
    onTestFinished(() => server.close());
    const { datasets } = await clientsOf(server);
    const { organizationId } = server;
    for (const name of ['cups', 'saucers']) await datasets.createDataset({ name, organizationId });
    const { page, context, complaints } = await visit(browser, app.url, { serviceWorker: true });
    onTestFinished(() => context.close());
    await captureSamples(page, 1);
    await page.goto(`${app.url}#/data/outbox`);
    const capture = page.getByRole('listbox', { name: 'Captures, newest first' }).getByRole('option');
    // Boxes that are corrected before sending are part of the same entry.
    await expect.poll(() => counts(page, 'sent')).toBe('1');
    await capture.first().click();
    await page.getByRole('button', { name: 'Correct boxes' }).click();
    const boxes = page.getByRole('region', { name: 'Boxes' });
    await boxes.getByText('face').first().waitFor();
    await boxes.getByText('face').first().click();
    await page.keyboard.press('Delete');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.goBack();

    await expect.poll(() => counts(page, 'sent')).toBe('2');
    expect(await violations(page, 'an outbox that has sent')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('tab', { name: 'Outbox' }).click();
    await expect.poll(() => sideways(page)).toBe(0);
    expect(await violations(page, 'an outbox on a phone')).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });

    await addServer(page, server);

    // Do everything by keyboard.
    const opener = page.getByRole('button', { name: /^Dataset: / });
    const dialog = page.getByRole('dialog', { name: 'Dataset on Yard' });
    const there = dialog.getByRole('list', { name: 'Datasets on Yard' }).getByRole('button');
    await opener.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => there.allInnerTexts()).toEqual(['None', 'cups', 'saucers']);
    expect(await violations(page, 'the datasets of a server')).toEqual([]);
    await page.keyboard.type('SAU');
    await expect.poll(() => there.allInnerTexts()).toEqual(['saucers']);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await opener.getByText('saucers').waitFor();

    const asked = `${server.origin}/**/ListDatasetsByOrganizationID`;
    await page.route(asked, (route) => route.abort('connectionreset'));
    await opener.click();
    await dialog.getByText('saucers stays chosen.').waitFor();
    expect(await violations(page, 'a server that does not answer')).toEqual([]);
    await page.unroute(asked);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('button', { name: 'saucers', pressed: true }).waitFor();
    await dialog.getByLabel('Search the datasets').fill('yard cups');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await opener.getByText('yard cups').waitFor();

    await page.getByRole('button', { name: 'Choose all' }).click();
    await page.getByRole('button', { name: 'Send 1 capture' }).click();
    await expect.poll(() => counts(page, 'sent')).toBe('3');
    const made = await datasets.listDatasetsByOrganizationID({ organizationId });
    const { id } = made.datasets.find(({ name }) => name === 'yard cups')!;
    expect((await storedOn(server)).data.map(({ metadata }) => metadata!.datasetIds)).toEqual([[id]]);
    const meant = [` ${server.origin}/`, 'Failed to load resource: net::ERR_CONNECTION_RESET'];
    expect(complaints.filter((complaint) => !meant.some((words) => complaint.includes(words)))).toEqual([]);

    // What is in this browser is a link away.
    await outbox(page).getByRole('link').first().click();
    await page.waitForURL(/#\/data\/images\/./);
  });
});
