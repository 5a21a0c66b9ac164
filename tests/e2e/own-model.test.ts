import { encode } from 'fast-png';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { brightestPixelDetector, channelMeansClassifier, fixedDetector } from '../models.ts';
import { useApp } from './app.ts';
import {
  chooseFrom,
  expectDetections,
  expectFirstBoxes,
  importConfiguration,
  panel,
  pickModel,
  shownDetections,
} from './bench-page.ts';
import { dropOnBench } from './dropped-files.ts';

const app = useApp();

const twoBoxes = {
  boxes: [
    [0.25, 0.5, 0.75, 1],
    [0, 0, 0.5, 0.5],
  ],
  categories: [1, 0],
  scores: [0.9, 0.4],
};

function configWith(attributes: object): string {
  const service = { mlmodel_name: 'own-model', default_minimum_confidence: 0.5, ...attributes };
  const models = { name: 'own-model', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu' };
  const vision = { name: 'own-detector', api: 'rdk:service:vision', model: 'mlmodel', attributes: service };
  return JSON.stringify({ services: [models, vision] }, null, 2);
}

describe('a model of one’s own', () => {
  it('runs with uint8 pixels channels last, takes a labels file that fits, stays while others are refused, and comes back from this browser’s storage', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    await pickModel(page, 'two-boxes.onnx', fixedDetector({ input: { dtype: 'uint8' }, ...twoBoxes }));
    const whole = { xMin: 959, yMin: 319, xMax: 1919, yMax: 959 }; // of 1920×1280, by the machine's whole-pixel rule
    expect(await expectDetections(page, 1)).toEqual([{ label: '1', score: 0.9, ...whole }]);
    await panel(page, 'Results').getByText('1 kept · 1 dropped').waitFor();

    const model = panel(page, 'Model');
    await model.getByText('two-boxes.onnx').waitFor();
    await model.locator('summary', { hasText: 'Labels' }).click();
    await model
      .getByLabel('Label file')
      .setInputFiles({ name: 'zoo.txt', mimeType: 'text/plain', buffer: Buffer.from('lynx\nwolf\n') });
    await expect.poll(async () => (await expectDetections(page, 1))[0]!.label).toBe('wolf');
    await model.getByText('from zoo.txt').waitFor();
    await model.locator('summary', { hasText: 'Inspect' }).click();
    await expect
      .poll(() => model.innerText())
      .toMatch(/image\s+uint8\s+1 × height × width × 3[\s\S]*SHA-256\s+[0-9a-f]{64}/);

    const label = async () => (await expectDetections(page, 1))[0]!.label;
    await dropOnBench(page, [{ name: 'garbage.txt', bytes: Uint8Array.of(0xff, 0xfe) }]);
    await page.getByText('garbage.txt: 1 name. The previous list has 2. “\uFFFD\uFFFD” is not UTF-8 text.').waitFor();
    expect(await label()).toBe('wolf');
    await page.getByRole('button', { name: 'Use it anyway' }).waitFor();
    await page.getByRole('button', { name: 'Keep the previous' }).click();
    await page.getByRole('button', { name: 'Keep the previous' }).waitFor({ state: 'detached' });

    await model.locator('summary', { hasText: 'Labels' }).click();

    // A file that is none is refused, and the model goes on running.
    await pickModel(page, 'page.onnx', '<!doctype html><title>Sign in</title>');
    const alert = model.getByRole('alert');
    await expect.poll(() => alert.innerText()).toMatch(/page\.onnx.*not an ONNX model.*looks like a web page/s);
    await expectDetections(page, 1);
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await alert.waitFor({ state: 'detached' });

    const folder = await mkdtemp(join(tmpdir(), 'sightglass-'));
    const vast = join(folder, 'vast.onnx');
    await writeFile(vast, '');
    await truncate(vast, 2.5 * 2 ** 30); // zeros, which take no room on most disks
    await pickModel(page, vast);
    const words = 'It has 2.7 GB, and opening it takes at least 5.4 GB: a browser gives a model 4.3 GB at most.';
    await panel(page, 'Model').getByText(words).waitFor();
    await rm(folder, { recursive: true });
    await expectDetections(page, 1);
    await model.getByText('two-boxes.onnx').first().waitFor();

    await model.getByRole('button', { name: /Unload/ }).click();
    await panel(page, 'Results').getByText('No model yet').waitFor();
    await model.getByRole('button', { name: /^two-boxes\.onnx/ }).click();
    await expectDetections(page, 1);
    await page.reload();
    await expectDetections(page, 1);
    await model.getByRole('button', { name: 'Change' }).click();
    await model.getByRole('button', { name: 'Remove two-boxes.onnx from this browser' }).click();
    await expect.poll(() => model.getByRole('button', { name: /^two-boxes\.onnx/ }).count()).toBe(0);
    await page.reload();
    await model.getByText('detector runs two-boxes.onnx on the machine. That model is not loaded here.').waitFor();
  });

  it('sees the picture channels first, is called by its own names, classifies, and is read and renamed as one click says', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    const data = new Uint8Array(16 * 16 * 3);
    data.fill(255, 3 * (3 * 16 + 5), 3 * (3 * 16 + 6)); // one white pixel at x 5, y 3
    await dropOnBench(page, [{ name: 'one-pixel.png', bytes: encode({ width: 16, height: 16, channels: 3, data }) }]);
    await expectDetections(page, 0);
    const input = { layout: 'NCHW', heightPx: 16, widthPx: 16 } as const;
    await dropOnBench(page, [{ name: 'brightest.onnx', bytes: brightestPixelDetector({ input }) }]);
    expect(await expectDetections(page, 1)).toEqual([{ label: '0', score: 1, xMin: 4, yMin: 2, xMax: 5, yMax: 3 }]);

    const metadata = { names: "{0: 'cat', 1: 'dog'}" };
    await pickModel(page, 'pets.onnx', fixedDetector({ input: { dtype: 'uint8' }, metadata, ...twoBoxes }));
    const label = async () => (await expectDetections(page, 1))[0]!.label;
    await expect.poll(label).toBe('1 (dog?)');
    const [model, results] = [panel(page, 'Model'), panel(page, 'Results')];
    await results.getByText('The machine will report 1. The model file calls it “dog”.').waitFor();
    await results.getByRole('button', { name: 'Use the model’s labels' }).click();
    await expect.poll(label).toBe('dog');
    await results.getByRole('button', { name: 'Use the model’s labels' }).waitFor({ state: 'detached' });

    await model.locator('summary', { hasText: 'Labels' }).click();
    const download = page.waitForEvent('download');
    await model.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('pets.labels.txt');
    expect(await readFile(await (await download).path(), 'utf8')).toBe('cat\ndog\n');

    await page.keyboard.press('Control+z');
    await expect.poll(label).toBe('1 (dog?)');
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(label).toBe('dog');

    await model.locator('summary', { hasText: 'Labels' }).click();

    // It classifies where it reports probabilities.
    await chooseFrom(page, 'Recent', 'Sample photographs');
    await pickModel(page, 'means.onnx', channelMeansClassifier({ input: { dtype: 'uint8' } }));
    const list = page.getByRole('region', { name: 'Classifications' });
    await list.getByRole('spinbutton', { name: /How many classifications/ }).waitFor();
    // Softmax of very different means: red gets the score 1 for the reddish picture.
    await expect.poll(() => list.locator('li').first().innerText()).toMatch(/^1\s+0\s+1\.000/);

    // The ways to read boxes are pictures.
    const boxes = [
      [0.1, 0.2, 0.4, 0.9],
      [0.5, 0.1, 0.9, 0.3],
    ];
    await pickModel(page, 'same-always.onnx', fixedDetector({ boxes, categories: [0, 0], scores: [0.9, 0.8] }));
    const pictures = model.getByRole('region', { name: 'Ways to read this model' });
    // The model gives symmetric results, so only a person can distinguish x and y.
    await pictures.getByRole('button', { name: 'boxes are x, y, x, y' }).focus();
    await page.keyboard.press('Enter');
    await model.getByText('Wrote into the configuration: boxes are x, y, x, y.').waitFor();
    await pictures.waitFor({ state: 'detached' });
    await expect
      .poll(async () => (await shownDetections(page))[0])
      .toMatchObject({ xMin: 191, yMin: 255, xMax: 767, yMax: 1151 });
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await shownDetections(page))[0]?.xMin).toBe(383);

    // One that no configuration says is written into the model.
    const build = new GraphBuilder();
    build.input('image', 'float32', [1, 3, 32, 32]);
    const rows = [0, 1, 2, 3, 4, 5, 6, 7];
    const corners = rows.flatMap((row) => [row / 16, row / 32, row / 16 + 0.3, row / 32 + 0.4]);
    build.output('corners', build.floats([1, 8, 4], corners), 'float32', [1, 8, 4]);
    const logits = rows.map((row) => 3 - row);
    build.output('logits', build.floats([1, 8, 1], logits), 'float32', [1, 8, 1]);
    await pickModel(page, 'logits.onnx', build.build({ graphName: 'g', producer: 'p', opset: 18 }));
    const ways = model.getByRole('region', { name: 'Ways to read this model' });
    await ways.getByRole('button', { name: /y, x, y, x, scores still need sigmoid/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Make it machine-ready' });
    await dialog.getByRole('button', { name: 'Use it here' }).and(page.locator(':enabled')).waitFor();
    await expect.poll(() => dialog.getByLabel(/activation/i).innerText()).toContain('sigmoid');
    await dialog.getByRole('button', { name: 'Use it here' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await shownDetections(page))[0]?.score).toBe(0.953); // the sigmoid of 3

    // The picture is named by itself; taken back, the page says what is missing, and writes it when told to.
    await importConfiguration(page, configWith({}));
    const names = { outputNames: ['boxes', 'classes', 'confidences'] } as const;
    await pickModel(page, 'named-otherwise.onnx', fixedDetector({ input: { name: 'pixels' }, ...twoBoxes, ...names }));
    await model.getByText('Wrote into remap_input_names: the model’s “pixels” is “image”.').waitFor();
    await expectDetections(page, 1);
    await model.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => model.innerText()).toMatch(/"pixels"[\s\S]*remap_input_names/);
    await model.getByRole('button', { name: 'Write the names' }).click();
    await expectDetections(page, 1);
    await importConfiguration(
      page,
      configWith({
        remap_input_names: { pixels: 'image' },
        remap_output_names: { boxes: 'location', classes: 'category', confidences: 'score' },
      }),
    );
    await expectDetections(page, 1);
    await model.locator('summary', { hasText: 'Detections' }).click();
    await expect.poll(() => model.innerText()).toMatch(/location\s+boxes/);
  });
});
