import { existsSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { headModel } from '../fit/head-models.ts';
import { tfliteHead } from '../fit/tflite-heads.ts';
import { yoloV8Model } from '../fit/yolo-v8-model.ts';
import { channelMeansClassifier, fixedDetector } from '../models.ts';
import { tfliteChannelMeans } from '../tflite-models.ts';
import { useApp } from './app.ts';
import { expectFirstBoxes, panel } from './bench-page.ts';
import { dropOnBench } from './dropped-files.ts';
import { sharedData } from './test-media.ts';

const app = useApp();

/** What a person sees after a drop, without a click. */
type Standing = 'machine-ready' | 'runs as it is' | 'not machine-ready';

interface Dropped {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly standing: Standing;
  /** after *Make it machine-ready* and *Use it here*, where it was not ready: what the first row of the results begins with */
  readonly label?: string;
}

/** 96×64 pixels have 126 cells: of 64×64 there are 84, as many as columns for 80 classes. */
const size = { widthPx: 96, heightPx: 64 };
const cells = 126;
/** Columns of one object of class `best`, in the first cell, as shares of the picture. */
function columnsOf(classCount: number, best: number) {
  const boxes = Array.from({ length: 4 * cells }, () => 0.1);
  [0.25, 0.5, 0.3, 0.4].forEach((value, k) => (boxes[k * cells] = value));
  const logits = Array.from({ length: classCount * cells }, (_, at) => (at === best * cells ? 2 : -9));
  return { boxes, logits };
}

/** The head of a YOLOv8. */
function rawOnnx(classCount: number, best: number): Uint8Array {
  const { boxes, logits } = columnsOf(classCount, best);
  const pixels = boxes.map((share, at) => share * (Math.floor(at / cells) % 2 === 0 ? size.widthPx : size.heightPx));
  return headModel(size, (build) => {
    const decoded = build.add('Mul', [build.floats([1, 4, cells], pixels), build.floats([], [1])]);
    const sure = build.add('Sigmoid', [build.floats([1, classCount, cells], logits)]);
    const output = build.add('Concat', [decoded, sure], { axis: { int: 1 } });
    build.output('output0', output, 'float32', [1, 4 + classCount, cells]);
  });
}

/** The same in TensorFlow Lite. */
function rawTflite(classCount: number): Uint8Array {
  const { boxes, logits } = columnsOf(classCount, 0);
  return tfliteHead(size, ({ build, layer }) => {
    const shares = build.add('Mul', [layer([1, 4, cells], boxes), build.floats([1, 1, 1], [1])]);
    const sure = build.add('Sigmoid', [layer([1, classCount, cells], logits)]);
    return { 'StatefulPartitionedCall:0': build.add('Concat', [shares, sure], { axis: { int: 1 } }) };
  });
}

/** An RT-DETR, which has a second input that the machine does not fill. */
const twoInputs = headModel({}, (build) => {
  const asked = build.input('orig_target_sizes', 'int64', [1, 2]);
  const twice = build.add('Tile', [build.add('Cast', [asked], { to: { int: 1 } }), build.ints([2], [1, 2])]);
  const boxes = build.add('Mul', [build.floats([1, 2, 4], [0.1, 0.2, 0.4, 0.9, 0.5, 0.1, 0.9, 0.3]), twice]);
  build.output('labels', build.ints([1, 2], [16, 0]), 'int64', [1, 2]);
  build.output('boxes', boxes, 'float32', [1, 2, 4]);
  build.output('scores', build.floats([1, 2], [0.9, 0.8]), 'float32', [1, 2]);
});

const twoBoxes = {
  boxes: [
    [0.25, 0.5, 0.75, 1],
    [0, 0, 0.5, 0.5],
  ],
  categories: [1, 0],
  scores: [0.9, 0.4],
};
const named = { metadata: { names: "{0: 'cat', 1: 'dog'}" } };

const made: readonly Dropped[] = [
  { name: 'yolov8n.onnx', bytes: rawOnnx(80, 16), standing: 'not machine-ready', label: 'dog' },
  {
    name: 'pets.onnx',
    bytes: yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.1, 0.9] }], named),
    standing: 'not machine-ready',
    label: 'dog',
  },
  { name: 'face.onnx', bytes: rawOnnx(1, 0), standing: 'not machine-ready', label: 'face' },
  { name: 'three-things.onnx', bytes: rawOnnx(3, 2), standing: 'not machine-ready', label: '2' },
  { name: 'raw.tflite', bytes: rawTflite(80), standing: 'not machine-ready', label: 'person' },
  { name: 'one-person.tflite', bytes: rawTflite(1), standing: 'not machine-ready', label: 'person' },
  { name: 'detr_coco.onnx', bytes: twoInputs, standing: 'not machine-ready', label: 'dog' },
  {
    name: 'two-boxes.onnx',
    bytes: fixedDetector({ input: { dtype: 'uint8' }, ...twoBoxes }),
    standing: 'machine-ready',
  },
  {
    name: 'other-names.onnx',
    bytes: fixedDetector({ input: { name: 'pixels' }, ...twoBoxes, outputNames: ['boxes', 'classes', 'confidences'] }),
    standing: 'machine-ready',
  },
  { name: 'means.onnx', bytes: channelMeansClassifier({ input: { dtype: 'uint8' } }), standing: 'machine-ready' },
  { name: 'means.tflite', bytes: tfliteChannelMeans({ heightPx: 16, widthPx: 16 }), standing: 'machine-ready' },
  {
    name: 'unfed.onnx',
    bytes: headModel({}, (build) =>
      build.output('scores', build.add('Identity', [build.floats([1, 3], [1, 2, 3])]), 'float32', [1, 3]),
    ),
    standing: 'runs as it is',
  },
];

