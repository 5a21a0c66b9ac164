import { describe, expect, it } from 'vitest';
import { headModel, logit } from '../../../../../tests/fit/head-models.ts';
import { aroundCentre } from '../../../../../tests/fit/plain-detections.ts';
import { plainCells } from '../../../../../tests/fit/plain-grids.ts';
import { everyClassPlainly } from '../../../../../tests/fit/plain-ssd.ts';
import { expectPoints, expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const grids = { strides: [8, 16, 32], anchors: 1, offset: 0 };

function randomLevels(seed: number, extra = 0) {
  const random = randomSource(seed);
  return [96, 24, 6].map((count) => {
    const rows = (columns: number, make: () => number) =>
      Array.from({ length: count + extra }, () => Array.from({ length: columns }, () => Math.fround(make())));
    const score = () => 0.001 + 0.99 * random();
    return { cls: rows(1, score), obj: rows(1, score), bbox: rows(4, () => random() * 2 - 0.5), kps: rows(10, random) };
  });
}

type Level = ReturnType<typeof randomLevels>[number];
const parts = ['cls', 'obj', 'bbox', 'kps'] as const;

function yunetModel(
  levels: readonly Level[],
  { activate = true, left = parts as readonly (keyof Level)[], isSized = true } = {},
) {
  return headModel(isSized ? size : { widthPx: -1, heightPx: -1 }, (build) => {
    for (const part of left)
      levels.forEach((level, k) => {
        const rows = level[part];
        const shape = [1, rows.length, rows[0]!.length];
        const isScore = rows[0]!.length === 1;
        const raw = build.floats(shape, isScore && activate ? rows.flat().map(logit) : rows.flat());
        const tensor = isScore && activate ? build.add('Sigmoid', [raw]) : raw;
        build.output(`${part}_${grids.strides[k]!}`, tensor, 'float32', isSized ? shape : [1, 'anchors', shape[2]!]);
      });
  });
}

function plainly(levels: readonly Level[], limits = {}) {
  const of = (part: keyof Level) => levels.flatMap((level) => level[part]);
  const [cls, obj, bbox] = [of('cls'), of('obj'), of('bbox')];
  const rows = plainCells(grids, size.widthPx, size.heightPx).map(({ column, row, stride }, k) => {
    const [dx, dy, w, h] = bbox[k]! as [number, number, number, number];
    const box = [(column + dx) * stride, (row + dy) * stride, Math.exp(w) * stride, Math.exp(h) * stride];
    return { corners: aroundCentre(box), scores: [Math.sqrt(cls[k]![0]! * obj[k]![0]!)] };
  });
  return everyClassPlainly(rows, { ...size, scoreThreshold: 0.02, iouThreshold: 0.3, maxDetections: 100, ...limits });
}

describe('YuNet', () => {
  it('keeps five key points a row, offsets to the cell in strides', async () => {
    const levels = randomLevels(7);
    const [boxes, points] = [levels.flatMap(({ bbox }) => bbox), levels.flatMap(({ kps }) => kps)];
    const candidates = plainCells(grids, size.widthPx, size.heightPx).map(({ column, row, stride }, k) => {
      const [dx, dy, w, h] = boxes[k]! as [number, number, number, number];
      const box = [(column + dx) * stride, (row + dy) * stride, Math.exp(w) * stride, Math.exp(h) * stride];
      const placed = [0, 2, 4, 6, 8].map(
        (at) => [(column + points[k]![at]!) * stride, (row + points[k]![at + 1]!) * stride, 1] as const,
      );
      return { corners: aroundCentre(box), points: placed };
    });
    expect(expectPoints(await runFitted(fitModel(yunetModel(levels)).model), candidates, size)).toBeGreaterThan(5);
  });

  it.each([
    ['usual', {}],
    ['other', { scoreThreshold: 0.6, iouThreshold: 0.1, maxDetections: 9, maxCandidates: 50 }],
  ])('gives what its own post-processing gives, with %s options', async (_, options) => {
    const levels = randomLevels(1);
    const { family, model } = fitModel(yunetModel(levels), { options });
    expect(family.id).toBe('yunet');
    const rows = rowsOf(await runFitted(model));
    expect(rows.length).toBeGreaterThan(5);
    expectSameRows(rows, plainly(levels, options), size);
  });

  it('pairs the scores of a model that does not say how many rows it has', async () => {
    const levels = randomLevels(3);
    const { model } = fitModel(yunetModel(levels, { isSized: false }), { inputSize: size });
    expectSameRows(rowsOf(await runFitted(model)), plainly(levels), size);
  });

  it.each([
    ['one score', yunetModel(randomLevels(2), { left: ['cls', 'bbox', 'kps'] }), /not two scores/],
    ['no key points', yunetModel(randomLevels(2), { left: ['cls', 'obj', 'bbox'] }), /not two scores/],
    ['logits', yunetModel(randomLevels(2), { activate: false }), /no sigmoid/],
    ['a cell too many', yunetModel(randomLevels(2, 1)), /not one a cell/],
  ])('is not taken for it with %s', (_, source, why) => {
    expect(() => fitModel(source, { family: 'yunet' })).toThrow(why);
  });
});
