import { encode } from 'fast-png';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { brightestPixelDetector } from '../models.ts';
import { featuresOffFlag } from '../../scripts/chromium.ts';
import { useApp } from './app.ts';
import { violations } from './axe.ts';
import {
  chooseFrom,
  copiesSay,
  expectFirstBoxes,
  openConfiguration,
  openPanel,
  panel,
  shownDetections,
  shownPlace,
} from './bench-page.ts';
import { dropOnBench } from './dropped-files.ts';
import { twentyGrays } from './test-media.ts';

// Without this flag Chromium 156 reports a static quota instead of the one that the test sets.
const app = useApp(undefined, () => [featuresOffFlag('StaticStorageQuota')]);

/** A black picture with one white pixel, which the model puts its box around; padded to `paddedTo` bytes. */
function pictureWith(x: number, y: number, paddedTo = 0): Uint8Array {
  const data = new Uint8Array(16 * 16 * 3);
  data.fill(255, 3 * (y * 16 + x), 3 * (y * 16 + x + 1));
  const png = encode({ width: 16, height: 16, channels: 3, data });
  return Buffer.concat([png, Buffer.alloc(Math.max(0, paddedTo - png.length))]);
}

/** Pictures that do not fit into a budget of 1 MB together with two others. */
const large = ['b1.png', 'b2.png', 'b3.png', 'b4.png'];

/** Drops a model with its labels and, while the webcam is looked for, three pictures on the bench, and shows the second picture. */
async function dropModelAndPictures(page: Page): Promise<void> {
  await dropOnBench(page, [
    { name: 'brightest.onnx', bytes: brightestPixelDetector() },
    { name: 'lights.txt', bytes: 'lamp\n' },
  ]);
  await panel(page, 'Model').getByText('brightest.onnx', { exact: true }).waitFor();
  await panel(page, 'Source').getByRole('tab', { name: 'Webcam' }).click();
  await dropOnBench(page, [
    { name: 'a.png', bytes: pictureWith(2, 3) },
    { name: 'b.png', bytes: pictureWith(9, 5) },
    { name: 'c.png', bytes: pictureWith(12, 14) },
  ]);
  await panel(page, 'Source').getByRole('button', { name: 'Open folder' }).waitFor(); // among the files
  await copiesSay(page, '3 files are kept in this browser');
  await page.keyboard.press('ArrowRight');
  await expectBoxAt(page, 9, 5);
}

/** Expects the model's box at a pixel. By the machine's whole-pixel rule, fractions of a 16 px side are multiplied by 15. */
async function expectBoxAt(page: Page, x: number, y: number): Promise<void> {
  const [xMin, yMin] = [x, y].map((at) => Math.trunc((at / 16) * 15));
  await expect
    .poll(async () =>
      (await shownDetections(page)).map((box) => ({ label: box.label, xMin: box.xMin, yMin: box.yMin })),
    )
    .toEqual([{ label: 'lamp', xMin, yMin }]);
}

