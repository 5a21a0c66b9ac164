import { readFileSync } from 'node:fs';
import { encode } from 'fast-png';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { resizeNearest } from '../../src/machine/vision/transforms/resize.ts';
import { decodeJpeg } from '../../src/platform/decode/jpeg.ts';
import { useApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { facesOfFirstSample, panel } from './bench-page.ts';
import { openDataClient, uploadBytes } from './data-client.ts';
import { addTruth, storeDataset } from './evaluated-faces.ts';
import { openDataTab } from './open-data-tab.ts';
import { firstSample } from './test-media.ts';

const app = useApp();

/** Stores nine copies of the first sample, a third as wide, so that each is read in a ninth of the time. */
async function storeFaces(page: Page): Promise<string[]> {
  const {
    widthPx: width,
    heightPx: height,
    samples: data,
  } = resizeNearest(decodeJpeg(readFileSync(firstSample)), { widthPx: 640, heightPx: 427 });
  const picture = encode({ width, height, data, channels: 4 });
  const ids: string[] = [];
  for (let at = 0; at < 9; at++) ids.push(await uploadBytes(page, 'faces.png', 'image/png', picture));
  return ids;
}

/** A picture of stripes, each picture with another pattern. */
function stripes(seed: number, level: number): Uint8Array {
  const [width, height] = [40, 30];
  const data = Uint8Array.from({ length: width * height * 3 }, (_, at) => level + ((at * (seed + 3)) % 40));
  return encode({ width, height, data, channels: 3 });
}

async function storeStripes(page: Page, name: string, level: number): Promise<void> {
  const ids: string[] = [];
  for (let at = 0; at < 12; at++)
    ids.push(await uploadBytes(page, `${name}${at}.png`, 'image/png', stripes(at, level + at)));
  await storeDataset(page, name, ids);
}

async function openDrift(page: Page, dataset: string, isScanned = false): Promise<void> {
  await page.getByRole('link', { name: dataset, exact: true }).click();
  await page.getByRole('tab', { name: 'Drift' }).click();
  if (isScanned) return;
  await page.getByRole('button', { name: 'Scan the images' }).click();
  await page.getByRole('button', { name: 'Scan the images' }).waitFor({ state: 'detached' });
}

it('a reference is kept, later images are compared with it, and those that drive a shift are opened', async () => {
  const { page } = await app.open({ path: '#/data/datasets' });
  await openDataClient(page);
  await storeStripes(page, 'Day', 150);
  await storeStripes(page, 'Evening', 60);
  await page.reload();
  await openDrift(page, 'Day');
  await page.getByRole('button', { name: 'Keep as reference' }).click();
  await page.getByRole('combobox', { name: 'Reference to compare with' }).waitFor();
  await page.getByRole('button', { name: 'All datasets' }).click();
  await openDrift(page, 'Evening');
  await page.getByRole('button', { name: 'Compare with reference' }).click();
  await page.getByText(/^[1-9] of \d features shifted: 12 images against 12 of the reference/).waitFor();
  const brightness = page.getByRole('region', { name: 'Brightness' });
  await brightness.getByText('shifted', { exact: true }).waitFor();
  expect(await violations(page, 'drift')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => sideways(page)).toBe(0);
  expect(await violations(page, 'drift on a phone')).toEqual([]);

  // All images that match a filter are later ones, too, without the reference's own.
  await page.getByRole('combobox', { name: 'Images that are compared' }).selectOption('A filter');
  await page.getByRole('status', { name: 'Count' }).getByText('24 images').waitFor();
  expect(await violations(page, 'drift of a filter on a phone')).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('textbox', { name: 'File name' }).fill('Even');
  await page.keyboard.press('Enter');
  await page.getByRole('status', { name: 'Count' }).getByText('12 images').waitFor();
  expect(await violations(page, 'drift of a filter')).toEqual([]);
  await page.getByRole('button', { name: 'Remove File name Even' }).click();
  await page.getByRole('status', { name: 'Count' }).getByText('24 images').waitFor();
  await page.getByRole('button', { name: 'Compare with reference' }).click();
  await page.getByText('12 images of the reference itself are left out.').waitFor();
  await page.getByText('of all images from Day').waitFor();
  await brightness.getByText('shifted', { exact: true }).waitFor();
  await brightness.getByRole('link').first().click();
  await page.waitForURL(/#\/data\/images\/[^/]+\/edit$/);
});

it('drift makes a certificate void on whose images the reference stands, once a person says that the camera is the same', async () => {
  const { page } = await app.open({ path: '#/evaluate' });
  await openDataClient(page);
  const ids = await storeFaces(page);
  for (const id of ids) for (const face of facesOfFirstSample) await addTruth(page, id, 'face', face);
  await storeDataset(page, 'Faces', ids);
  await storeStripes(page, 'Evening', 60);
  await page.reload();
  await page.getByRole('combobox', { name: 'Set of images' }).selectOption('Faces');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('9 images run,').waitFor();
  // Nine copies of one picture look alike: without a person's word nothing is certified.
  await page.getByText('9 images, 1 unit at most: it is not known which are independent').waitFor();
  await page.getByRole('switch', { name: 'Each image shows another scene or time' }).check({ force: true });
  await page.getByText('9 independent images: somebody says that').waitFor();
  await page.getByRole('button', { name: 'Certify …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Certify a figure' });
  const atLeast = dialog.getByRole('spinbutton', { name: 'The figure is at least' });
  await atLeast.fill('0.5');
  await atLeast.press('Enter');
  const making = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Make the certificate' }).click();
  await making;
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('link', { name: 'Data', exact: true }).click();
  await openDataTab(page, 'Datasets');
  await openDrift(page, 'Faces', true); // by the evaluation
  await page.getByRole('button', { name: 'Keep as reference' }).click();
  await page.getByRole('combobox', { name: 'Reference to compare with' }).waitFor();
  await page.getByRole('button', { name: 'Compare with reference' }).click();
  await page.getByText('All of these are images of the reference itself').waitFor();
  await page.getByRole('button', { name: 'All datasets' }).click();
  await openDrift(page, 'Evening');
  // The stripes look alike and nothing is recorded of them: a person says that they do not depend on each other.
  await page.getByRole('button', { name: 'Compare with reference' }).click();
  await page.getByText('so it is unknown which frames depend on each other').waitFor();
  await page.getByRole('switch', { name: 'Each image shows another scene or time' }).check({ force: true });
  await page.getByRole('button', { name: 'Compare with reference' }).click();
  const same = page.getByRole('button', { name: 'They are from the same camera' });
  await same.waitFor();
  expect(await violations(page, 'drift of a certificate')).toEqual([]);
  await same.click();
  const certificates = page.getByRole('list', { name: 'Certificates on the reference’s images' });
  await certificates.getByText(/Void\. Later images are no longer like those of Faces: /).waitFor();
  expect(await violations(page, 'a certificate that is void by drift')).toEqual([]);

  const isVoid = /Void: Later images are no longer like those of Faces: .*12 images of Evening/;
  await page.getByRole('link', { name: 'Bench', exact: true }).click();
  await panel(page, 'Thresholds').getByText(isVoid).waitFor();
  await page.getByRole('link', { name: 'Evaluate', exact: true }).click();
  // The bench fades meanwhile, with the same words.
  await page.getByRole('main', { name: 'Evaluate' }).getByText(isVoid).waitFor();
});

it('images worth correcting are corrected in their order, and the interval of F1 narrows', async () => {
  const { page } = await app.open({ path: '#/evaluate' });
  await openDataClient(page);
  const ids = await storeFaces(page);
  for (const id of ids) await addTruth(page, id, 'face', facesOfFirstSample[0]);
  await storeDataset(page, 'Faces', ids);
  await page.reload();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('9 images run,').waitFor();
  await page.getByRole('tab', { name: 'Label next' }).click();
  await page.getByRole('button', { name: 'Choose the order' }).click();
  await page.getByText('0 of 9 images corrected').waitFor();
  expect(await violations(page, 'corrections')).toEqual([]);

  // Going on in the editor follows the order, and says that the image before is right.
  await page.getByRole('region', { name: 'Worth correcting next' }).getByRole('link').first().click();
  await page.getByRole('button', { name: /^Next image/ }).click();
  await page.waitForURL(/\?order=\d+$/);
  await page.getByRole('button', { name: /^Next image/ }).click();
  await page.getByRole('link', { name: 'Evaluate' }).click();
  await page.getByText('2 of 9 images corrected').waitFor();
  for (let count = 3; count <= 8; count++) {
    await page.keyboard.press('c');
    await page.getByText(`${count} of 9 images corrected`).waitFor();
  }
  await page.getByText(/^F1 is 0\.\d\d \(0\.\d\d to \d\.\d\d\), from 8 corrected images\.$/).waitFor();
  await page.reload();
  await page.getByText('8 of 9 images corrected').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => sideways(page)).toBe(0);
  expect(await violations(page, 'corrections on a phone')).toEqual([]);
});
