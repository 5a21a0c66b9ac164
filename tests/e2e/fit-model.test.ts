import { unzipSync } from 'fflate';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { lint } from '../../src/machine/config/lint/lint.ts';
import { parseMachineConfig } from '../../src/machine/config/parse/parse-machine-config.ts';
import { readModel } from '../../src/models/onnx/read-model.ts';
import { tfliteHead } from '../fit/tflite-heads.ts';
import { headModel } from '../fit/head-models.ts';
import { yoloV8Model } from '../fit/yolo-v8-model.ts';
import { useApp } from './app.ts';
import { sideways, violations } from './axe.ts';
import { expectDetections, expectFirstBoxes, panel, pickModel } from './bench-page.ts';

const app = useApp();

/** A 64×64 model. Letterboxing scales a 1920×1280 picture by 1/30, to a height of 43 with 10 rows of padding above. */
const model = yoloV8Model(
  [
    { centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] },
    { centreX: 50, centreY: 40, width: 8, height: 12, scores: [0.2, 0.7] },
  ],
  { metadata: { names: "{0: 'cat', 1: 'dog'}" } },
);

/** The same with boxes as shares of the input, behind a product with a stride that says pixels. */
const shares = yoloV8Model([
  { centreX: 20 / 64, centreY: 30 / 64, width: 16 / 64, height: 8 / 64, scores: [0.9, 0.1] },
  { centreX: 50 / 64, centreY: 40 / 64, width: 8 / 64, height: 12 / 64, scores: [0.2, 0.7] },
]);

/** A classifier of which nothing says how it was fed. */
const classes = headModel({}, (build) => {
  build.output('scores', build.add('Identity', [build.floats([1, 3], [1, 2, 3])]), 'float32', [1, 3]);
});

/** A TensorFlow Lite head, of whose cells the first has a box of the first class. */
function tflitePets(): Uint8Array<ArrayBuffer> {
  const cells = 84;
  const boxes = Array.from({ length: 4 * cells }, () => 0.1);
  const logits = Array.from({ length: 2 * cells }, () => -9);
  // Of the columns of the first cell: centre 0.25, 0.5 and size 0.3, 0.4, of the first class.
  [0.25, 0.5, 0.3, 0.4].forEach((value, k) => (boxes[k * cells] = value));
  logits[0] = 2;
  return tfliteHead({}, ({ build, layer }) => {
    const shares = build.add('Mul', [layer([1, 4, cells], boxes), build.floats([1, 1, 1], [1])]);
    const scores = build.add('Sigmoid', [layer([1, 2, cells], logits)]);
    return { 'StatefulPartitionedCall:0': build.add('Concat', [shares, scores], { axis: { int: 1 } }) };
  });
}

async function openDialog(page: Page) {
  const offer = panel(page, 'Model').getByRole('button', { name: 'Make it machine-ready' });
  await offer.focus();
  await offer.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Make it machine-ready' });
  await dialog.getByText('viam:mlmodel:onnx-cpu loads it.').waitFor();
  return dialog;
}

