import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser } from 'playwright';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';
import { builtApp, launchPlainChromium, visit, type RunningApp } from './app.ts';
import { violations } from './axe.ts';
import { openDataTab } from './open-data-tab.ts';

let server: SightglassServer;
let app: RunningApp;
let browser: Browser;
beforeAll(async () => {
  [server, app, browser] = await Promise.all([serveSightglass(), builtApp(), launchPlainChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([server?.close(), app?.close()]);
});

it('shows the data of a server, keeps its key over a reload, asks for it in a later visit, and goes back to this browser', async () => {
  const { page: firstPage, context, complaints } = await visit(browser, app.url, { path: '#/data/settings' });
  let page = firstPage;
  await page.getByRole('button', { name: 'Add a server' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Address' }).fill(server.origin);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Workshop');
  await dialog.getByRole('textbox', { name: 'Part id' }).fill(server.partId);
  await dialog.getByRole('textbox', { name: 'Key id' }).fill(server.keyId);
  await dialog.getByLabel('Key', { exact: true }).fill(server.key);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  // The server has no data yet, so the organization comes from the key's token.
  await page.getByText(server.organizationId, { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Data of Workshop' }).waitFor();

  // A file upload is a stream of messages; a page can only send it as one request body.
  await openDataTab(page, 'Files');
  const chooser = page.waitForEvent('filechooser');
  await page
    .getByRole('button', { name: /Import/ })
    .first()
    .click();
  await (await chooser).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('dusk') });
  await page.getByText('notes.txt').first().waitFor();

  await openDataTab(page, 'Query');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('No readings are stored here yet').waitFor();

  await page.reload();
  await openDataTab(page, 'Files');
  await page.getByText('notes.txt').first().waitFor();

  const later = await context.newPage();
  await page.close();
  await later.goto(`${app.url}#/data/files`);
  page = later;
  await page.getByText('The key of Workshop was not kept.').waitFor();
  expect(await violations(page, 'Key wanted')).toEqual([]);
  await page.getByLabel('Key', { exact: true }).fill('a wrong key');
  await page.getByRole('button', { name: 'Use the key' }).click();
  await page.getByText('Workshop does not accept the key.').waitFor();
  await page.getByLabel('Key', { exact: true }).fill(server.key);
  await page.getByRole('button', { name: 'Use the key' }).click();
  await openDataTab(page, 'Files');
  await page.getByText('notes.txt').first().waitFor();

  await page.getByRole('link', { name: 'Data of Workshop' }).click();
  await page.getByRole('radio', { name: /^This browser/ }).check();
  await openDataTab(page, 'Files');
  await page.getByRole('link', { name: 'Data of This browser' }).waitFor();
  await expect.poll(() => page.getByText('notes.txt').count()).toBe(0);
  // The key is not stored as text where scripts could read it.
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(kept).not.toContain(server.key);
  expect(complaints.filter((complaint) => !complaint.startsWith(`third party: ${server.origin}/`))).toEqual([]);
  await context.close();
});
