import { describe, expect, it } from 'vitest';
import { headModel } from '../../../tests/fit/head-models.ts';
import { suppressPlainly } from '../../../tests/fit/plain-detections.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../tests/fit/run-fitted.ts';
import { tfliteHead } from '../../../tests/fit/tflite-heads.ts';
import { randomSource } from '../../../tests/random-frame.ts';
import { fitModel } from '../fit-model.ts';
import { judgeFitted } from '../judge-fitted.ts';

const size = { widthPx: 96, heightPx: 64 };
const cells = 96 + 24 + 6;
const limits = { ...size, scoreThreshold: 0.01, iouThreshold: 0.7, maxDetections: 100 };
const options = { letterbox: 'stretch' };
const labels = ['a', 'b', 'c', 'd'];

/** As 8 bits have it: boxes in steps of half a pixel that begin below 0, scores of 1/256. */
const [boxStep, boxZero] = [0.5, 20];
const stepped = (value: number, step: number, zero: number) =>
  step * (Math.min(255, Math.max(0, Math.round(value / step) + zero)) - zero);

function randomHead(seed: number, steps: boolean) {
  const random = randomSource(seed);
  const value = (number: number, step: number, zero: number) =>
    Math.fround(steps ? stepped(number, step, zero) : number);
  return Array.from({ length: cells }, (_, row) => {
    const [x, y] = [70 * random() - 2, 40 * random() - 2];
    const corners = [x, y, x + 4 + 30 * random(), y + 4 + 30 * random()].map((side) => value(side, boxStep, boxZero));
    return {
      corners: corners as [number, number, number, number],
      // No two are equal, so that there is one order of rows.
      score: (2 * ((37 * row + 11 * seed) % 127) + 3) / 256,
      category: Math.floor(4 * random()),
    };
  });
}

type Rows = ReturnType<typeof randomHead>;
const flat = (rows: Rows) => ({
  boxes: rows.flatMap(({ corners }) => corners),
  scores: rows.map(({ score }) => score),
  classes: rows.map(({ category }) => category),
});

/** As Qualcomm AI Hub exports to TensorFlow Lite, and PhotonVision with it: three outputs of bytes. */
function tfliteOf(rows: Rows, names = ['boxes', 'scores', 'class_idx'], bytes = true) {
  const { boxes, scores, classes } = flat(rows);
  return tfliteHead({ ...size, input: 'uint8', inputQuantization: { scale: 1 / 255, zeroPoint: 0 } }, (tools) => {
    const { build, layer, quantised } = tools;
    const made = [layer([1, cells, 4], boxes), layer([1, cells], scores), layer([1, cells], classes)] as const;
    const stored = bytes
      ? [
          quantised(made[0], 'uint8', boxStep, boxZero),
          quantised(made[1], 'uint8', 1 / 256, 0),
          quantised(made[2], 'uint8', 1, 0),
        ]
      : made.map((tensor) => build.add('Add', [tensor, build.floats([1], [0])]));
    return Object.fromEntries(names.map((name, k) => [name, stored[k]!]));
  });
}

function onnxOf(rows: Rows, classType: 'int64' | 'float32') {
  const { boxes, scores, classes } = flat(rows);
  return headModel(size, (build) => {
    const same = (tensor: string) => build.add('Identity', [tensor]);
    build.output('boxes', same(build.floats([1, cells, 4], boxes)), 'float32', [1, cells, 4]);
    build.output('scores', same(build.floats([1, cells], scores)), 'float32', [1, cells]);
    const numbers = classType === 'int64' ? build.ints([1, cells], classes) : build.floats([1, cells], classes);
    build.output('class_idx', same(numbers), classType, [1, cells]);
  });
}

async function expectOwnRows(source: Uint8Array<ArrayBuffer>, rows: Rows) {
  const fitted = fitModel(source, { options, labels });
  expect(fitted.family.id).toBe('best-classes');
  expect(fitted.options).toMatchObject({ boxUnit: 'pixels', boxForm: 'corners', classCount: 4 });
  expect(judgeFitted(fitted)).toEqual([]);
  const byScore = (all: ReturnType<typeof rowsOf>) => all.toSorted((a, b) => b.score - a.score);
  const found = byScore(rowsOf(await runFitted(fitted.model)));
  expect(found.length).toBeGreaterThan(20);
  expectSameRows(found, byScore(suppressPlainly(rows, limits)), size);
  return fitted;
}

describe("boxes with each cell's best class", () => {
  it.each([1, 2, 3])('of bytes in TensorFlow Lite are dequantised and suppressed, seed %i', async (seed) => {
    const rows = randomHead(seed, true);
    const fitted = await expectOwnRows(tfliteOf(rows), rows);
    expect(fitted.evidence.join(' ')).toMatch(/nothing has suppressed them.*steps of 0\.5, up to 118/);
  });

  it('are told by their quantisation where names say nothing', async () => {
    const rows = randomHead(4, true);
    await expectOwnRows(tfliteOf(rows, ['Identity', 'Identity_1', 'Identity_2']), rows);
  });

  it.each(['int64', 'float32'] as const)('of ONNX, with class numbers of %s', async (type) => {
    const rows = randomHead(5, false);
    await expectOwnRows(onnxOf(rows, type), rows);
  });

  it('have 80 classes unless labels or an option say otherwise', () => {
    const { options: chosen, labels: named } = fitModel(tfliteOf(randomHead(1, true)), { options });
    expect([chosen['classCount'], named]).toEqual([80, null]);
  });

  it('are no family where neither name nor number tells scores from classes', () => {
    const source = tfliteOf(randomHead(1, true), ['a', 'b', 'c'], false);
    expect(() => fitModel(source)).toThrow(expect.objectContaining({ code: 'unrecognised' }));
  });
});