describe('a model that the machine does not take as it is', () => {
  it('is handed out with a clean configuration, made machine-ready by the keyboard, brought back by undo, and there in a later visit', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    await pickModel(page, 'pets.onnx', model);
    await panel(page, 'Model')
      .getByText('This is a detector of 2 classes, of the kind YOLOv8, YOLO11, YOLO12.')
      .waitFor();
    await panel(page, 'Model').getByText('It runs, but gives no boxes yet.').waitFor();
    await panel(page, 'Results').getByText('They appear once the model is machine-ready.').waitFor();
    expect(await panel(page, 'Model').innerText()).not.toMatch(
      /loads this model as it is|raw detector head|Wrote into/,
    );
    const dialog = await openDialog(page);
    await dialog.getByText('Why this kind').click();
    await dialog.getByRole('list', { name: 'Evidence' }).getByText('2 class scores').waitFor();
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('pets.fitted.zip');
    const files = unzipSync(new Uint8Array(await readFile(await (await download).path())));
    expect(Object.keys(files)).toEqual(['pets.fitted.onnx', 'pets.fitted.labels.txt', 'pets.fitted.machine.json']);
    const textOf = (name: string) => new TextDecoder().decode(files[name]);
    expect(textOf('pets.fitted.labels.txt')).toBe('cat\ndog\n');
    const configuration = textOf('pets.fitted.machine.json');
    expect(parseMachineConfig(configuration).problems).toEqual([]);
    const { inputs, outputs } = readModel(files['pets.fitted.onnx']!);
    expect(lint(configuration, { v: { inputs, outputs, labels: ['cat', 'dog'] } })).toEqual([]);
    expect(outputs.map(({ name }) => name)).toEqual(['location', 'category', 'score']);
    await dialog.getByRole('combobox', { name: 'Kind of model' }).press('Enter');
    await page.keyboard.press('Escape');
    await dialog.getByText('Options', { exact: true }).first().click();
    await dialog.getByRole('spinbutton', { name: 'IoU threshold' }).press('Enter');
    await dialog.waitFor({ state: 'hidden' });

    const boxes = await expectDetections(page, 2);
    const wanted = [
      { label: 'cat', score: 0.9, xMin: 360, yMin: 480, xMax: 840, yMax: 720 },
      { label: 'dog', score: 0.7, xMin: 1380, yMin: 720, xMax: 1620, yMax: 1080 },
    ];
    for (const [at, { label, score, ...sides }] of wanted.entries()) {
      expect(boxes[at]).toMatchObject({ label, score });
      for (const [side, value] of Object.entries(sides))
        expect(Math.abs(boxes[at]![side as keyof typeof sides] - value)).toBeLessThanOrEqual(15);
    }
    await panel(page, 'Model').getByText('pets.fitted.onnx').waitFor();

    await page.keyboard.press('Control+z');
    await panel(page, 'Model').getByText('pets.onnx', { exact: true }).waitFor();
    await panel(page, 'Model').getByRole('button', { name: 'Make it machine-ready' }).waitFor();
    await page.keyboard.press('Control+Shift+z');
    await panel(page, 'Model').getByText('pets.fitted.onnx').waitFor();
    expect((await expectDetections(page, 2)).map(({ label }) => label)).toEqual(['cat', 'dog']);

    // The configuration names it: it is beside the export, also of a later visit, which never saw the dialog.
    await page.reload();
    await expectDetections(page, 2);
    await page.getByRole('button', { name: 'Export configuration' }).click();
    await page.getByText('The JSON names pets.fitted.onnx and pets.fitted.labels.txt.').waitFor();
    const beside = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Model file' }).click();
    expect((await beside).suggestedFilename()).toBe('pets.fitted.onnx');
    expect(new Uint8Array(await readFile(await (await beside).path()))).toEqual(files['pets.fitted.onnx']);
  });

  it('takes no labels of a file that is no text, fits a phone, is no success where its boxes cannot be right, and is called fed by a guess where it is', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    await pickModel(page, 'pets.onnx', model);
    const dialog = await openDialog(page);
    const picker = dialog.getByLabel('Label file');
    await picker.setInputFiles({ name: 'pets.onnx', mimeType: '', buffer: Buffer.from(model) });
    await dialog.getByText('pets.onnx is not a text file, so it has no labels.').waitFor();
    await picker.setInputFiles({ name: 'zoo.txt', mimeType: 'text/plain', buffer: Buffer.from('lynx\nwolf\n') });
    await dialog.getByText('pets.onnx is not a text file').waitFor({ state: 'detached' });
    await expect.poll(() => dialog.getByRole('combobox', { name: 'Labels', exact: true }).inputValue()).toBe('file');
    expect(await violations(page, 'fitting')).toEqual([]);
    await dialog.getByRole('button', { name: 'Show the fitted graph' }).click();
    const graph = page.getByRole('dialog', { name: 'Graph of pets.fitted.onnx' });
    await graph.getByRole('button', { name: 'NonMaxSuppression, selection, added by Sightglass' }).waitFor();
    expect(await violations(page, 'the fitted graph', { dark: true })).toEqual([]);
    await graph.getByRole('tab', { name: 'List' }).click();
    expect(await violations(page, 'the fitted graph in words')).toEqual([]);
    await page.keyboard.press('Escape');
    await graph.waitFor({ state: 'hidden' });
    await dialog.getByRole('combobox', { name: 'Kind of model' }).selectOption('guided');
    await dialog.getByRole('combobox', { name: 'Box form' }).waitFor();
    const picture = dialog.getByRole('region', { name: 'What the choices give on this frame' });
    await picture.getByText('2 boxes, best 0.90').waitFor();
    await dialog.getByRole('combobox', { name: 'Box unit' }).selectOption('proportional');
    await picture.getByText(/reach far outside the frame/).waitFor();
    expect(await violations(page, 'fitting by hand')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => sideways(page)).toBe(0);
    await dialog.getByRole('button', { name: 'Show its graph' }).click();
    await page
      .getByRole('dialog', { name: 'Graph of pets.onnx' })
      .getByText(/of 4 operators/)
      .waitFor();
    await expect.poll(() => sideways(page)).toBe(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1440, height: 900 });

    // Boxes that cannot be right, whose cure is a click away.
    await pickModel(page, 'shares.onnx', shares);
    await panel(page, 'Model').getByText('shares.onnx', { exact: true }).waitFor();
    await panel(page, 'Model').getByRole('button', { name: 'Make it machine-ready' }).press('Enter');
    await picture.getByText(/are thinner than 0.4 % of the frame|All 2 boxes/).waitFor();
    await dialog.getByText('loads it, but its results on this frame are not right').waitFor();
    expect(await violations(page, 'a fit that cannot be right')).toEqual([]);
    await picture.getByRole('button', { name: 'Take box unit proportional: 2 boxes, best 0.90' }).click();
    await picture.waitFor({ state: 'detached' });
    await dialog.getByText('viam:mlmodel:onnx-cpu loads it.', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Use it here' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await expectDetections(page, 2)).map(({ label }) => label)).toEqual(['0', '1']);

    // A classifier of which nothing says how it was fed.
    await pickModel(page, 'classes.onnx', classes);
    await panel(page, 'Model').getByRole('button', { name: 'Make it machine-ready' }).press('Enter');
    await dialog.getByText('How it is fed is a guess. Nothing says how it was fed.').waitFor();
    await dialog.getByRole('button', { name: 'Use it here' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const note = page.getByText('How this model is fed is a guess. Nothing says how it was fed.');
    await note.waitFor();
    expect(await violations(page, 'a guessed feeding')).toEqual([]);
    await page.getByRole('button', { name: 'Check it' }).click();
    await page.getByRole('dialog', { name: 'What is wrong with the results?' }).waitFor();
    await page.keyboard.press('Escape');

    // A TensorFlow Lite model becomes a detector with boxes in its place, in two clicks.
    await pickModel(page, 'pets.tflite', tflitePets());
    await panel(page, 'Model').getByRole('button', { name: 'Make it machine-ready' }).click();
    await dialog.getByText('viam:mlmodel-tflite:tflite_cpu loads it.').waitFor();
    await dialog.getByRole('button', { name: 'Use it here' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const [box] = await expectDetections(page, 1);
    expect(box).toMatchObject({ score: 0.881 });
    // The frame of 1920×1280 is 64×43 in the network's input, with a border of 10 rows above it.
    const sides = { xMin: 192, yMin: 274, xMax: 768, yMax: 1036 };
    for (const [side, value] of Object.entries(sides))
      expect(Math.abs(box![side as keyof typeof sides] - value)).toBeLessThanOrEqual(3);
    await panel(page, 'Model').getByText('pets.fitted.tflite').waitFor();
  });
});
