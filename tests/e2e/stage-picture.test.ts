import { readFileSync } from 'node:fs';
import { decode } from 'fast-png';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { deferred } from '../deferred.ts';
import { useApp } from './app.ts';
import {
  chooseFrom,
  expectDetections,
  expectFirstBoxes,
  facesOfFirstSample,
  setDefaultThreshold,
  shownDetections,
} from './bench-page.ts';

const sample = { width: 1920, height: 1280 };

const app = useApp();

it('is saved in full as of the moment of the key press, with the boxes as they are drawn, or copied', async () => {
  const { page } = await app.open({ permissions: ['clipboard-read', 'clipboard-write'] });
  const firstBoxes = await expectFirstBoxes(page);
  const held = deferred();
  await page.route('**/assets/draw-stage-png*', async (route) => {
    await held.promise;
    await route.continue();
  });
  const first = await saved(page, async () => {
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => shownDetections(page)).not.toEqual(firstBoxes);
    held.resolve();
  });
  await page.keyboard.press('ArrowLeft');
  await expectFirstBoxes(page);
  expect(Buffer.compare((await saved(page)).bytes, first.bytes)).toBe(0);

  const { name, png } = await saved(page);
  expect(name).toBe('sample1-boxes.png');
  expect(png).toMatchObject(sample);

  await page.keyboard.press('l');
  const machine = (await saved(page)).png;
  for (const { xMin, xMax, yMin } of facesOfFirstSample) {
    const above = pixel(machine, (xMin + xMax) >> 1, yMin);
    expect(above).toEqual([255, 0, 0]);
  }

  await setDefaultThreshold(page, '1');
  await expectDetections(page, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur()); // a field keeps its keys
  const bare = (await saved(page)).png;
  for (const { xMin, xMax, yMin, yMax } of facesOfFirstSample) {
    const [x, y] = [(xMin + xMax) >> 1, (yMin + yMax) >> 1];
    expect(pixel(png, x, y)).toEqual(pixel(bare, x, y));
    expect(pixel(png, x, yMin)).not.toEqual(pixel(bare, x, yMin));
    expect(pixel(machine, x, yMin)).not.toEqual(pixel(bare, x, yMin));
  }

  // It is copied, unless a text is marked, and saved where the browser lets nothing be copied, which is said.
  await page.keyboard.press('Control+c');
  await page.getByText('Copied the picture with its boxes.').waitFor();
  const copied = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const { width, height } = await createImageBitmap(await item!.getType('image/png'));
    return { width, height };
  });
  expect(copied).toEqual(sample);

  await page.evaluate(() => getSelection()!.selectAllChildren(document.querySelector('main h2')!));
  const marked = await page.evaluate(() => getSelection()!.toString());
  await page.keyboard.press('Control+c');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(marked);

  await page.evaluate(() => {
    getSelection()!.removeAllRanges();
    Clipboard.prototype.write = () => Promise.reject(new DOMException('No.', 'NotAllowedError'));
  });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    chooseFrom(page, 'Stage menu', 'Copy the picture with its boxes'),
  ]);
  expect(download.suggestedFilename()).toBe('sample1-boxes.png');
  expect(decode(readFileSync(await download.path()))).toMatchObject(sample);
  await page.getByText('The browser refused the clipboard. The picture was saved as a file instead.').waitFor();
});

interface Png {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: ArrayLike<number>;
}

interface Saved {
  readonly name: string;
  readonly bytes: Buffer;
  readonly png: Png;
}

async function saved(page: Page, meanwhile: () => Promise<void> = async () => undefined): Promise<Saved> {
  const press = () => page.keyboard.press('Control+s').then(meanwhile);
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  const bytes = readFileSync(await download.path());
  return { name: download.suggestedFilename(), bytes, png: decode(bytes) };
}

function pixel({ width, channels, data }: Png, x: number, y: number): number[] {
  return [0, 1, 2].map((channel) => data[(y * width + x) * channels + channel]!);
}
