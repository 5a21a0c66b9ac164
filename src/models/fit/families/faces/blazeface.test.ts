import { describe, expect, it } from 'vitest';
import { headModel, type HeadModel } from '../../../../../tests/fit/head-models.ts';
import { aroundCentre, sigmoid } from '../../../../../tests/fit/plain-detections.ts';
import { randomRows, scoredPlainly } from '../../../../../tests/fit/plain-priors.ts';
import { expectPoints, expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import { fitModel } from '../../fit-model.ts';

type Layout = readonly (readonly [stride: number, anchors: number])[];

const shortRange: Layout = [[8, 2], [16, 6]]; // prettier-ignore

function randomHead(seed: number, sidePx: number, layout: Layout, columns = 16) {
  const random = randomSource(seed);
  const middles = layout.flatMap(([stride, anchors]) => {
    const cells = sidePx / stride;
    return Array.from({ length: cells * cells * anchors }, (_, k) => {
      const cell = Math.floor(k / anchors);
      return [((cell % cells) + 0.5) * stride, (Math.floor(cell / cells) + 0.5) * stride] as const;
    });
  });
  const offsets = randomRows(random, middles.length, columns, -10, 10).map(([dx, dy, w, h, ...points]) => [
    dx!,
    dy!,
    20 + Math.abs(w!),
    20 + Math.abs(h!),
    ...points,
  ]);
  return { middles, offsets, logits: randomRows(random, middles.length, 1, -9, 4) };
}

type RandomHead = ReturnType<typeof randomHead>;

/** `parts` are the numbers of rows of the outputs: one of all, or one a grid. */
interface BlazeModel extends HeadModel {
  readonly isActivated?: boolean;
  /** the file leaves the sizes of its outputs to the graph, and the graph the number of rows to the run */
  readonly isOpen?: boolean;
}

function blazeModel({ offsets, logits }: RandomHead, model: BlazeModel, parts = [offsets.length]) {
  return headModel(model, (build) => {
    let from = 0;
    for (const [k, count] of parts.entries()) {
      const part = (name: string, rows: readonly (readonly number[])[], activate: boolean) => {
        const taken = rows.slice(from, from + count);
        const shape = [1, count, taken[0]!.length];
        const table = build.floats(shape, taken.flat());
        const tensor = model.isOpen ? build.add('Reshape', [table, build.ints([3], [1, -1, shape[2]!])]) : table;
        const sizes = model.isOpen ? ['a', 'b', 'c'] : shape;
        build.output(`${name}${k}`, activate ? build.add('Sigmoid', [tensor]) : tensor, 'float32', sizes);
      };
      part('regressors', offsets, false);
      part('classificators', logits, model.isActivated ?? false);
      from += count;
    }
  });
}

function plainly({ middles, offsets, logits }: RandomHead, sidePx: number) {
  const boxes = middles.map(([x, y], k) => {
    const [dx, dy, width, height] = offsets[k]!;
    return aroundCentre([x + dx!, y + dy!, width!, height!]);
  });
  const limits = { widthPx: sidePx, heightPx: sidePx, scoreThreshold: 0.05, iouThreshold: 0.3, maxDetections: 100 };
  return scoredPlainly(
    boxes,
    logits.map((row) => row.map(sigmoid)),
    limits,
  );
}

const stretch = { options: { letterbox: 'stretch' } };

describe('BlazeFace', () => {
  it.each([
    ['short range', 128, shortRange, 16, 896],
    [
      'back camera',
      256,
      [
        [16, 2],
        [32, 6],
      ],
      16,
      896,
    ],
    ['full range', 192, [[4, 1]], 16, 2304],
    ['hands', 192, shortRange, 18, 2016],
    [
      'bodies',
      224,
      [
        [8, 2],
        [16, 2],
        [32, 6],
      ],
      12,
      2254,
    ],
  ] as [string, number, Layout, number, number][])(
    // prettier-ignore
    'gives what its own decoding and a plain suppression give: %s',
    async (_, sidePx, layout, columns, count) => {
      const head = randomHead(count, sidePx, layout, columns);
      expect(head.middles).toHaveLength(count);
      const size = { widthPx: sidePx, heightPx: sidePx };
      const { family, model } = fitModel(blazeModel(head, size), stretch);
      expect(family.id).toBe('blazeface');
      const rows = rowsOf(await runFitted(model));
      expect(rows.length).toBeGreaterThan(10);
      expectSameRows(rows, plainly(head, sidePx), size);
    },
  );

  it.each([16, 18, 12])('keeps the key points of rows of %i numbers', async (columns) => {
    const [sidePx, layout] = columns === 12 ? [224, [[8, 2], [16, 2], [32, 6]] as Layout] : [192, shortRange]; // prettier-ignore
    const size = { widthPx: sidePx, heightPx: sidePx };
    const { middles, offsets, logits } = randomHead(columns, sidePx, layout, columns);
    const candidates = middles.map(([x, y], k) => {
      const [dx, dy, width, height, ...points] = offsets[k]!;
      return {
        corners: aroundCentre([x + dx!, y + dy!, width!, height!]),
        points: Array.from(
          { length: points.length / 2 },
          (_, at) => [x + points[2 * at]!, y + points[2 * at + 1]!, 1] as const,
        ),
      };
    });
    const { model } = fitModel(blazeModel({ middles, offsets, logits }, size), stretch);
    expect(expectPoints(await runFitted(model), candidates, size)).toBeGreaterThan(10);
  });

  it('gives boxes only where the option leaves key points out', async () => {
    const size = { widthPx: 128, heightPx: 128 };
    const options = { ...stretch.options, keyPoints: 'leave out' };
    const outputs = await runFitted(fitModel(blazeModel(randomHead(3, 128, shortRange), size), { options }).model);
    expect(Object.keys(outputs)).toEqual(['location', 'category', 'score']);
  });

  it('takes a tensor a grid, and scores that are activated', async () => {
    const size = { widthPx: 128, heightPx: 128 };
    const head = randomHead(3, 128, shortRange);
    const rows = rowsOf(
      await runFitted(fitModel(blazeModel(head, { ...size, isActivated: true }, [512, 384]), stretch).model),
    );
    expectSameRows(rows, plainly(head, 128), size);
  });

  it('takes as many anchors as there are for the input, where the file leaves them open', async () => {
    const size = { widthPx: 128, heightPx: 128 };
    const head = randomHead(6, 128, shortRange);
    const rows = rowsOf(await runFitted(fitModel(blazeModel(head, { ...size, isOpen: true }), stretch).model));
    expectSameRows(rows, plainly(head, 128), size);
    const rivals = { widthPx: 192, heightPx: 192, isOpen: true };
    const ofFaces = randomHead(7, 192, [[4, 1]]);
    expect(() => fitModel(blazeModel(ofFaces, rivals), { family: 'blazeface' })).toThrow(/how many anchors/);
  });

  it.each([
    ['another size', randomHead(4, 128, shortRange), 160, /896 anchors are not MediaPipe's for a 160×160/],
    ['other columns', randomHead(4, 128, shortRange, 14), 128, /six, seven or four key points/],
  ])('is not taken for it with %s', (_, head, sidePx, why) => {
    const source = blazeModel(head, { widthPx: sidePx, heightPx: sidePx });
    expect(() => fitModel(source, { family: 'blazeface' })).toThrow(why);
  });

  it('is not taken for it where scores and boxes have other numbers of rows', () => {
    const head = randomHead(4, 128, shortRange);
    const source = headModel({ widthPx: 128, heightPx: 128 }, (build) => {
      build.output('boxes', build.floats([1, 896, 16], head.offsets.flat()), 'float32', [1, 896, 16]);
      build.output('scores', build.floats([1, 895, 1], head.logits.slice(1).flat()), 'float32', [1, 895, 1]);
    });
    expect(() => fitModel(source, { family: 'blazeface' })).toThrow(/896 anchors are not MediaPipe's/);
  });
});
