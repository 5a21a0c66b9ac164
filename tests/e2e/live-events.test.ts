import { rmSync } from 'node:fs';
import type { Page } from 'playwright';
import { afterAll, describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { expectFirstBoxes, panel } from './bench-page.ts';
import { temporaryFolder, twentyGrays, writeCameraFilm } from './test-media.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** Opens or closes the section of events. */
async function toggleEvents(page: Page) {
  await page.getByRole('button', { name: 'Stage menu' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Events of the labels' }).press('Enter');
  return panel(page, 'Events');
}

describe('events of the labels, live', () => {
  const app = useApp(undefined, () => [
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${writeCameraFilm(folder, 640, 360)}`,
  ]);

  it('says since when an event is on, under the rule that is set, gives its code, and starts again where a video is moved', async () => {
    const { page } = await app.open({ permissions: ['camera'] });
    await expectFirstBoxes(page);
    const section = await toggleEvents(page);
    await section.getByText('A picture has no time.').waitFor();
    await page.getByRole('tab', { name: 'Webcam' }).click();
    await panel(page, 'Source').getByRole('button', { name: 'Start' }).click();

    const labels = section.getByRole('list', { name: 'Labels' });
    await labels.getByText(/^event on for [\d.]+ (s|ms)$/).waitFor();
    const last = section.getByRole('list', { name: /^The last events/ }).getByRole('listitem');
    await expect.poll(() => last.first().innerText()).toMatch(/^\d\d:\d\d:\d\d UTC\s+face\s+[\d.]+ m?s · 0\.\d\d$/);
    await section.getByText(/Frames count as they run here, [\d.]+ a second\./).waitFor();
    expect(await violations(page, 'events, live')).toEqual([]);

    const setNumber = async (name: string, value: string) => {
      const field = section.getByRole('spinbutton', { name });
      await field.fill(value);
      await field.press('Enter');
    };
    // No face has this score: the rule starts again, and finds nothing.
    await setNumber('Score from which a frame counts for the beginning of an event', '1');
    await section.getByText(/^0 events, [\d.]+ m?s counted, since the setting changed\./).waitFor();
    await section.getByText('No event yet.').waitFor();
    await setNumber('Score from which a frame counts for the beginning of an event', '0.5');
    await labels.getByText(/^event on for/).waitFor();
    await section.getByRole('button', { name: 'Copy this rule as code' }).click();
    const code = page.getByRole('dialog', { name: 'The rule of events as code' });
    await code.getByText('(2, 0) if label in before else (3, 0.5)').waitFor();
    await page.keyboard.press('Escape');
    await code.waitFor({ state: 'hidden' });

    await panel(page, 'Source').getByRole('button', { name: 'Stop' }).click();
    await section.getByText('Stopped: no time passes').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await section.getByText('Stopped: no time passes').waitFor();
    expect(await sideways(page)).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });

    // It starts again where a video is moved, says so, and counts nothing while it is closed.
    await page.getByRole('tab', { name: 'Files' }).click();
    await panel(page, 'Source').locator('input[type=file]').first().setInputFiles(twentyGrays);
    const bar = page.getByRole('toolbar', { name: 'Video' });
    const slider = bar.getByRole('slider', { name: 'Position in the video' });
    await bar.getByRole('button', { name: /^Play/ }).waitFor();
    await section.getByText('Paused: no time passes').waitFor();
    await slider.fill('100');
    await section.getByText(/^The video went from .* to 0:00\.\d\d\./).waitFor();
    await slider.fill('1800');
    const told = section.getByText(/^The video went from 0:00\.\d\d to 0:01\.\d\d\. The rule starts again there\.$/);
    await told.waitFor();
    const title = section.locator('summary');
    await title.click();
    await told.waitFor({ state: 'detached' });
    await slider.fill('100');
    await title.click();
    await section.getByText('Waits for the first frame').waitFor();
    await toggleEvents(page);
    await section.waitFor({ state: 'detached' });
  });
});