const published: readonly Omit<Dropped, 'bytes'>[] = [
  { name: 'yolox_nano_416.onnx', standing: 'not machine-ready', label: 'person' },
  { name: 'FastestDet_ortx.onnx', standing: 'not machine-ready', label: 'person' },
  { name: 'nanodet_m_320.onnx', standing: 'not machine-ready', label: 'person' },
  { name: 'deimv2_hgnetv2_atto_coco.onnx', standing: 'not machine-ready', label: 'person' },
  { name: 'light_person.tflite', standing: 'not machine-ready', label: 'person' },
  { name: 'face_detection_back.tflite', standing: 'not machine-ready', label: 'face' },
  { name: 'SqueezeNet_fp16_winml.onnx', standing: 'not machine-ready' },
  { name: 'ultraface_RFB-320.onnx', standing: 'runs as it is', label: 'face' },
  { name: 'mobilenet_v2_1.0_224_quant.tflite', standing: 'runs as it is' },
  { name: 'ssd_mobilenet_v1_coco_quant.tflite', standing: 'machine-ready' },
];

const good = /loads this model as it is|^machine-ready$|^runs as it is$/m;
const bad =
  /^not machine-ready$|gives no (boxes|classes) yet|does not (run|load)|^No (detections|classifications)\b|^Neither |cannot be remapped|does not fit the machine|look wrong\?/m;

/** What the page says of the model, all panels and the stage, once it was tried; and never both good and bad. */
async function expectOneVoice(page: Page, { name, standing }: Pick<Dropped, 'name' | 'standing'>): Promise<void> {
  const model = panel(page, 'Model');
  await model.getByText(name, { exact: true }).waitFor();
  await expect.poll(() => model.getByRole('status').first().innerText()).toBe(standing);
  await page.getByText('Waiting for the first result').waitFor({ state: 'detached' });
  const words = await page.locator('body').innerText();
  const says = (pattern: RegExp) => [...words.matchAll(new RegExp(pattern, 'gm'))].map(([match]) => match);
  if (standing === 'not machine-ready') {
    expect(says(good)).toEqual([]);
    expect(await model.getByRole('region', { name: 'Not machine-ready' }).count()).toBe(1);
    expect(await model.getByRole('alert').count()).toBe(0);
    expect(words).not.toMatch(/look wrong\?|note on the stage/);
  } else {
    expect(says(bad).filter((found) => !found.startsWith('look wrong'))).toEqual([]);
  }
  expect(await model.getByRole('button', { name: 'Make it machine-ready' }).count()).toBe(
    standing === 'machine-ready' ? 0 : 1,
  );
}

