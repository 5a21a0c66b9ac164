import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright';
import { useApp } from './app.ts';
import { chooseFrom, expectFirstBoxes, figure, panel, shownDetections } from './bench-page.ts';
import { temporaryFolder, writeCameraFilm } from './test-media.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

async function startWebcam(page: Page): Promise<void> {
  await expectFirstBoxes(page);
  await page.getByRole('tab', { name: 'Webcam' }).click();
  await panel(page, 'Source').getByRole('button', { name: 'Start' }).click();
}

/** Watches the cameras that the page opens from now on: `live`, or `ended` after the page has released them. */
async function watchCameras(page: Page): Promise<() => Promise<string[]>> {
  const streams = await page.evaluateHandle(() => {
    const opened: MediaStream[] = [];
    const { mediaDevices } = navigator;
    const open = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (constraints) => {
      const stream = await open(constraints);
      opened.push(stream);
      return stream;
    };
    return opened;
  });
  return () => streams.evaluate((opened) => opened.map((stream) => stream.getTracks()[0]!.readyState));
}

const figureValue = async (page: Page, name: string): Promise<number> => Number.parseFloat(await figure(page, name));

describe('a webcam', () => {
  const app = useApp(undefined, () => [
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${writeCameraFilm(folder, 1280, 720)}`,
  ]);

  it('says how to allow it, runs the model on moving frames from a click until a click, and gives way to a photograph', async () => {
    const { page, context } = await app.open();
    const states = await watchCameras(page);
    const source = panel(page, 'Source');
    await startWebcam(page);
    const alert = source.getByRole('alert');
    expect(await alert.innerText()).toMatch(/not to give this page the camera[\s\S]*Allow the camera/);
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await alert.waitFor({ state: 'detached' });
    await expectFirstBoxes(page);

    await context.grantPermissions(['camera']);
    await source.getByRole('button', { name: 'Start' }).click();
    await source.getByText('webcam live').waitFor();
    await source.getByText('1280 × 720').last().waitFor();
    for (const name of ['source', 'inference', 'latency']) {
      await expect.poll(() => figureValue(page, name)).toBeGreaterThan(0);
    }
    await expect.poll(() => figure(page, 'dropped')).toMatch(/^\d+$/);

    // The film pans, so the same three faces are at other heights.
    const heights = new Set<number>();
    await expect
      .poll(async () => {
        const faces = await shownDetections(page);
        if (faces.length === 3) heights.add(faces[0]!.yMin);
        return heights.size;
      })
      .toBeGreaterThan(2);

    await source.getByRole('button', { name: 'Stop' }).click();
    await source.getByText('webcam stopped').waitFor();
    await expect.poll(states).toEqual(['ended']);
    await source.getByRole('button', { name: 'Start' }).waitFor();
    await expect.poll(() => figure(page, 'source')).toBe('');

    // A size that it does not give is said, and the setting for any size starts it.
    const resolution = source.getByRole('combobox', { name: 'Resolution' });
    const any = await resolution.inputValue();
    await resolution.selectOption('1920 × 1080');
    await source.getByRole('button', { name: 'Start' }).click();
    expect(await alert.innerText()).toMatch(/does not give 1920×1080[\s\S]*Choose another resolution/);
    await resolution.selectOption(any);
    await source.getByRole('button', { name: 'Start' }).click();
    await source.getByText('webcam live').waitFor();
    expect(await states()).toEqual(['ended', 'live']);
    await page.getByRole('tab', { name: 'Files' }).click();
    await chooseFrom(page, 'Recent', 'Sample photographs');
    await expectFirstBoxes(page);
    await source.getByText('samples', { exact: true }).waitFor();
    await expect.poll(states).toEqual(['ended', 'ended']);
  });
});

describe('a computer without a webcam', () => {
  const app = useApp();

  it('says that none is connected, and what to take instead', async () => {
    const { page } = await app.open({ permissions: ['camera'] });
    await startWebcam(page);
    expect(await panel(page, 'Source').getByRole('alert').innerText()).toMatch(
      /No camera is connected[\s\S]*video file or pictures/,
    );
    await expectFirstBoxes(page);
  });
});
