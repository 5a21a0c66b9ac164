import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as ort from 'onnxruntime-web';
import { expect, it } from 'vitest';
import { checkModel } from '../src/models/onnx/check-model.ts';
import { readModel } from '../src/models/onnx/read-model.ts';
import { statedFeeding } from '../src/machine/vision/inference/stated-feeding.ts';
import { readPhotograph, type PackedPicture } from './models/read-photograph.ts';

// `npm test` builds the assets first; the builder itself compares every number with the raw model.
const builtin = join(import.meta.dirname, '../public/builtin');

async function run(modelId: string, { values, heightPx, widthPx }: PackedPicture): Promise<Record<string, number[]>> {
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(await readFile(join(builtin, `models/${modelId}.onnx`)));
  const outputs = await session.run({ image: new ort.Tensor('float32', values, [1, 3, heightPx, widthPx]) });
  await session.release();
  return Object.fromEntries(
    Object.entries(outputs).map(([name, { data }]) => [name, Array.from(data as Float32Array)]),
  );
}

it.each([
  ['face-detector', ['face'], ['location', 'category', 'score']],
  ['face-classifier', ['no face', 'face'], ['probability']],
])('%s describes itself and can run on the machine', async (id, labels, outputs) => {
  const summary = readModel(await readFile(join(builtin, `models/${id}.onnx`)));
  expect(summary).toMatchObject({ labels, warnings: [], metadata: { license: 'Apache-2.0' } });
  expect(summary.inputs).toMatchObject([{ name: 'image', dtype: 'float32', shape: [1, 3, -1, -1] }]);
  expect(summary.outputs.map(({ name }) => name)).toEqual(outputs);
  const range = { meanValue: [0.5, 0.5, 0.5], stdDev: [0.5, 0.5, 0.5] };
  expect(statedFeeding(summary.metadata)).toEqual({ source: 'fitted', guess: null, familyName: '', bgr: false, range });
  expect(checkModel(summary)).toEqual([]);
});

// viam:mlmodel:onnx-cpu loads a model only when all its outputs are of one dtype.
it('object-detector describes itself, with the feeding and the 80 labels that it has', async () => {
  const summary = readModel(await readFile(join(builtin, 'models/object-detector.onnx')));
  const labels = (await readFile(join(builtin, 'models/object-detector.labels.txt'), 'utf8')).trim().split('\n');
  expect([labels.length, labels[0], labels[41], labels[79]]).toEqual([80, 'person', 'cup', 'toothbrush']);
  expect(summary).toMatchObject({ labels, warnings: [], metadata: { license: 'Apache-2.0' } });
  expect(summary.inputs).toMatchObject([{ name: 'image', dtype: 'float32', shape: [1, 3, 416, 416] }]);
  expect(summary.outputs).toMatchObject([
    { name: 'location', shape: [1, 100, 4] },
    { name: 'category', shape: [1, 100] },
    { name: 'score', shape: [1, 100] },
  ]);
  const range = { meanValue: [0.406, 0.456, 0.485], stdDev: [0.225, 0.224, 0.229] };
  expect(statedFeeding(summary.metadata)).toMatchObject({ source: 'fitted', guess: null, bgr: true, range });
  expect(checkModel(summary)).toEqual([]);
});

it.each(['face-detector', 'face-classifier', 'object-detector'])('%s takes and gives float32 alone', async (id) => {
  const { inputs, outputs } = readModel(await readFile(join(builtin, `models/${id}.onnx`)));
  expect(new Set([...inputs, ...outputs].map(({ dtype }) => dtype))).toEqual(new Set(['float32']));
});

it.each([
  ['models', 'Apache License'],
  ['frames', 'Copyright (c) Vladimir Mandic'],
  ['things', 'Copyright 2018 Jakub Mede'],
])('%s carry their licence', async (folder, words) => {
  expect(await readFile(join(builtin, folder, 'LICENSE'), 'utf8')).toContain(words);
});

it('finds the five faces of the fifth photograph, where they are', async () => {
  const picture = await readPhotograph(join(builtin, 'frames/sample5.jpg'));
  const { location, score } = await run('face-detector', picture);
  const faces = score!.filter((value) => value >= 0.5);
  expect(faces).toHaveLength(5);
  expect(faces).toEqual([...faces].sort((a, b) => b - a));
  // The noses, marked by hand, in pixels.
  const noses = [
    [865, 250],
    [715, 545],
    [1180, 345],
    [1500, 560],
    [475, 1050],
  ] as const;
  for (const [x, y] of noses) {
    const around = faces.filter((_, i) => {
      const [yMin, xMin, yMax, xMax] = location!.slice(4 * i, 4 * i + 4) as [number, number, number, number];
      const inX = xMin * picture.widthPx < x && x < xMax * picture.widthPx;
      return inX && yMin * picture.heightPx < y && y < yMax * picture.heightPx;
    });
    expect(around, `face at ${x}, ${y}`).toHaveLength(1);
  }
});

it("gives one row for the machine's black 5×5 probe, so that no output is empty", async () => {
  const probe = { widthPx: 5, heightPx: 5, values: new Float32Array(75).fill(-1) };
  const { location, category, score } = await run('face-detector', probe);
  expect([location!.length, category!.length, score!.length]).toEqual([4, 1, 1]);
  expect(score![0]).toBeLessThan(0.1);
  const { probability } = await run('face-classifier', probe);
  expect(probability![0]! + probability![1]!).toBeCloseTo(1, 6);
});