/** The two clicks; then the first row of the results begins with the label. */
async function makeReady(page: Page, { name, label }: Pick<Dropped, 'name' | 'label'>): Promise<void> {
  const model = panel(page, 'Model');
  await model.getByRole('button', { name: 'Make it machine-ready' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make it machine-ready' });
  await dialog.getByRole('button', { name: 'Use it here' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await expectOneVoice(page, { name: name.replace(/\.(\w+)$/, '.fitted.$1'), standing: 'machine-ready' });
  if (label !== undefined)
    await expect
      .poll(() => panel(page, 'Results').locator('tbody tr').first().innerText())
      .toMatch(new RegExp(`^${label}\\b`));
}

describe('a model that is dropped', () => {
  it('is spoken of with one voice, and gives named boxes in two clicks', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    for (const dropped of made) {
      await dropOnBench(page, [dropped]);
      await expectOneVoice(page, dropped);
      if (dropped.label !== undefined) await makeReady(page, dropped);
    }
  });

  it('with its labels has no thresholds for numbers that are no classes, and then the names of the list', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    const things = Array.from({ length: 80 }, (_, at) => `thing ${at}`).join('\n');
    await dropOnBench(page, [made[0]!, { name: 'things.txt', bytes: things }]);
    await expectOneVoice(page, made[0]!);
    const rows = panel(page, 'Thresholds').getByRole('listitem');
    await rows.first().waitFor();
    for (const row of await rows.allInnerTexts()) expect(row).toMatch(/thing \d+/);
    await panel(page, 'Results').getByText('They appear once the model is machine-ready.').waitFor();
    await makeReady(page, { name: made[0]!.name, label: 'thing 16' });
  });

  it('of 80 classes can have other names, pasted as lines', async () => {
    const { page } = await app.open();
    await expectFirstBoxes(page);
    await dropOnBench(page, [made[0]!]);
    await panel(page, 'Model').getByRole('button', { name: 'Make it machine-ready' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make it machine-ready' });
    const chosen = dialog.getByRole('combobox', { name: 'Labels', exact: true });
    await expect.poll(() => chosen.inputValue()).toBe('usual');
    await dialog.getByText('It has 80 classes, as COCO has, which most published detectors learned.').waitFor();
    await dialog.getByRole('button', { name: 'Type or paste' }).click();
    const lines = dialog.getByRole('textbox', { name: 'Labels, one a line' });
    expect((await lines.inputValue()).split('\n')).toHaveLength(80);
    await lines.fill('wolf\nlynx');
    await lines.blur();
    await dialog.getByText('The model has 80 classes, and there are 2 labels.').waitFor();
    expect(await lines.inputValue()).toBe('wolf\nlynx');
    await lines.fill(Array.from({ length: 80 }, (_, at) => `bolt ${at}`).join('\n'));
    await lines.blur();
    await dialog.getByRole('button', { name: 'Use it here' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => panel(page, 'Results').locator('tbody tr').first().innerText()).toMatch(/^bolt 16\b/);
  });

  describe.skipIf(!existsSync(sharedData))('of the published ones (skipped without ../shared/data)', () => {
    it('is spoken of with one voice, gives named boxes in two clicks, and the names of COCO in one where it is an SSD that is ready', async () => {
      const { page } = await app.open();
      await expectFirstBoxes(page);
      for (const dropped of published) {
        await dropOnBench(page, [{ ...dropped, bytes: readFileSync(`${sharedData}/models/${dropped.name}`) }]);
        await expectOneVoice(page, dropped);
        if (dropped.label !== undefined || dropped.standing === 'not machine-ready') await makeReady(page, dropped);
      }
      expect(published.at(-1)!.name).toBe('ssd_mobilenet_v1_coco_quant.tflite');
      const results = panel(page, 'Results');
      await results.getByText('The machine will report 0. COCO’s ids call it “person”.').waitFor();
      await results.getByRole('button', { name: 'Use COCO’s names' }).click();
      await expect.poll(() => results.locator('tbody tr').first().innerText()).toMatch(/^person\b/);
      await results.getByRole('button', { name: 'Use COCO’s names' }).waitFor({ state: 'detached' });
      await page.keyboard.press('Control+z');
      await results.getByRole('button', { name: 'Use COCO’s names' }).waitFor();
    });
  });
});
