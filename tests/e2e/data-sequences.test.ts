import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { useApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { capturedCount, uploadCaptures } from './captured-clip.ts';
import { serviceWorkerReady } from './data-client.ts';
import { draw, stage } from './draw-box.ts';

const app = useApp();
const clip = (page: Page) => page.getByRole('region', { name: 'Clip' });
const position = (page: Page) => clip(page).getByText(/^\d+ of \d+ · /);
const boxOnStage = (page: Page, at: number) => clip(page).getByText(`face ${at}`, { exact: true });

it(
  'plays what a part captured, with its boxes, opens it in the editor and exports it',
  { timeout: 120_000 },
  async () => {
    const { page } = await app.open({ path: '#/data/sequences', serviceWorker: true });
    await page.getByText('There are no sequences yet').waitFor();
    expect(await violations(page, 'no sequences')).toEqual([]);
    await page.getByRole('button', { name: 'Try it with the samples' }).click();
    await expect.poll(() => position(page).innerText()).toMatch(/^1 of 6 · /);
    await clip(page).getByText('face', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Remove the samples' }).click();
    await page.getByText('There are no sequences yet').waitFor();
    await uploadCaptures(page);

    // The newest captures are chosen already, and counted.
    await page.getByRole('button', { name: 'New sequence' }).click();
    const dialog = page.getByRole('dialog', { name: 'New sequence' });
    await expect.poll(() => dialog.getByRole('checkbox').count()).toBe(2);
    expect(await dialog.getByRole('checkbox', { name: 'front · GetImages' }).isChecked()).toBe(true);
    await dialog.getByText('Stored in this window: 6 images, 1 reading.').waitFor();
    await dialog.getByRole('combobox', { name: 'Tags of the sequence' }).fill('pick');
    expect(await violations(page, 'new sequence')).toEqual([]);
    await dialog.getByRole('button', { name: 'Create' }).click();

    await expect.poll(() => position(page).innerText()).toMatch(/^1 of 6 · /);
    await boxOnStage(page, 1).waitFor();
    expect(await violations(page, 'clip')).toEqual([]);

    // By keyboard: image by image, to the end, and from the beginning again.
    await page.keyboard.press('f');
    await boxOnStage(page, 2).waitFor();
    expect(await boxOnStage(page, 1).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByText('Choose a sequence to play it').waitFor();
    await page.getByRole('list', { name: 'Sequences' }).getByRole('button').press('Enter');
    await boxOnStage(page, 1).waitFor();
    await page.keyboard.press('ArrowRight');
    await boxOnStage(page, 2).waitFor();
    await page.keyboard.press('End');
    await boxOnStage(page, capturedCount).waitFor();
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('8');
    await page.getByRole('button', { name: 'Play (Space)' }).click();
    await expect.poll(() => position(page).innerText()).toMatch(/^6 of 6 · /);
    await page.getByRole('button', { name: 'Play (Space)' }).waitFor();
    await boxOnStage(page, capturedCount).waitFor();

    // The image that is shown opens in the editor, and the clip goes on from where the editor was left.
    await page.getByRole('slider', { name: 'Image of the clip' }).press('Home');
    await boxOnStage(page, 1).waitFor();
    await page.keyboard.press('e');
    await page.getByText('1 of 6').waitFor();
    await page.keyboard.press('f');
    await page.getByText('2 of 6').waitFor();
    await page
      .getByRole('list', { name: 'Boxes on the image' })
      .getByRole('button', { name: /face 2/ })
      .waitFor();
    await page.getByLabel('New label').fill('late');
    await page.getByLabel('New label').press('Enter');
    await stage(page).focus();
    await page.keyboard.press('n');
    await draw(page, [0.5, 0.4], [0.6, 0.6]);
    await page.getByRole('button', { name: 'Close the editor' }).click();
    await expect.poll(() => position(page).innerText()).toMatch(/^2 of 6 · /);
    await boxOnStage(page, 2).waitFor();
    await clip(page).getByText('late', { exact: true }).waitFor();

    // An address leads to the editor too, which knows the images of the clip.
    await page.keyboard.press('e');
    await page.getByText('2 of 6').waitFor();
    await page.reload();
    await page.getByText('2 of 6').waitFor();
    await page.getByRole('button', { name: 'Close the editor' }).click();
    await clip(page).getByText('late', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Add to dataset …' }).click();
    const adding = page.getByRole('dialog', { name: 'Add the sequence to a dataset' });
    await adding.getByRole('textbox', { name: 'Name of the new dataset' }).fill('clips');
    expect(await violations(page, 'add to dataset')).toEqual([]);
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    await clip(page).getByText('in clips').waitFor();
    await page.getByRole('combobox', { name: 'Dataset' }).selectOption({ label: 'clips' });
    await serviceWorkerReady(page);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the dataset as Parquet' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('clips.zip');
    const files = unzipSync(await readFile(await download.path()));
    expect(Object.keys(files)).toEqual(['binary_data.parquet', 'tabular_data.parquet', 'sequences.parquet']);
    for (const bytes of Object.values(files)) expect(new TextDecoder().decode(bytes.slice(0, 4))).toBe('PAR1');

    // A sequence that the shown dataset does not have any more is added to another.
    await page.getByRole('button', { name: 'Remove from clips' }).click();
    await page.getByText('in clips').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add to dataset …' }).click();
    await adding.getByRole('textbox', { name: 'Name of the new dataset' }).fill('more');
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    await clip(page).getByText('in more').waitFor();

    // A dataset of sequences is none of files.
    await page.goto(`${page.url().split('#')[0]}#/data/datasets`);
    await page.getByText('There are no datasets yet').waitFor();

    await page.goBack();
    await page.setViewportSize({ width: 390, height: 844 });
    await boxOnStage(page, 1).waitFor();
    expect(await sideways(page)).toBe(0);
    expect(await violations(page, 'clip on a phone')).toEqual([]);
    await page.getByRole('button', { name: 'Delete the sequence' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There are no sequences yet').waitFor();
    expect(await sideways(page)).toBe(0);
  },
);
