import { describe, expect, it } from 'vitest';
import { headModel, logit } from '../../../../../tests/fit/head-models.ts';
import { distancesPlainly, plainCells } from '../../../../../tests/fit/plain-grids.ts';
import { everyClassPlainly } from '../../../../../tests/fit/plain-ssd.ts';
import { expectPoints, expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const strides = [8, 16, 32];
const cells = [96, 24, 6];

function randomLevels(seed: number, anchors: number) {
  const random = randomSource(seed);
  return cells.map((count) => {
    const rows = (columns: number, make: () => number) =>
      Array.from({ length: anchors * count }, () => Array.from({ length: columns }, () => Math.fround(make())));
    return {
      scores: rows(1, () => 0.001 + 0.9 * random() ** 2),
      boxes: rows(4, () => random() * 3),
      points: rows(10, () => random()),
    };
  });
}

type Level = ReturnType<typeof randomLevels>[number];

interface Variant {
  readonly hasPoints?: boolean;
  readonly hasBatch?: boolean;
  readonly activate?: boolean;
}

function scrfdModel(levels: readonly Level[], { hasPoints = true, hasBatch = true, activate = true }: Variant = {}) {
  return headModel(size, (build) => {
    let made = 0;
    const say = (rows: readonly (readonly number[])[], isScore = false) => {
      const shape = [...(hasBatch ? [1] : []), rows.length, rows[0]!.length];
      const values = isScore ? rows.flat().map(logit) : rows.flat();
      const raw = build.floats(shape, values);
      build.output(`${440 + made++}`, isScore && activate ? build.add('Sigmoid', [raw]) : raw, 'float32', shape);
    };
    for (const { scores } of levels) say(scores, true);
    for (const { boxes } of levels) say(boxes);
    if (hasPoints) for (const { points } of levels) say(points);
  });
}

function plainly(levels: readonly Level[], anchors: number, limits = {}) {
  const scores = levels.flatMap((level) => level.scores);
  const boxes = distancesPlainly(
    levels.flatMap((level) => level.boxes),
    { strides, anchors, offset: 0 },
    size,
    false,
  );
  return everyClassPlainly(
    boxes.map((corners, row) => ({ corners, scores: scores[row]! })),
    { ...size, scoreThreshold: 0.02, iouThreshold: 0.4, maxDetections: 100, ...limits },
  );
}

describe('SCRFD', () => {
  it.each([
    ['key points and numbers for names', 2, {}],
    ['no key points, no batch', 2, { hasPoints: false, hasBatch: false }],
    ['one box a cell, logits', 1, { activate: false }],
  ] as const)('gives what its own post-processing gives, with %s', async (_, anchors, variant) => {
    const levels = randomLevels(anchors, anchors);
    const { family, model } = fitModel(scrfdModel(levels, variant), { options: { letterbox: 'stretch' } });
    expect(family.id).toBe('scrfd');
    const rows = rowsOf(await runFitted(model));
    expect(rows.length).toBeGreaterThan(5);
    expectSameRows(rows, plainly(levels, anchors), size);
  });

  it.each([2, 1])(
    'keeps five key points a row, offsets to the cell in strides, with %i boxes a cell',
    async (anchors) => {
      const levels = randomLevels(6, anchors);
      const points = levels.flatMap((level) => level.points);
      const grids = { strides, anchors, offset: 0 };
      const corners = distancesPlainly(levels.flatMap((level) => level.boxes), grids, size, false); // prettier-ignore
      const candidates = plainCells(grids, size.widthPx, size.heightPx).map(({ column, row, stride }, k) => ({
        corners: corners[k]!,
        points: [0, 2, 4, 6, 8].map(
          (at) => [(column + points[k]![at]!) * stride, (row + points[k]![at + 1]!) * stride, 1] as const,
        ),
      }));
      const { model } = fitModel(scrfdModel(levels), { options: { letterbox: 'stretch' } });
      expect(expectPoints(await runFitted(model), candidates, size)).toBeGreaterThan(5);
    },
  );

  it('takes its options', async () => {
    const levels = randomLevels(3, 2);
    const options = { scoreThreshold: 0.3, iouThreshold: 0.2, maxDetections: 6, maxCandidates: 30 };
    expectSameRows(
      rowsOf(await runFitted(fitModel(scrfdModel(levels), { options: { ...options, letterbox: 'stretch' } }).model)),
      plainly(levels, 2, options),
      size,
    );
  });

  it.each([
    ['three boxes a cell', randomLevels(4, 3), /not two or one a cell/],
    ['two strides', randomLevels(5, 2).slice(0, 2), /not two or one a cell/],
  ])('is not taken for it with %s', (_, levels, why) => {
    expect(() => fitModel(scrfdModel(levels), { family: 'scrfd' })).toThrow(why);
  });
});
