import { describe, expect, it } from 'vitest';
import {
  bestClassCells,
  bestClassHead,
  bestClassOnnx,
  bestClassSize,
  boxStep,
  boxZero,
  flat,
  type BestClassRows,
} from '../../../../../tests/fit/best-class-heads.ts';
import { suppressPlainly } from '../../../../../tests/fit/plain-detections.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { tfliteHead } from '../../../../../tests/fit/tflite-heads.ts';
import { fitModel } from '../../fit-model.ts';
import { judgeFitted } from '../../judge-fitted.ts';

const size = bestClassSize;
const cells = bestClassCells;
const limits = { ...size, scoreThreshold: 0.01, iouThreshold: 0.7, maxDetections: 100 };
const options = { letterbox: 'stretch' };
const labels = ['a', 'b', 'c', 'd'];

/** A model as Qualcomm AI Hub exports it to TensorFlow Lite, and PhotonVision with it: three outputs of bytes. */
function tfliteOf(rows: BestClassRows, names = ['boxes', 'scores', 'class_idx'], bytes = true) {
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

async function expectOwnRows(source: Uint8Array<ArrayBuffer>, rows: BestClassRows) {
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
    const rows = bestClassHead(seed, true);
    const fitted = await expectOwnRows(tfliteOf(rows), rows);
    expect(fitted.evidence.join(' ')).toMatch(/nothing has suppressed them.*steps of 0\.5, up to 118/);
  });

  it('are told by their quantisation where names say nothing', async () => {
    const rows = bestClassHead(4, true);
    await expectOwnRows(tfliteOf(rows, ['Identity', 'Identity_1', 'Identity_2']), rows);
  });

  it.each(['int64', 'float32'] as const)('of ONNX, with class numbers of %s', async (type) => {
    const rows = bestClassHead(5, false);
    await expectOwnRows(bestClassOnnx(rows, type), rows);
  });

  it('have 80 classes unless labels or an option say otherwise', () => {
    const { options: chosen, labels: named } = fitModel(tfliteOf(bestClassHead(1, true)), { options });
    expect([chosen['classCount'], named]).toEqual([80, null]);
  });

  it('are no family where neither name nor number tells scores from classes', () => {
    const source = tfliteOf(bestClassHead(1, true), ['a', 'b', 'c'], false);
    expect(() => fitModel(source)).toThrow(expect.objectContaining({ code: 'unrecognised' }));
  });
});
