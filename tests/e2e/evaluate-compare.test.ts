import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { sampleConfigText } from '../../src/machine/config/share/sample-config.ts';
import { useApp } from './app.ts';
import { spilled, violations } from './axe.ts';
import { importConfiguration } from './bench-page.ts';
import { storeFaces } from './evaluated-faces.ts';

const app = useApp();

/** The example configuration with a camera that crops the picture. */
const cropped = sampleConfigText.replace(
  '{ "type": "" }',
  '{ "type": "crop", "attributes": { "x_min_px": 0.4, "y_min_px": 0, "x_max_px": 1, "y_max_px": 1 } }',
);

const open = async (page: Page, name: 'Bench' | 'Evaluate'): Promise<void> => {
  await page.getByRole('navigation').getByRole('link', { name }).click();
};

async function run(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Run/ }).click();
  await page.getByText('1 image run,').waitFor();
}

/** Makes a run of the example and one of the cropped camera, which stays open, and compares it with the first. */
async function compareWithCropped(page: Page): Promise<void> {
  await storeFaces(page);
  await page.reload();
  await run(page);
  await open(page, 'Bench');
  await importConfiguration(page, cropped);
  await open(page, 'Evaluate');
  await run(page);
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.getByRole('radio', { name: /face-detector\.onnx/ }).check();
}

describe('the comparison of two runs', () => {
  it('says what changes, shows it with a swipe line, makes a report, takes thresholds over as one step of undo, and forgets no run over a reload', async () => {
    const { page } = await app.open({ path: '#/evaluate' });
    await compareWithCropped(page);
    await page.getByText(/^0 boxes vanish, 1 appears, 0 labels change/).waitFor();
    await page.getByText(/tuned-camera: pipeline\[0\]/).waitFor();
    const figures = page.getByRole('region', { name: 'Is B better?' });
    expect(await figures.getByRole('row', { name: /^Recall/ }).innerText()).toMatch(
      /no difference|cannot tell from 1 image/,
    );

    // The swipe line moves by keyboard and by pointer; A is left of it, B right of it.
    const line = page.getByRole('slider', { name: 'Swipe line' });
    const clip = (side: 'A' | 'B') =>
      page.locator(`clipPath[id$="-${side}"] rect`).evaluate((rect) => Number(rect.getAttribute('width')));
    await line.press('Home');
    await expect.poll(() => clip('A')).toBe(0);
    await line.press('End');
    await expect.poll(() => clip('B')).toBe(0);
    const picture = page.getByRole('img', { name: /^Boxes on sample1\.jpg/ });
    await picture.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await picture.boundingBox())!;
    await page.mouse.click(x + width / 4, y + height / 2);
    await expect.poll(() => line.inputValue()).toBe('25');
    await page
      .getByRole('list', { name: 'Changes on this image' })
      .getByText(/face 0\.\d\d appears; A finds no such box/)
      .waitFor();
    await picture.getByText(/^\+ face 0\.\d\d$/).waitFor();
    expect(await violations(page, 'comparison')).toEqual([]);

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save report' }).click();
    const html = await readFile(await (await download).path(), 'utf8');
    expect(html).toContain('1 appears');
    expect(html).toContain('tuned-camera: pipeline[0]');

    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => spilled(page)).toBe(0);
    expect(await violations(page, 'comparison on a phone')).toEqual([]);

    await page.setViewportSize({ width: 1440, height: 900 });
    // A threshold of 1 is above all scores, so the run keeps no detections.
    await page.getByRole('tab', { name: 'Results' }).click();
    const exact = page.getByRole('spinbutton', { name: 'Threshold of face, exact' });
    await page.getByRole('button', { name: 'face', exact: true }).click();
    await exact.fill('1');
    await exact.press('Enter');
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByText(/^0 boxes vanish, 3 appear/).waitFor();
    await page.getByRole('button', { name: 'Set 1 threshold of A' }).click();
    await page.getByText(/^0 boxes vanish, 1 appears/).waitFor();
    await page.getByText('No other thresholds of A agree better with B.').waitFor();
    await page.getByRole('button', { name: /^Undo: Threshold of/ }).click();
    await page.getByText(/^0 boxes vanish, 3 appear/).waitFor();

    await page.reload();
    await page.getByText('1 image run.', { exact: true }).waitFor();
    await page.getByRole('radio', { name: /face-detector\.onnx/ }).check();
    await page.getByText(/^0 boxes vanish, 3 appear/).waitFor();

    // A configuration that differs only in thresholds uses the same run and filters it again.
    const buffer = Buffer.from(cropped.replace('0.5\n', '0.05\n'));
    await page
      .getByRole('region', { name: 'Results' })
      .locator('input[type=file]')
      .setInputFiles({ name: 'lower.json', mimeType: 'application/json', buffer });
    await page.getByRole('radio', { name: 'Thresholds of detector in lower.json' }).waitFor();
    await page.getByText(/^0 boxes vanish, [1-9]\d* appear/).waitFor();
  });
});
