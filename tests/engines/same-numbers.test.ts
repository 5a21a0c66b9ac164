import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCommand } from '../parse-command.ts';
import { classify, detect } from '../../src/cli/detect/detect.ts';
import { GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { once } from '../../src/base/schedule/once.ts';
import { serveBuiltApp, type RunningApp } from '../e2e/app.ts';
import { builtinDetector, firstSample } from '../e2e/test-media.ts';
import { addImage } from '../models.ts';
import { tfliteFloatNet } from '../tflite-models.ts';
import { captured, chooseModel, expectFirstBoxes, importConfiguration, type CapturedNumbers } from './bench.ts';
import { EnginePage } from './engine-page.ts';
import { firefox, useEngine, webKit } from './engines.ts';
import { startPlaywright } from './playwright.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightglass-engines-'));
afterAll(() => rmSync(folder, { recursive: true }));
const written = (name: string, content: Uint8Array | string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const sidePx = 16;

/** A classifier whose classes are its input tensor, number by number. */
function ownTensor(): Uint8Array {
  const build = new GraphBuilder();
  const image = addImage(build, { heightPx: sidePx, widthPx: sidePx, layout: 'NCHW' });
  const shape = [1, 3 * sidePx * sidePx];
  build.output('probability', build.add('Reshape', [image, build.ints([2], shape)]), 'float32', shape);
  return build.build({ graphName: 'own-tensor', producer: 'sightglass-tests', opset: 18, metadata: {} });
}

const steps = [
  { type: 'crop', attributes: { x_min_px: 101, y_min_px: 53, x_max_px: 1779, y_max_px: 1201 } },
  { type: 'resize', attributes: { width_px: 801, height_px: 533 } },
  { type: 'rotate', attributes: { angle_degs: 180 } },
  { type: 'rotate', attributes: { angle_degs: 180 } },
];

const config = JSON.stringify({
  components: [
    { name: 'camera', api: 'rdk:component:camera', model: 'webcam', attributes: {} },
    {
      name: 'tuned',
      api: 'rdk:component:camera',
      model: 'transform',
      attributes: { source: 'camera', pipeline: steps },
    },
  ],
  services: [
    { name: 'model', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: {} },
    {
      name: 'seen',
      api: 'rdk:service:vision',
      model: 'mlmodel',
      attributes: { mlmodel_name: 'model', camera_name: 'tuned', default_minimum_confidence: 0.1 },
    },
  ],
});

/** What the built-in detector gives of the first sample, and of it through steps; and two models of one's own, through the same. */
interface Numbers {
  readonly faces: CapturedNumbers;
  readonly throughSteps: CapturedNumbers;
  readonly onnx: CapturedNumbers;
  readonly tflite: CapturedNumbers;
}

async function numbersOf(page: EnginePage, url: string): Promise<Numbers> {
  await page.driver.goto(url);
  await expectFirstBoxes(page);
  const faces = await captured(page, { model: 'face-detector.onnx' });
  await importConfiguration(page, written('machine.json', config));
  const throughSteps = await captured(page, { model: 'face-detector.onnx', steps: 4 });
  await chooseModel(page, written('own.onnx', ownTensor()));
  const onnx = await captured(page, { model: 'own.onnx', steps: 4 });
  await chooseModel(page, written('own.tflite', tfliteFloatNet()));
  return { faces, throughSteps, onnx, tflite: await captured(page, { model: 'own.tflite', steps: 4 }) };
}

let app: RunningApp;
beforeAll(async () => void (app = await serveBuiltApp()));
afterAll(() => app?.close());

const inChromium = once(async (): Promise<Numbers> => {
  const browser = await startPlaywright('chromium');
  const numbers = await numbersOf(new EnginePage(await browser.newPage()), app.url);
  await browser.close();
  return numbers;
});

describe.each([firefox, webKit])('$name', (tested) => {
  const engine = useEngine(tested);

  it.skipIf(!tested.isHere)(
    'gives the numbers of Chromium to the bit, of three models and through four steps',
    async () => {
      const { tflite, ...numbers } = await numbersOf(await engine.newPage(), app.url);
      const { tflite: inChromiumTflite, ...expected } = await inChromium();
      expect(numbers).toEqual(expected);
      if (tested !== webKit) return expect(tflite).toEqual(inChromiumTflite);
      // LiteRT's sums differ in their last bit there.
      tflite.rawScores.forEach((score, at) => expect(score).toBeCloseTo(inChromiumTflite.rawScores[at]!, 6));
    },
  );
});

describe('a terminal', () => {
  const run = async (command: typeof detect | typeof classify, numbers: CapturedNumbers, ...args: string[]) => {
    const path = written('captured.json', numbers.configText);
    let printed: unknown;
    const parsed = parseCommand([command.name, '--config', path, ...args, firstSample]);
    await command(parsed as never, { print: (line) => void (printed = line), say: () => {} });
    return printed as Pick<CapturedNumbers, 'detections' | 'classifications'>;
  };

  it('gives the same boxes of the built-in detector, without and with the steps', async () => {
    const files = ['--model', builtinDetector.model, '--labels', builtinDetector.labels];
    const { faces, throughSteps } = await inChromium();
    expect((await run(detect, faces, '--vision', 'detector', ...files)).detections).toEqual(faces.detections);
    const seen = await run(
      detect,
      throughSteps,
      '--vision',
      'seen',
      '--camera',
      'tuned',
      '--model',
      builtinDetector.model,
    );
    expect(seen.detections).toEqual(throughSteps.detections);
    expect(seen.detections!.length).toBeGreaterThan(2);
  });

  it('gives the same tensor and the same scores of models of one’s own', async () => {
    const { onnx, tflite } = await inChromium();
    for (const [name, { classifications, ...numbers }] of [
      ['own.onnx', onnx],
      ['own.tflite', tflite],
    ] as const) {
      const args = ['--vision', 'seen', '--camera', 'tuned', '--model', join(folder, name), '--top', '1000'];
      const all = await run(classify, { ...numbers, classifications }, ...args);
      expect(all.classifications).toEqual(classifications);
    }
  });
});
