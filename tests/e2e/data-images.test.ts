import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { checkAtBothSizes } from './axe.ts';
import { openDataClient } from './data-client.ts';
import { openDataTab } from './open-data-tab.ts';
import { goWithin } from './people-server.ts';
import { pictureShown } from './picture-shown.ts';

const app = useApp();

/** Uploads small pictures through the public operation: every second one is tagged, every third has a box. */
function seed(page: Page, count: number): Promise<string[]> {
  return page.evaluate(async (wanted) => {
    const { client, home } = pageData;
    const ids: string[] = [];
    for (let i = 0; i < wanted; i++) {
      const canvas = new OffscreenCanvas(320, 240);
      const drawn = canvas.getContext('2d')!;
      drawn.fillStyle = `hsl(${i * 30} 60% 50%)`;
      drawn.fillRect(0, 0, 320, 240);
      const value = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
      const box = {
        label: 'screw',
        xMinNormalized: 0.2,
        yMinNormalized: 0.2,
        xMaxNormalized: 0.6,
        yMaxNormalized: 0.7,
      };
      const { binaryDataId } = await client.sync.dataCaptureUpload({
        metadata: {
          partId: home.partId,
          fileName: `frame-${i}.png`,
          type: 1,
          fileExtension: '.png',
          componentName: 'cam',
          tags: i % 2 === 0 ? ['dusk'] : [],
        },
        sensorContents: [
          {
            metadata: {
              timeRequested: { seconds: BigInt(1_780_000_000 + i), nanos: 0 },
              ...(i % 3 === 0 && { annotations: { bboxes: [{ ...box, confidence: 0.87 }] } }),
            },
            data: { case: 'binary', value },
          },
        ],
      });
      ids.push(binaryDataId);
    }
    return ids;
  }, count);
}

const grid = (page: Page) => page.getByRole('listbox', { name: 'Images' });
const cell = (page: Page, name: string) => grid(page).getByRole('option', { name: new RegExp(`^${name}\\.png`) });
const count = (page: Page) => page.getByRole('status', { name: 'Count' });

