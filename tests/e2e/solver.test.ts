import { describe, expect, it } from 'vitest';
import { useApp } from './app.ts';
import { expectDetections, expectFirstBoxes, importConfiguration, panel } from './bench-page.ts';

const app = useApp();
const config = {
  services: [
    {
      name: 'faces',
      api: 'rdk:service:vision',
      model: 'mlmodel',
      // A wrong order, as if copied from a detector with boxes x, y, x, y.
      attributes: { mlmodel_name: 'm', xmin_ymin_xmax_ymax_order: [0, 1, 2, 3], default_minimum_confidence: 0.5 },
    },
  ],
};

describe('the symptom solver', () => {
  it('takes a wrong order of boxes to the right one with one click, and back by undo', async () => {
    const { page } = await app.open();
    const right = await expectFirstBoxes(page);
    await importConfiguration(page, JSON.stringify(config));
    await expect.poll(async () => (await expectDetections(page, 3))[0]?.xMin).not.toBe(right[0]!.xMin);

    await panel(page, 'Results').getByRole('button', { name: 'Boxes look wrong?' }).click();
    const dialog = page.getByRole('dialog', { name: 'What is wrong with the results?' });
    await dialog.getByRole('button', { name: 'Mirrored or lying' }).click();
    const best = dialog.getByRole('listitem').first();
    await best.getByRole('heading', { name: 'Boxes are y, x, y, x' }).waitFor();
    await best.getByText(/stays in place by \d+ % when the frame is mirrored and moved/).waitFor();
    await best.getByRole('button', { name: 'Use this' }).click();

    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await expectDetections(page, 3))[0]?.xMin).toBe(right[0]!.xMin);
    await panel(page, 'Results').getByText('Wrote into the configuration: Boxes are y, x, y, x.').waitFor();
    await panel(page, 'Results').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await expectDetections(page, 3))[0]?.xMin).not.toBe(right[0]!.xMin);
  });

  it('is given up by Cancel, and left by Esc', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    await panel(page, 'Results').getByRole('button', { name: 'Boxes look wrong?' }).click();
    const dialog = page.getByRole('dialog', { name: 'What is wrong with the results?' });
    await dialog.getByRole('button', { name: 'I am not sure' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('progressbar').waitFor({ state: 'detached' });
    expect(await dialog.getByRole('listitem').count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expectFirstBoxes(page);
  });
});
