import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import {
  openPanel,
  countWorkerMessages,
  drawnPixels,
  expectDetections,
  expectFirstBoxes,
  facesOfFirstSample,
  modelMeasured,
  openConfiguration,
  panel,
  sentToWorkers,
  setDefaultThreshold,
  shownDetections,
} from './bench-page.ts';
import { builtinDetector, firstSample, temporaryFolder } from './test-media.ts';

const app = useApp();
const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

describe('what the page is for: look, tune, export', () => {
  it('shows boxes on the faces of a photograph without a click, filters again by the slider, asks the worker for nothing, and gives the same boxes in a terminal', async () => {
    const { page } = await app.open({ serviceWorker: true, prepare: countWorkerMessages });
    const faces = await expectFirstBoxes(page);
    for (const [at, expected] of facesOfFirstSample.entries()) {
      const { label, xMin, yMin, xMax, yMax } = faces[at]!;
      expect(label).toBe('face');
      // JPEG decoders differ by a level or two, which moves boxes by a pixel or two.
      expect(Math.abs(xMin - expected.xMin)).toBeLessThan(4);
      expect(Math.abs(yMin - expected.yMin)).toBeLessThan(4);
      expect(Math.abs(xMax - expected.xMax)).toBeLessThan(4);
      expect(Math.abs(yMax - expected.yMax)).toBeLessThan(4);
    }
    await expect.poll(() => drawnPixels(page)).toBeGreaterThan(1000);
    await expect.poll(() => page.locator('main').innerText()).toContain('1920 × 1280');

    await modelMeasured(page);
    const slider = page.getByRole('slider', { name: 'Default threshold' });
    const before = await sentToWorkers(page);

    await slider.press('End'); // 1: no score reaches it
    await expectDetections(page, 0);
    await expect.poll(() => drawnPixels(page)).toBe(0);
    await panel(page, 'Results').getByText('0 kept · 9 dropped').waitFor();

    await slider.press('Home'); // 0: no filter
    await expectDetections(page, 9);
    await slider.fill('0.9');
    const [best] = await expectDetections(page, 1);
    expect(best!.score).toBeGreaterThanOrEqual(0.9);
    await slider.fill('0.5');
    await expectFirstBoxes(page);
    expect(await sentToWorkers(page)).toBe(before);

    // A terminal gives the same boxes.
    await openPanel(page, 'Transforms');
    await page.getByRole('button', { name: 'crop', exact: true }).click();
    await page.getByTitle('Show the frame: crop').waitFor();
    await setDefaultThreshold(page, '0.2');
    await page.getByRole('tab', { name: 'By label' }).click();
    await expect.poll(async () => (await shownDetections(page)).length).toBeGreaterThan(2);
    const shown = await shownDetections(page);
    const drawer = await openConfiguration(page);
    await drawer.getByRole('tab', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      drawer.getByRole('button', { name: 'Download' }).click(),
    ]);
    const config = join(folder, 'machine.json');
    writeFileSync(config, readFileSync(await download.path()));
    const args = ['--config', config, '--vision', 'detector', '--camera', 'tuned-camera'];
    const { stdout } = await promisify(execFile)(process.execPath, [
      'bin/sightglass.js',
      'detect',
      ...args,
      '--model',
      builtinDetector.model,
      '--labels',
      builtinDetector.labels,
      firstSample,
    ]);
    const { detections } = JSON.parse(stdout) as { detections: { label: string; score: number }[] };
    expect(detections.map((found) => ({ ...found, score: Number(found.score.toFixed(3)) }))).toEqual(shown);
    await panel(page, 'Transforms').getByText('1536×1024').first().waitFor();
  });
});
