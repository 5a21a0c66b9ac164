import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright';
import { fakeCameraFlags } from '../../scripts/chromium.ts';
import { useApp } from './app.ts';
import { checkAtBothSizes } from './axe.ts';
import { chooseFrom, expectFirstBoxes, panel } from './bench-page.ts';

interface Report {
  readonly source: string;
  readonly model: { readonly fileName: string };
  readonly frames: { readonly frames: number; readonly each: readonly Record<string, number>[] };
  readonly operators: { readonly runs: number; readonly advice: readonly { readonly title: string }[] } | null;
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Where the time goes' });

async function exported(page: Page): Promise<Report> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('button', { name: 'Export as JSON' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('sightglass-profile.json');
  return JSON.parse(readFileSync(await download.path(), 'utf8')) as Report;
}

describe('the profile', () => {
  const app = useApp(undefined, () => fakeCameraFlags);

  it('says where the time of a webcam’s frames goes, goes away by Escape, is had as JSON, and runs the model operator by operator', async () => {
    const { page } = await app.open({ permissions: ['camera'] });
    await expectFirstBoxes(page);
    await page.getByRole('tab', { name: 'Webcam' }).click();
    await panel(page, 'Source').getByRole('button', { name: 'Start' }).click();
    await panel(page, 'Source').getByText('webcam live').waitFor();

    await chooseFrom(page, 'Stage menu', 'Profile: where the time goes');
    await dialog(page)
      .getByText(/\d+ frames of/)
      .waitFor();
    await dialog(page)
      .getByRole('row', { name: /^Inference/ })
      .waitFor();
    const { frames, model, operators } = await exported(page);
    expect(model.fileName).toBe('face-detector.onnx');
    expect(operators).toBeNull();
    expect(frames.each).toHaveLength(frames.frames);
    for (const { total, ...stages } of frames.each) {
      // The stages, measured in two threads, must add up to the total that the page measured.
      const sum = Object.values(stages).reduce((before, ms) => before + ms, 0);
      expect(Math.abs(sum - total!)).toBeLessThan(1);
      expect(stages['inference']).toBeGreaterThan(0);
      expect(stages['draw']).toBeGreaterThanOrEqual(0);
    }

    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    // Shortcuts work again after the dialog has closed.
    await panel(page, 'Source').getByRole('button', { name: 'Stop' }).click();
    const openByKey = async () => {
      await page.keyboard.press('p');
      return dialog(page).isVisible();
    };
    await page.locator('h1').click();
    await expect.poll(openByKey).toBe(true);

    // The model is run operator by operator, for everyone.
    await dialog(page).getByRole('button', { name: 'Profile this model' }).click();
    await dialog(page).getByRole('button', { name: 'Profile it again' }).waitFor();
    await dialog(page)
      .getByRole('row', { name: /^FusedConv/ })
      .waitFor();
    await dialog(page)
      .getByText(/This model spends \d+ % in FusedConv/)
      .waitFor();
    expect((await exported(page)).operators!.runs).toBeGreaterThanOrEqual(3);
    await checkAtBothSizes(page, 'profile');
  });
});
