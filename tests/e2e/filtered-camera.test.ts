import { rmSync } from 'node:fs';
import type { Page } from 'playwright';
import { afterAll, describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { expectFirstBoxes, importConfiguration, panel } from './bench-page.ts';
import { temporaryFolder, twentyGrays, writeCameraFilm } from './test-media.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** A filtered camera that asks two services. */
const twoServices = JSON.stringify({
  components: [
    { name: 'cam', api: 'rdk:component:camera', model: 'webcam', attributes: {} },
    {
      name: 'kept',
      api: 'rdk:component:camera',
      model: 'viam:camera:filtered-camera',
      attributes: {
        camera: 'cam',
        vision_services: [
          { vision: 'grass', objects: { green: 0.5 } },
          { vision: 'sky', objects: { '*': 0.5 } },
        ],
        window_seconds_after: 1,
      },
    },
  ],
  services: ['grass', 'sky'].map((name) => ({
    name,
    api: 'rdk:service:vision',
    model: 'color_detector',
    attributes: { detect_color: '#3366ff', hue_tolerance_pct: 0.1, segment_size_px: 100, camera_name: 'cam' },
  })),
});

/** Adds a filtered camera for what is on the stage, whose section then opens. */
async function addFilter(page: Page) {
  await page.getByRole('button', { name: 'Stage menu' }).click();
  await page.getByRole('menuitem', { name: 'Add a filtered camera' }).press('Enter');
  return panel(page, 'Filtered camera');
}

describe('a filtered camera, live', () => {
  const app = useApp(undefined, () => [
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${writeCameraFilm(folder, 640, 360)}`,
  ]);

  it('says what it would keep of a webcam, takes a line at once, tells of a seek in a video, and sees several services over all of it', async () => {
    const { page } = await app.open({ permissions: ['camera'] });
    await expectFirstBoxes(page);
    const section = await addFilter(page);
    await section.getByText('A picture has no time.').waitFor();
    await page.getByRole('tab', { name: 'Webcam' }).click();
    await panel(page, 'Source').getByRole('button', { name: 'Start' }).click();

    await section.getByText(/^Window open, \d s left$/).waitFor();
    await section.getByText(/^Keeps \d+ images? instead of \d+ \(\d+ %\)\.$/).waitFor();
    await section.getByText(/s counted\..*Frames count as they run here, [\d.]+ a second\./s).waitFor();
    const images = section.getByRole('list').getByRole('listitem');
    const trigger = images.filter({ hasText: 'trigger: face' }).first();
    await trigger.locator('img').waitFor();
    expect(await trigger.getAttribute('aria-label')).toMatch(/^\d\d:\d\d:\d\d UTC, trigger: face$/);
    expect(await violations(page, 'a filtered camera, live')).toEqual([]);

    await section.getByRole('slider', { name: 'Score that face must exceed' }).fill('1');
    await section.getByText(/counted, since the setting changed\./).waitFor();
    await section.getByText('Waits for a trigger').waitFor();
    await section.getByText('Keeps 0 images instead of').waitFor();
    await panel(page, 'Source').getByRole('button', { name: 'Stop' }).click();
    await section.getByText('Stopped: no time passes').waitFor();

    // A video that pauses and is moved.
    await page.getByRole('tab', { name: 'Files' }).click();
    await panel(page, 'Source').locator('input[type=file]').first().setInputFiles(twentyGrays);
    const bar = page.getByRole('toolbar', { name: 'Video' });
    const slider = bar.getByRole('slider', { name: 'Position in the video' });
    await bar.getByRole('button', { name: /^Play/ }).waitFor();
    await section.getByText('Paused: no time passes').waitFor();
    await slider.fill('100');
    await section.getByText(/^The video went from .* to 0:00\.\d\d\./).waitFor();
    await slider.fill('1800');
    await section.getByText(/^The video went from 0:00\.\d\d to 0:01\.\d\d\. The camera starts again there/).waitFor();

    await page.setViewportSize({ width: 390, height: 844 });
    await section.getByText('What a filtered camera would keep').waitFor();
    expect(await sideways(page)).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });

    // All of it, for two services, each of which is run once.
    await importConfiguration(page, twoServices);
    await page.getByRole('button', { name: 'Run all of it' }).click();
    const dialog = page.getByRole('dialog', { name: /^All of/ });
    const isDone = () => dialog.getByText('All 20 frames were run').waitFor();
    await isDone();
    await dialog.getByText('What a filtered camera would keep').click();
    await dialog.getByText('sky did not run here. The preview counts that as if nothing was found.').waitFor();
    await dialog.getByText('Keeps 0 images instead of 2').waitFor();
    await dialog.getByRole('button', { name: 'Run sky too' }).click();
    await dialog.getByText('grass: green above 0.5, 0 let through. Tune that service to drag its lines.').waitFor();
    await isDone();
    expect(await dialog.getByText('did not run here').count()).toBe(0);
    await dialog.getByRole('slider', { name: 'Score that any label must exceed' }).waitFor();
  });
});
