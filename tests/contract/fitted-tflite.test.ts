import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { fitModel } from '../../src/models/fit/fit-model.ts';
import type { FitRequest } from '../../src/models/fit/source/fit-request.ts';
import { asImageNet } from '../../src/models/fit/structure/family.ts';
import { readTfliteModel } from '../../src/models/tflite/read-model.ts';
import { runFitted } from '../fit/run-fitted.ts';
import { tfliteHead } from '../fit/tflite-heads.ts';
import { randomSource } from '../random-frame.ts';

/** A Python that has ai-edge-litert, TensorFlow Lite's own runtime; without one the test is skipped. */
const python = process.env['LITERT_PYTHON'] ?? 'python3';
const answers = fileURLToPath(new URL('../../scripts/golden/tflite/answers.py', import.meta.url));

function hasLiteRt(): boolean {
  try {
    execFileSync(python, ['-c', 'import ai_edge_litert.interpreter'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const cells = 84;

function fittedYolo(seed: number, request: FitRequest = {}): Uint8Array<ArrayBuffer> {
  const random = randomSource(seed);
  const numbers = (count: number, least: number, most: number) =>
    Float32Array.from({ length: count }, () => least + (most - least) * random());
  const source = tfliteHead({}, ({ build, layer }) => {
    const boxes = build.add('Mul', [
      layer([1, 4, cells], numbers(4 * cells, 8, 40)),
      build.floats([1, 1, 1], [1 / 64]),
    ]);
    const scores = build.add('Sigmoid', [layer([1, 3, cells], numbers(3 * cells, -6, 3))]);
    return { Identity: build.add('Concat', [boxes, scores], { axis: { int: 1 } }) };
  });
  return fitModel(source, request).model;
}

it.skipIf(!hasLiteRt())('a fitted .tflite file gives the same rows in the native interpreter', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightglass-litert-'));
  try {
    const padded = [
      { frameSize: { widthPx: 16, heightPx: 9 } },
      { frameSize: { widthPx: 3, heightPx: 4 }, preprocessing: asImageNet },
    ];
    const models = [1, 2, 3, 4, 5, 6].map((seed) => fittedYolo(seed, padded[seed - 5]));
    models.forEach((model, k) => writeFileSync(join(folder, `yolo${k}.tflite`), model));
    const counts = models.map((model) => readTfliteModel(model).inputs[0]!.shape.reduce((a, b) => a * b, 1));
    for (const count of counts) writeFileSync(join(folder, `blank${count}.bin`), new Uint8Array(4 * count));
    writeFileSync(
      join(folder, 'cases.json'),
      JSON.stringify(counts.map((count, k) => ({ model: `yolo${k}`, file: `blank${count}.bin` }))),
    );
    const said = JSON.parse(String(execFileSync(python, [answers, folder], { stdio: ['ignore', 'pipe', 'ignore'] })));
    for (const [k, { outputs }] of said.answers.entries()) {
      const here = await runFitted(models[k]!);
      for (const { name, shape, values } of outputs) {
        expect(here[name]!.shape).toEqual(shape);
        here[name]!.values.forEach((value, at) => expect(Math.abs(value - values[at])).toBeLessThan(1e-6));
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
