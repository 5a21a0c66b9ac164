import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { checkAtBothSizes } from './axe.ts';
import { expectFirstBoxes } from './bench-page.ts';
import { openDataClient, signedUrlOf, uploadSample } from './data-client.ts';
import { openDataTab } from './open-data-tab.ts';

const app = useApp();

describe('the data area', () => {
  it('costs the bench nothing until it is opened, leaves it as it was, comes back to its tab without the runtime of models, and gives way to a shared configuration', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    const fetched = () =>
      page.evaluate(
        () =>
          performance
            .getEntriesByType('resource')
            .filter(({ name }) => /DataArea|data-client|data-service|Tab-/.test(name)).length,
      );
    expect(await fetched()).toBe(0);
    const stage = () => page.locator('main canvas').first().boundingBox();
    const before = await stage();
    const menu = page.getByRole('button', { name: 'Main menu' });
    const menuBefore = await menu.boundingBox();

    await page.locator('h1').click();
    await page.keyboard.press('b');
    await page.getByRole('navigation', { name: 'Data' }).waitFor();
    expect(new URL(page.url()).hash).toMatch(/^#\/data/);
    expect(await fetched()).toBeGreaterThan(0);
    await expect.poll(() => menu.boundingBox()).toEqual(menuBefore);
    await page.getByRole('region', { name: 'Results' }).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowRight'); // on the bench: the next frame
    await page.keyboard.press('b'); // to the evaluation; the next press goes to the bench
    await page.getByText('Find out what your thresholds do').waitFor();
    await page.keyboard.press('b');
    await expectFirstBoxes(page);
    await expect.poll(stage).toEqual(before);
    await page.goBack();
    await page.goBack();
    await page.getByRole('navigation', { name: 'Data' }).waitFor();

    await openDataTab(page, 'Settings');
    await page.getByRole('heading', { name: 'Storage' }).waitFor();
    await page.goto(app.url);
    await page.reload(); // needed for a new visit, because only the hash of the address has changed
    await page.getByRole('heading', { name: 'Storage' }).waitFor();
    const runsModels = () => page.workers().some((worker) => worker.url().includes('/vision-'));
    expect(runsModels()).toBe(false);
    await page.goto(`${app.url}#config=unreadable`);
    await page.getByRole('region', { name: 'Stage' }).waitFor();
    await expect.poll(runsModels).toBe(true);
    await page.getByRole('heading', { name: 'Storage' }).waitFor({ state: 'detached' });
  });

  it('passes axe, keeps what was uploaded for a reload and for every tab, says how much there is, offers no links without a service worker, and is started by a pipeline', async () => {
    const { page, context } = await app.open({ path: '#/data/settings' });
    const usedText = page.getByText(/used of the/);
    await usedText.waitFor();
    await checkAtBothSizes(page, 'Settings');
    await openDataTab(page, 'Outbox');
    await page.getByRole('region', { name: 'Outbox' }).getByText(/./).first().waitFor();
    await checkAtBothSizes(page, 'Outbox');
    await openDataTab(page, 'Settings');
    await page.getByText('This browser allows no service worker here').waitFor();
    await openDataClient(page);
    const id = await uploadSample(page);
    expect(await signedUrlOf(page, id)).toMatch(/\/in-browser\/data\/signed\/local\/local\/.*expires=/);
    await page.reload();
    await openDataClient(page);
    const other = await context.newPage();
    await other.goto(`${app.url}#/data/images`);
    await openDataClient(other);
    for (const tab of [page, other]) {
      const names = await tab.evaluate(async () => {
        const { data } = await pageData.client.data.binaryDataByFilter({ includeBinary: false });
        return data.map(({ metadata }) => metadata?.fileName);
      });
      expect(names).toEqual(['sample1.jpg']);
    }
    expect(id).toMatch(/^local\/local\//);
    await expect.poll(async () => await usedText.innerText()).toMatch(/[kM]B used of the .*[GT]B/);

    // A pipeline starts the data service of a page that shows the bench alone.
    const working = (tab: Page) => tab.workers().some((worker) => worker.url().includes('data-service'));
    await page.evaluate(() =>
      pageData.client.pipelines.createDataPipeline({
        organizationId: pageData.home.organizationId,
        name: 'nightly',
        schedule: '0 3 * * *',
        mqlBinary: [Uint8Array.of(17, 0, 0, 0, 16, 36, 108, 105, 109, 105, 116, 0, 1, 0, 0, 0, 0)], // {$limit: 1}
        enableBackfill: true,
      }),
    );
    const bench = await context.newPage();
    await bench.goto(app.url + '#/bench');
    expect(working(bench)).toBe(false); // the bench starts this worker only some seconds later, after its first boxes
    await other.close();
    await page.close();
    await expectFirstBoxes(bench);
    await expect.poll(() => working(bench)).toBe(true);
  });
});

describe('a link to a file', () => {
  it('shows the picture in a tab of its own, also when the app is open nowhere', async () => {
    const { page, context } = await app.open({ path: '#/data/settings', serviceWorker: true });
    await page.getByText('Links work here').or(page.getByText('still being installed')).waitFor();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await openDataClient(page);
    const url = await signedUrlOf(page, await uploadSample(page));
    const shown = await context.newPage();
    await page.close();
    await shown.goto(url);
    expect(await shown.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1920);
  });
});
