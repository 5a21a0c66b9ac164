import { describe, expect, it } from 'vitest';
import { headModel, type HeadModel } from '../../../../../tests/fit/head-models.ts';
import { softmax } from '../../../../../tests/fit/plain-detections.ts';
import { decodedSsdPlainly } from '../../../../../tests/fit/plain-ssd.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import type { GraphBuilder } from '../../../onnx/edit-model.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };

function randomRows(seed: number, count: number, columns: number) {
  const random = randomSource(seed);
  const rows = (make: () => number[]) => Array.from({ length: count }, () => make().map(Math.fround));
  return {
    logits: rows(() => Array.from({ length: columns }, (_, k) => random() * 4 + (k === 0 ? 1 : 0))),
    /** centre and size, as shares */
    boxes: rows(() => [random(), random(), 0.1 + random() * 0.3, 0.1 + random() * 0.3]),
  };
}

type Rows = ReturnType<typeof randomRows>;
type Part = (build: GraphBuilder, tensor: string) => string;

const cornersOf = ([x, y, w, h]: readonly number[]) => [x! - w! / 2, y! - h! / 2, x! + w! / 2, y! + h! / 2];

/** The head as exports write it: sizes as exponentials, corners by taking half of them off, a softmax over the classes. */
function ssdModel(
  { logits, boxes }: Rows,
  {
    activate,
    toCorners = true,
    exp = true,
    ...model
  }: HeadModel & { activate?: Part; toCorners?: boolean; exp?: boolean } = {},
) {
  return headModel({ ...size, ...model }, (build) => {
    const raw = build.floats([1, logits.length, logits[0]!.length], logits.flat());
    const scores = activate ? activate(build, raw) : build.add('Softmax', [raw], { axis: { int: 2 } });
    build.output('scores', scores, 'float32', [1, logits.length, logits[0]!.length]);
    const part = (from: number) =>
      build.floats(
        [1, boxes.length, 2],
        boxes.flatMap((row) => row.slice(from, from + 2).map((share) => (from === 2 && exp ? Math.log(share) : share))),
      );
    const sizes = exp ? build.add('Exp', [part(2)]) : part(2);
    const half = build.add('Div', [sizes, build.floats([], [2])]);
    const parts = toCorners ? [build.add('Sub', [part(0), half]), build.add('Add', [part(0), half])] : [part(0), sizes];
    build.output('boxes', build.add('Concat', parts, { axis: { int: 2 } }), 'float32', [1, boxes.length, 4]);
  });
}

function plainly({ logits, boxes }: Rows, limits = {}) {
  return decodedSsdPlainly(logits.flatMap(softmax), boxes.flatMap(cornersOf), logits[0]!.length, {
    ...size,
    scoreThreshold: 0.05,
    iouThreshold: 0.45,
    maxDetections: 100,
    ...limits,
  });
}

describe('SSD with decoded boxes', () => {
  it.each([
    ['a face and a background', 2, {}],
    ['a few classes, in opset 9', 5, { versions: { opset: 9, irVersion: 4 } }],
    ['centres', 4, { toCorners: false }],
  ] as const)('gives what its own post-processing gives: %s', async (_, columns, model) => {
    const source = randomRows(columns, 150, columns);
    const { family, model: fitted } = fitModel(ssdModel(source, model));
    expect(family.id).toBe('ssd-decoded');
    const rows = rowsOf(await runFitted(fitted));
    expect(rows.length).toBeGreaterThan(10);
    // With one class, the boxes below UltraFace's floor are left out.
    expectSameRows(rows, plainly(source, { scoreThreshold: columns === 2 ? 0.1 : 0.05 }), size);
  });

  it('lets a box come out under every class, and takes its options', async () => {
    const source = randomRows(7, 150, 5);
    const options = { scoreThreshold: 0.2, iouThreshold: 0.6, maxDetections: 30, maxCandidates: 20 };
    const rows = rowsOf(await runFitted(fitModel(ssdModel(source), { options }).model));
    expect(new Set(rows.map(({ box }) => box.join())).size).toBeLessThan(rows.length);
    expectSameRows(rows, plainly(source, options), size);
  });

  it.each([[['face']], [['background', 'face']]])('takes the labels %j', (labels) => {
    expect(fitModel(ssdModel(randomRows(8, 150, 2)), { labels }).labels).toEqual(['face']);
  });

  it.each([
    ['logits', { activate: (build: GraphBuilder, raw: string) => build.add('Neg', [raw]) }, /no softmax/],
    ['boxes that are not decoded', { exp: false }, /boxes are not decoded/],
  ])('is not taken for it with %s', (_, model, why) => {
    expect(() => fitModel(ssdModel(randomRows(9, 150, 3), model), { family: 'ssd-decoded' })).toThrow(
      expect.objectContaining({ code: 'not-this-family', message: expect.stringMatching(why) }),
    );
  });
});
