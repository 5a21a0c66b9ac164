import { rmSync } from 'node:fs';
import type { Locator, Page } from 'playwright';
import { afterAll, describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { expectFirstBoxes, importConfiguration, panel, setDefaultThreshold } from './bench-page.ts';
import { temporaryFolder, writeCameraFilm } from './test-media.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const camera = (name: string) => ({ name, api: 'rdk:component:camera', model: 'webcam', attributes: {} });
const transform = (name: string, source: string, pipeline: readonly object[]) => ({
  name,
  api: 'rdk:component:camera',
  model: 'transform',
  attributes: { source, pipeline },
});
const vision = (name: string, camera_name: string, minimum: number) => ({
  name,
  api: 'rdk:service:vision',
  model: 'mlmodel',
  attributes: { mlmodel_name: 'detector-model', camera_name, default_minimum_confidence: minimum },
});
/** Three services that read one model: on the frame as it is, on a smaller one turned around, and behind another camera. */
const configuration = {
  components: [
    camera('front'),
    camera('back'),
    transform('turned', 'front', [
      { type: 'rotate', attributes: { angle_degs: 180 } },
      { type: 'rotate', attributes: { angle_degs: 180 } },
      { type: 'resize', attributes: { width_px: 960, height_px: 640 } },
    ]),
  ],
  services: [
    {
      name: 'detector-model',
      api: 'rdk:service:mlmodel',
      model: 'viam:mlmodel:onnx-cpu',
      attributes: { model_path: 'face-detector.onnx', label_path: 'face-detector.labels.txt' },
    },
    vision('first', 'front', 0.5),
    vision('smaller', 'turned', 0.9),
    vision('behind', 'back', 0.5),
  ],
};

const bar = (page: Page): Locator => page.getByRole('region', { name: 'Comparison on the stage' });
const expectBar = (page: Page, words: RegExp | string): Promise<void> => bar(page).getByText(words).waitFor();
const counts = async (page: Page): Promise<(number | string)[]> =>
  (await bar(page).locator('b').allInnerTexts()).map((text) => (text === '–' ? text : Number(text)));
const expectCounts = (page: Page, ...wanted: (number | string)[]) => expect.poll(() => counts(page)).toEqual(wanted);

/** Dashes that are drawn over the stage. */
const dashedPixels = (page: Page): Promise<number> =>
  page
    .locator('main canvas[aria-hidden="true"]')
    .last()
    .evaluate((canvas: HTMLCanvasElement) => {
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })!;
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, at) => at % 4 === 3 && value > 0).length;
    });

async function choose(page: Page, text: string): Promise<void> {
  await bar(page).getByRole('combobox', { name: 'What B is' }).selectOption(text);
}

describe('two configurations on the stage', () => {
  const app = useApp(undefined, () => [
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${writeCameraFilm(folder, 1280, 720)}`,
  ]);

  it('shows what a threshold changes, and runs another service on the same frames through its own camera, or says where it cannot', async () => {
    const { page } = await app.open({ permissions: ['camera'] });
    await expectFirstBoxes(page);
    expect(await bar(page).count()).toBe(0);
    await page.locator('h1').click();
    await page.keyboard.press('v');
    await expectBar(page, '0 vanish, 0 appear, 0 labels change, 0 move by more than 2 px');
    await expectCounts(page, 3, 3);
    await setDefaultThreshold(page, '1');
    await expectBar(page, '0 vanish, 3 appear, 0 labels change, 0 move by more than 2 px');
    await expectCounts(page, 0, 3);
    await expect.poll(() => dashedPixels(page)).toBeGreaterThan(500);
    await page.locator('h1').click();
    await page.keyboard.down('Shift');
    await expect.poll(() => dashedPixels(page)).toBe(0);
    await page.keyboard.up('Shift');
    expect(await violations(page, 'comparison')).toEqual([]);

    // A reload keeps what was pinned; pinning again starts from here.
    await page.reload();
    await expectCounts(page, 0, 3);
    await bar(page).getByRole('button', { name: 'Pin these thresholds as B' }).click();
    await expectCounts(page, 0, 0);
    await setDefaultThreshold(page, '0.5');
    await expectBar(page, '3 vanish, 0 appear');

    await page.setViewportSize({ width: 390, height: 844 });
    await expectCounts(page, 3, 0);
    await expect.poll(() => sideways(page)).toBe(0);
    expect(await violations(page, 'comparison on a phone')).toEqual([]);
    await bar(page).getByRole('button', { name: 'End the comparison' }).click();
    await expect.poll(() => bar(page).count()).toBe(0);

    await page.setViewportSize({ width: 1440, height: 900 });
    await importConfiguration(page, JSON.stringify(configuration));
    await expectFirstBoxes(page);
    await page.getByRole('button', { name: /^Compare with pinned thresholds/ }).click();
    await expectCounts(page, 3, 3);
    await choose(page, 'Service behind');
    await expectBar(page, 'behind looks through back, and the stage shows front');
    await expectCounts(page, 3, '–');
    await choose(page, 'Service smaller');
    await expectCounts(page, 3, 1);
    await expectBar(page, /^From A to B: 2 vanish, 0 appear, 0 labels change/);
    await expect.poll(() => dashedPixels(page)).toBeGreaterThan(300);
    await setDefaultThreshold(page, '0.9');
    await expectCounts(page, 1, 1);
    await expectBar(page, /^From A to B: 0 vanish, 0 appear, 0 labels change/);
    await setDefaultThreshold(page, '0.5');

    await page.getByRole('tab', { name: 'Webcam' }).click();
    await panel(page, 'Source').getByRole('button', { name: 'Start' }).click();
    await panel(page, 'Source').getByText('webcam live').waitFor();
    await expect.poll(async () => (await counts(page))[0]).toBe(3);
    await expect.poll(async () => typeof (await counts(page))[1]).toBe('number');
    await page.locator('h1').click();
    await page.keyboard.press('v');
    await expect.poll(() => bar(page).count()).toBe(0);
  });
});