describe('a visit over reloads', () => {
  it('has the pictures, the model with its labels, zoom, tabs and panels as they were', async () => {
    const { page, context } = await app.open();
    await expectFirstBoxes(page);
    await dropModelAndPictures(page);
    for (let times = 0; times < 3; times++) await page.keyboard.press('+');
    await chooseFrom(page, 'Stage menu', 'Captures');
    await panel(page, 'Source').getByRole('tab', { name: 'Webcam' }).click();
    await (await openPanel(page, 'Model')).locator('summary', { hasText: 'Labels' }).click();
    const drawer = await openConfiguration(page);
    await drawer.getByRole('tab', { name: 'Export' }).click();
    await drawer.getByRole('tab', { name: 'Patch' }).click();

    const state = async (shown: Page) => ({
      place: await shownPlace(shown),
      frames: await shown.getByRole('listbox', { name: 'Frames' }).getByRole('option').count(),
      canvas: await shown.locator('section[aria-label="Stage"] canvas').first().getAttribute('style'),
      tray: await shown.getByRole('region', { name: 'Captures', exact: true }).isVisible(),
      source: await panel(shown, 'Source').getByRole('tab', { selected: true }).innerText(),
      labels: await panel(shown, 'Model').getByLabel('Labels, one a line').count(),
      panes: await shown
        .getByRole('region', { name: 'Configuration' })
        .getByRole('tab', { selected: true })
        .allInnerTexts(),
    });
    await expect
      .poll(() => state(page))
      .toMatchObject({ place: 2, frames: 3, tray: true, source: 'Webcam', labels: 1, panes: ['Export', 'JSON Patch'] });
    const left = await state(page);
    await page.reload();
    await expect.poll(() => state(page)).toEqual(left);
    await expectBoxAt(page, 9, 5);

    await page.close();
    const nextDay = await context.newPage();
    await nextDay.goto(app.url);
    await expect.poll(() => state(nextDay)).toEqual(left);
    await expectBoxAt(nextDay, 9, 5);
  });

  it('says what of a drop it took, and has a way back from the samples, also after a reload, to a video at its frame, and names what the budget had no room for', async () => {
    const { page, context } = await app.open();
    await expectFirstBoxes(page);
    await dropOnBench(page, [
      { name: 'a.png', bytes: pictureWith(2, 3) },
      { name: 'b.png', bytes: pictureWith(9, 5) },
      { name: 'grays.webm', bytes: readFileSync(twentyGrays), mimeType: 'video/webm' },
      { name: 'notes.doc', bytes: 'x' },
    ]);
    await page.getByText('Taken: 2 images (a.png, b.png), 1 video (grays.webm). Left out: 1 file.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'notes.doc: the name is not that of' }).waitFor();
    await page.getByRole('button', { name: 'Show the images' }).click();
    await expect.poll(() => shownPlace(page)).toBe(1);
    await chooseFrom(page, 'Recent', 'Sample photographs');
    await expectFirstBoxes(page);
    await copiesSay(page, '3 files are kept in this browser');

    await page.reload();
    await expectFirstBoxes(page);
    await chooseFrom(page, 'Recent', 'grays.webm');
    const bar = page.getByRole('toolbar', { name: 'Video' });
    const slider = bar.getByRole('slider', { name: 'Position in the video' });
    await bar.getByRole('button', { name: /^Play/ }).waitFor(); // paused
    await slider.fill('1450');
    await bar.getByRole('button', { name: /^Next frame/ }).click();
    await expect.poll(() => slider.inputValue()).toBe('1550');
    await page.reload();
    await expect.poll(() => slider.inputValue()).toBe('1550');
    await bar.getByRole('button', { name: /^Play/ }).waitFor();
    await chooseFrom(page, 'Recent', 'Images · 2');
    await expect.poll(() => shownPlace(page)).toBe(1);
    expect(await page.getByRole('listbox', { name: 'Frames' }).getByRole('option').count()).toBe(2);
    // By keys alone: to the video's row, and Delete takes it away.
    await page.getByRole('button', { name: 'Recent', exact: true }).press('Enter');
    const row = page.getByRole('menuitemcheckbox', { name: 'grays.webm' });
    await row.waitFor();
    await page.keyboard.press('g');
    expect(await row.evaluate((item) => item === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => page.evaluate(() => document.activeElement!.getAttribute('aria-label')))
      .toBe('Remove grays.webm');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Delete');
    await copiesSay(page, '2 files are kept in this browser');

    // What the budget has no room for is named, until it is dropped again.
    const browser = await context.newCDPSession(page);
    const { origin } = new URL(app.url);
    await browser.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 5_000_000 });
    await dropOnBench(page, [
      { name: 'a1.png', bytes: pictureWith(2, 3, 400_000) },
      ...large.map((name) => ({ name, bytes: pictureWith(9, 5, 700_000) })),
      { name: 'z.png', bytes: pictureWith(12, 14, 500_000) },
    ]);
    const source = panel(page, 'Source');
    await copiesSay(page, '4 files are kept in this browser for a reload: 900 kB of at most 1.00 MB');
    await source.getByText('A reload loses b1.png, b2.png, b3.png and 1 more.').waitFor();

    await page.reload();
    const missing = page.getByText('Not here after the reload: b1.png, b2.png, b3.png and 1 more.');
    await missing.waitFor();
    await page.getByText('All names').click();
    await page.getByRole('listitem').filter({ hasText: 'b4.png' }).waitFor();
    expect(await violations(page, 'missing pictures')).toEqual([]);
    const frames = page.getByRole('listbox', { name: 'Frames' }).getByRole('option');
    await expect.poll(() => frames.count()).toBe(4);
    await dropOnBench(
      page,
      large.map((name) => ({ name, bytes: pictureWith(9, 5) })),
    );
    await missing.waitFor({ state: 'detached' });
    await copiesSay(page, '8 files are kept');
    expect(await frames.count()).toBe(8);
  });
});
