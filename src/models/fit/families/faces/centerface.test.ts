import { describe, expect, it } from 'vitest';
import { headModel, logit } from '../../../../../tests/fit/head-models.ts';
import { aroundCentre, suppressPlainly } from '../../../../../tests/fit/plain-detections.ts';
import { expectPoints, expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 64, heightPx: 32 };
const [width, height] = [16, 8];
const limits = { ...size, scoreThreshold: 0.01, iouThreshold: 0.3, maxDetections: 100 };

function randomMaps(seed: number) {
  const random = randomSource(seed);
  return Array.from({ length: width * height }, () => ({
    heat: 0.001 + 0.95 * random() ** 6,
    scale: [2 * random(), 1.5 * random()].map(Math.fround),
    offset: [random() - 0.5, random() - 0.5].map(Math.fround),
    points: Array.from({ length: 10 }, random).map(Math.fround),
  }));
}

type Cells = ReturnType<typeof randomMaps>;

function centerFaceModel(cells: Cells, { points = true, sigmoid = true } = {}) {
  return headModel(size, (build) => {
    const map = (channels: number, valueOf: (cell: Cells[number], channel: number) => number) =>
      build.floats(
        [1, channels, height, width],
        Array.from({ length: channels }, (_, channel) => cells.map((cell) => valueOf(cell, channel))).flat(),
      );
    const heat = map(1, (cell) => logit(cell.heat));
    const say = (name: string, tensor: string, channels: number) =>
      build.output(name, tensor, 'float32', [1, channels, height, width]);
    say('537', sigmoid ? build.add('Sigmoid', [heat]) : heat, 1);
    say(
      '538',
      map(2, ({ scale }, k) => scale[k]!),
      2,
    );
    say(
      '539',
      map(2, ({ offset }, k) => offset[k]!),
      2,
    );
    if (points)
      say(
        '540',
        map(10, ({ points: shares }, k) => shares[k]!),
        10,
      );
  });
}

/** The family's own: height and offset down come before width and offset to the right, and so do key points, as shares of the box. */
function candidatesOf(cells: Cells) {
  return cells.map(({ heat, scale, offset, points }, cell) => {
    const corners = aroundCentre([
      ((cell % width) + offset[1]! + 0.5) * 4,
      (Math.floor(cell / width) + offset[0]! + 0.5) * 4,
      Math.exp(scale[1]!) * 4,
      Math.exp(scale[0]!) * 4,
    ]);
    const [xMin, yMin, xMax, yMax] = corners;
    const placed = [0, 2, 4, 6, 8].map(
      (at) => [xMin + points[at + 1]! * (xMax - xMin), yMin + points[at]! * (yMax - yMin), 1] as const,
    );
    return { corners, category: 0, score: heat, points: placed };
  });
}

const plainly = (cells: Cells) => suppressPlainly(candidatesOf(cells), limits);

describe('CenterFace', () => {
  it.each([1, 2])('gives what its own post-processing gives, maps %i', async (seed) => {
    const cells = randomMaps(seed);
    const { family, model } = fitModel(centerFaceModel(cells));
    expect(family.id).toBe('centerface');
    const rows = rowsOf(await runFitted(model));
    expect(rows.length).toBeGreaterThan(5);
    expectSameRows(rows, plainly(cells), size);
  });

  it('keeps five key points a face', async () => {
    const cells = randomMaps(4);
    const outputs = await runFitted(fitModel(centerFaceModel(cells)).model);
    expect(expectPoints(outputs, candidatesOf(cells), size)).toBeGreaterThan(5);
  });

  it.each([
    ['its key points', { points: false }, 'unrecognised'],
    ['its sigmoid', { sigmoid: false }, 'unrecognised'],
  ])('is not taken for it without %s', (_, variant, code) => {
    expect(() => fitModel(centerFaceModel(randomMaps(3), variant))).toThrow(expect.objectContaining({ code }));
  });
});
