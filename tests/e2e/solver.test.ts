import { describe, expect, it } from 'vitest';
import { fitModel } from '../../src/models/fit/fit-model.ts';
import { yoloV8Model } from '../fit/yolo-v8-model.ts';
import { useApp } from './app.ts';
import { expectDetections, expectFirstBoxes, importConfiguration, panel, pickModel } from './bench-page.ts';

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
  it('is given up by Cancel and left by Esc, takes a wrong order of boxes to the right one with one click, and back by undo, and adds the border of a model that learned with one', async () => {
    const { page } = await app.open();
    const right = await expectFirstBoxes(page);
    const results = panel(page, 'Results');
    const dialog = page.getByRole('dialog', { name: 'What is wrong with the results?' });
    await results.getByRole('button', { name: 'Boxes look wrong?' }).click();
    await dialog.getByRole('button', { name: 'I am not sure' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('progressbar').waitFor({ state: 'detached' });
    expect(await dialog.getByRole('listitem').count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await importConfiguration(page, JSON.stringify(config));
    await expect.poll(async () => (await expectDetections(page, 3))[0]?.xMin).not.toBe(right[0]!.xMin);

    await results.getByRole('button', { name: 'Boxes look wrong?' }).click();
    await dialog.getByRole('button', { name: 'Mirrored or sideways' }).click();
    const best = dialog.getByRole('listitem').first();
    await best.getByRole('heading', { name: 'Boxes are y, x, y, x' }).waitFor();
    await best.getByText(/stays in place by \d+ % when the frame is mirrored and moved/).waitFor();
    await best.getByRole('button', { name: 'Use this' }).click();

    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await expectDetections(page, 3))[0]?.xMin).toBe(right[0]!.xMin);
    await results.getByText('Wrote into the configuration: Boxes are y, x, y, x.').waitFor();
    await results.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await expectDetections(page, 3))[0]?.xMin).not.toBe(right[0]!.xMin);

    // The border of a model that learned with one is added with one click, and taken away by undo.
    // Its boxes are the same for every picture, so only what the file says of its training speaks.
    const source = yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }]);
    const labels = ['cat', 'dog'];
    const { model, configuration } = fitModel(source, { labels, options: { letterbox: 'stretch' }, modelFile: 'pets.onnx', labelFile: 'pets.labels.txt' }); // prettier-ignore
    await importConfiguration(page, JSON.stringify(configuration));
    await pickModel(page, 'pets.onnx', model);
    const [stretched] = await expectDetections(page, 1);
    await results.getByRole('button', { name: 'Boxes look wrong?' }).click();
    await dialog.getByRole('button', { name: 'I am not sure' }).click();
    const bordered = dialog.getByRole('listitem').first();
    await bordered.getByText('The model file says that it learned from pictures with a border around them.').waitFor();
    await bordered.getByRole('button', { name: 'Add the border' }).click();

    await results.getByText('Wrote the border of its training into the model').waitFor();
    await panel(page, 'Model').getByText('pets.padded.onnx').waitFor();
    await expect
      .poll(async () => (await expectDetections(page, 1))[0])
      .toMatchObject({ label: 'cat', xMin: stretched!.xMin });
    await expect.poll(async () => (await expectDetections(page, 1))[0]!.yMin).not.toBe(stretched!.yMin);
    await results.getByRole('button', { name: 'Download the model' }).waitFor();
    await results.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await expectDetections(page, 1))[0]).toEqual(stretched);
    await panel(page, 'Model').getByText('pets.onnx', { exact: true }).waitFor();
  });
});