/** The stored images with these names. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const { data } = await pageData.client.data.binaryDataByFilter({ dataRequest: { limit: 1000n } });
    return data.map(({ metadata }) => ({
      name: metadata!.fileName,
      tags: metadata!.captureMetadata!.tags.filter((tag) => !tag.startsWith('SVC_')),
      datasets: metadata!.datasetIds.length,
    }));
  });

async function openImages(images: number, options: Parameters<typeof app.open>[0] = {}) {
  const { page } = await app.open({ path: '#/data/settings', ...options });
  await openDataClient(page);
  const ids = await seed(page, images);
  await goWithin(page, '#/data/images');
  await cell(page, `frame-${images - 1}`).waitFor();
  return { page, ids };
}

describe('stored images', () => {
  it('are filtered by what the address says, selected by range and by all, tagged and put into a dataset, looked at one by one, and opened in the editor', async () => {
    const { page } = await openImages(12);
    await expect.poll(() => count(page).innerText()).toMatch(/^12 images · /);
    await expect.poll(() => grid(page).locator('img').count()).toBe(12);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Tags, any of' }).fill('dusk');
    await page.keyboard.press('Enter');
    await expect.poll(() => count(page).innerText()).toMatch(/^6 images/);
    await page.getByRole('combobox', { name: 'Box labels, any of' }).fill('screw');
    await page.keyboard.press('Enter');
    await expect.poll(() => count(page).innerText()).toMatch(/^2 images/);
    expect(new URL(page.url()).hash).toBe('#/data/images?tag=dusk&label=screw');
    await grid(page).getByRole('option').first().click();
    await checkAtBothSizes(page, 'Images');
    await page.reload();
    await expect.poll(() => count(page).innerText()).toMatch(/^2 images/);
    await page.getByRole('button', { name: 'Remove Tag dusk' }).click();
    await expect.poll(() => count(page).innerText()).toMatch(/^4 images/);
    await page.getByRole('button', { name: 'Copy as code' }).click();
    await page.getByRole('tab', { name: 'Command line' }).click();
    await page.getByLabel('Code', { exact: true }).getByText('"bboxLabels":["screw"]').waitFor();

    await page.keyboard.press('Escape');
    await goWithin(page, '#/data/images');
    await cell(page, 'frame-11').waitFor();
    await openDataClient(page);
    await cell(page, 'frame-10').click();
    await cell(page, 'frame-7').click({ modifiers: ['Shift'] });
    await cell(page, 'frame-3').click({ modifiers: ['ControlOrMeta'] });
    const bar = page.getByRole('toolbar', { name: 'Selected images' });
    await bar.getByText('5 selected').waitFor();
    await bar.getByRole('button', { name: 'Tag …', exact: true }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Tags' }).fill('kept');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await stored(page)).filter(({ tags }) => tags.includes('kept')).map(({ name }) => name))
      .toEqual(['frame-10.png', 'frame-9.png', 'frame-8.png', 'frame-7.png', 'frame-3.png']);

    await grid(page).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await bar.getByText('12 selected').waitFor();
    await bar.getByRole('button', { name: 'Add to dataset …' }).click();
    await page.getByRole('textbox', { name: 'Name of the new dataset' }).fill('Screws');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await expect.poll(async () => (await stored(page)).every(({ datasets }) => datasets === 1)).toBe(true);

    await goWithin(page, '#/data/settings');
    await bar.waitFor({ state: 'detached' });
    await goWithin(page, '#/data/images');
    await cell(page, 'frame-11').waitFor();
    await grid(page).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'frame-9.png' }).waitFor();
    await page.getByText('screw 0.87').waitFor();
    await checkAtBothSizes(page, 'Image');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'frame-8.png' }).waitFor();
    const about = page.getByRole('complementary', { name: 'About the image' });
    await about.getByText('320 × 240').waitFor();
    await about.getByRole('combobox', { name: 'Tags' }).fill('noted');
    await page.keyboard.press('Enter');
    await about.getByRole('button', { name: 'Remove noted' }).waitFor();
    await page.reload();
    await about.getByRole('button', { name: 'Remove noted' }).waitFor();
    await page.getByRole('button', { name: 'Edit boxes' }).click();
    await pictureShown(page);
    expect(new URL(page.url()).hash).toMatch(/\/edit$/);
  });
});

describe('an import', () => {
  const png = (page: Page) =>
    page.evaluate(async () => {
      const canvas = new OffscreenCanvas(8, 8);
      canvas.getContext('2d')!.fillRect(0, 0, 4, 4);
      return [...new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())];
    });

  it('stores pictures once, tables as readings and the rest as files', async () => {
    const { page } = await app.open({ path: '#/data/images' });
    await openDataClient(page);
    const picture = { name: 'small.png', mimeType: 'image/png', buffer: Buffer.from(await png(page)) };
    const table = {
      name: 'scale.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('time,grams\n1780000000,5\n1780000001,6.5\n'),
    };
    const other = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
    const picker = page.getByLabel('Files to import');
    await picker.setInputFiles([picture, table, other]);
    await page.getByRole('button', { name: 'Import 2 readings' }).click();
    const tray = page.getByRole('region', { name: 'Import' });
    await tray.getByText('Import: 3 stored.').waitFor();
    await grid(page)
      .getByRole('option', { name: /^small\.png/ })
      .waitFor();
    await picker.setInputFiles([{ ...picture, name: 'copy.png' }]);
    await tray.getByText('Import: 3 stored, 1 here already.').waitFor();
    await openDataTab(page, 'Files');
    await page.getByRole('option', { name: /^notes\.txt/ }).waitFor();
    await tray.waitFor({ state: 'hidden' }); // a successful import closes its list
    expect(await page.getByRole('option', { name: /^small/ }).count()).toBe(0);
    await openDataTab(page, 'Sensors');
    await page.getByText('6.5').first().waitFor();
  });
});
