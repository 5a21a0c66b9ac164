import { existsSync } from 'node:fs';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { expectFirstBoxes, figure, panel } from './bench-page.ts';
import { sharedData, twentyGrays } from './test-media.ts';

const app = useApp();

async function openVideo(page: Page, path: string): Promise<void> {
  await panel(page, 'Source').locator('input[type=file]').first().setInputFiles(path);
  await page.getByRole('toolbar', { name: 'Video' }).waitFor();
}

const position = (page: Page): Promise<number> =>
  page.getByRole('slider', { name: 'Position in the video' }).inputValue().then(Number);

describe('a video file', () => {
  it('plays, pauses, steps, seeks and loops, or is said not to play', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    // A file that is no video that plays is said to be that.
    await panel(page, 'Source')
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'broken.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no film at all') });
    const alert = page.getByRole('alert');
    await expect.poll(() => alert.innerText()).toMatch(/cannot play "broken\.mp4"[\s\S]*Convert it/);

    expect(await figure(page, 'pixels')).toBe(''); // not shown for a photograph, whose pixels are exactly the machine's
    await openVideo(page, twentyGrays);
    const bar = page.getByRole('toolbar', { name: 'Video' });
    const slider = bar.getByRole('slider', { name: 'Position in the video' });
    const pause = bar.getByRole('button', { name: /^Pause/ });
    const play = bar.getByRole('button', { name: /^Play/ });
    await expect.poll(() => figure(page, 'frame')).toBe('64 × 48');
    await expect.poll(() => figure(page, 'decoded by')).toBe('the browser');

    // The video ends after two seconds.
    await expect.poll(() => position(page)).toBe(2000);
    await play.waitFor();

    await slider.fill('0');
    await expect.poll(() => position(page)).toBe(0);
    await bar.getByRole('button', { name: /^Next frame/ }).click();
    await expect.poll(() => position(page)).toBe(150); // the middle of the second frame
    await page.locator('h1').click();
    for (const [key, expected] of [
      ['f', 250],
      ['ArrowRight', 350],
      ['ArrowLeft', 250],
      ['d', 150],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => position(page)).toBe(expected);
    }

    // With "Loop" the video continues from the start.
    await bar.getByRole('button', { name: 'Loop' }).click();
    await bar.getByRole('button', { name: 'Loop', pressed: true }).waitFor();
    await slider.fill('1900');
    await page.locator('h1').click();
    await page.keyboard.press(' ');
    await pause.waitFor();
    await expect.poll(() => position(page)).toBeLessThan(1000);
    await page.keyboard.press(' ');
    await play.waitFor();
    const resting = await position(page);
    await bar.getByRole('button', { name: /^Previous frame/ }).click();
    await expect.poll(() => position(page)).not.toBe(resting);
  });

  const cars = `${sharedData}/video/car-detection.mp4`;
  it.skipIf(!existsSync(cars))('plays H.264 from car-detection.mp4', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    await openVideo(page, cars);
    await expect.poll(() => figure(page, 'frame')).toBe('768 × 432');
    await expect.poll(() => position(page)).toBeGreaterThan(200);
    await expect.poll(async () => Number.parseFloat(await figure(page, 'inference'))).toBeGreaterThan(0);
    await page.getByText('0:30').waitFor();
  });
});
