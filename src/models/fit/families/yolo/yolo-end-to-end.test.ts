import { describe, expect, it } from 'vitest';
import { headModel, type HeadModel } from '../../../../../tests/fit/head-models.ts';
import { proportional, type PlainCandidate } from '../../../../../tests/fit/plain-detections.ts';
import { expectPoints, expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import type { GraphBuilder } from '../../../onnx/edit-model.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const stretch = { letterbox: 'stretch' };

function randomRows(seed: number, count: number): PlainCandidate[] {
  const random = randomSource(seed);
  return Array.from({ length: count }, () => {
    const [x, y] = [random() * 90, random() * 60];
    return {
      corners: [x, y, x + random() * 20, y + random() * 20].map(Math.fround) as [number, number, number, number],
      score: Math.fround(random()),
      category: Math.floor(random() * 5),
    };
  });
}

interface Variant {
  readonly chooser?: 'TopK' | 'none';
  readonly metadata?: HeadModel['metadata'];
  /** more numbers of each row, behind its class */
  readonly behind?: readonly (readonly number[])[];
  /** other outputs, and operators above the rows */
  readonly more?: (build: GraphBuilder, rows: string) => string;
  /** shape stated for the output; default: with all sizes */
  readonly stated?: readonly (number | string)[];
}

/** A model that ends as YOLOv10 does: the best of all rows, chosen in the graph. */
function endToEndModel(
  rows: readonly PlainCandidate[],
  { chooser = 'TopK', metadata = {}, behind = rows.map(() => []), more = (_, all) => all, stated }: Variant = {},
) {
  const count = rows.length;
  const columns = 6 + behind[0]!.length;
  return headModel({ ...size, metadata }, (build) => {
    const all = more(
      build,
      build.floats(
        [count, columns],
        rows.flatMap(({ corners, score, category }, k) => [...corners, score, category, ...behind[k]!]),
      ),
    );
    const scores = build.floats(
      [count],
      rows.map(({ score }) => score),
    );
    const index =
      chooser === 'TopK'
        ? build.addMany('TopK', [scores, build.ints([1], [count])], 2, { axis: { int: 0 } })[1]!
        : build.ints(
            [count],
            rows.map((_, k) => k),
          );
    const output = build.add('Unsqueeze', [build.add('Gather', [all, index]), build.ints([1], [0])]);
    build.output('output0', output, 'float32', stated ?? [1, count, columns]);
  });
}

describe('rows that the graph has already chosen', () => {
  it.each([20, 300])('are passed on, best first, of %i', async (count) => {
    const rows = randomRows(count, count);
    const { family, model } = fitModel(endToEndModel(rows), { options: stretch });
    expect(family.id).toBe('yolo-end-to-end');
    const wanted = rows
      .filter(({ score }) => score > 0.01)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, 100)
      .map((row) => proportional(row, size));
    expectSameRows(rowsOf(await runFitted(model)), wanted, size);
  });

  it('are none of it where nothing chooses them, as in a raw head of one class', () => {
    expect(() => fitModel(endToEndModel(randomRows(1, 126), { chooser: 'none' }))).toThrow(
      /nothing before its output chooses/,
    );
  });

  it.each([
    ['as the file states them', { task: 'pose', kpt_shape: '[5, 2]' }, 5, 2],
    ['of a file that states nothing, 17 as in COCO', {}, 17, 3],
  ] as const)('keep their key points, %s', async (_, metadata, points, each) => {
    const rows = randomRows(4, 50);
    const random = randomSource(5);
    const behind = rows.map(() =>
      Array.from({ length: points }, () => [random() * 96, random() * 64, random()].slice(0, each).map(Math.fround)),
    );
    const source = endToEndModel(rows, { metadata, behind: behind.map((row) => row.flat()) });
    const outputs = await runFitted(fitModel(source, { options: stretch }).model);
    const candidates = rows.map(({ corners }, k) => ({
      corners,
      points: behind[k]!.map(([x, y, sure = 1]) => [x!, y!, sure] as const),
    }));
    expect(expectPoints(outputs, candidates, size)).toBeGreaterThan(40);
    const without = fitModel(source, { options: { ...stretch, keyPoints: 'leave out' } });
    expect(Object.keys(await runFitted(without.model))).toEqual(['location', 'category', 'score']);
  });

  it('keep the weights of their masks where that is asked for', async () => {
    const rows = randomRows(6, 20);
    const behind = rows.map((_, k) => [k, 0.5, -k]);
    const source = endToEndModel(rows, {
      behind,
      more: (build, all) => {
        build.output('output1', build.floats([1, 3, 16, 24], new Float32Array(1152)), 'float32', [1, 3, 16, 24]);
        return all;
      },
    });
    expect(fitModel(source).evidence.join(' ')).toMatch(/3 further numbers of masks/);
    const outputs = await runFitted(fitModel(source, { options: { ...stretch, masks: 'keep' } }).model);
    const best = rows.indexOf(rows.toSorted((a, b) => b.score - a.score)[0]!);
    expect(outputs['mask_weights']!.values.slice(0, 3)).toEqual(behind[best]);
  });

  const turning = (build: GraphBuilder, all: string) => {
    const nothing = build.floats([1], [0]);
    const turned = build.add('Mul', [build.add('Sin', [nothing]), build.add('Cos', [nothing])]);
    return build.add('Add', [all, turned]);
  };

  it.each([
    ['as the file states them', { metadata: { task: 'obb' } }],
    ['as sines and cosines tell', { more: turning }],
  ])('are turned boxes, of which the upright ones around them are taken, %s', async (_, variant) => {
    // A centre, a size and an angle: a quarter turn swaps the sides, and an eighth makes a square of both.
    const turned = [
      { corners: [40, 30, 20, 8], score: 0.9, category: 1, angle: Math.PI / 2 },
      { corners: [40, 30, 10, 10], score: 0.8, category: 2, angle: Math.PI / 4 },
    ] as const;
    const source = endToEndModel(turned, { ...variant, behind: turned.map(({ angle }) => [angle]) });
    const { family, evidence, model } = fitModel(source, { options: stretch });
    expect([family.id, evidence.join(' ')]).toEqual(['yolo-end-to-end', expect.stringMatching(/turned \(OBB\)/)]);
    const half = 5 * Math.SQRT2;
    const upright = [
      { ...turned[0], corners: [36, 20, 44, 40] as const },
      { ...turned[1], corners: [40 - half, 30 - half, 40 + half, 30 + half] as const },
    ];
    expectSameRows(
      rowsOf(await runFitted(model)),
      upright.map((row) => proportional(row, size)),
      size,
    );
  });

  const open = ['batch', 'rows', 'columns'];

  it.each([
    ['detect', 0, { end2end: 'True' }],
    ['detect', 0, { args: "{'batch': 1, 'nms': True, 'dynamic': True}" }],
    ['pose', 6, { end2end: 'True', kpt_shape: '[2, 3]' }],
    ['obb', 1, { end2end: 'True' }],
  ])('are known by their metadata where the file leaves all sizes open: %s', async (task, numbers, metadata) => {
    const rows = randomRows(8, 30);
    const behind = rows.map(() => Array.from({ length: numbers }, () => 0));
    const source = endToEndModel(rows, { metadata: { task, ...metadata }, behind, stated: open });
    const { family, model } = fitModel(source, { options: stretch });
    expect(family.id).toBe('yolo-end-to-end');
    const scores = rows.map(({ score }) => score).filter((score) => score > 0.01);
    expect(rowsOf(await runFitted(model)).map(({ score }) => score)).toEqual(scores.toSorted((a, b) => b - a));
  });

  it.each([{}, { task: 'detect', end2end: 'False', args: "{'nms': None}" }, { task: 'classify', end2end: 'True' }])(
    'are none of it where all sizes are open and the metadata say nothing of rows that are chosen: %j',
    (metadata) => {
      expect(() => fitModel(endToEndModel(randomRows(9, 30), { metadata, stated: open }))).toThrow(/No known family/);
    },
  );

  it.each([
    ['one number more', [1], {}],
    ['51 numbers more of another task', Array.from({ length: 51 }, () => 0), { task: 'segment' }],
  ])('are none of it with %s that nothing explains', (_, more, metadata) => {
    const rows = randomRows(7, 20);
    const source = endToEndModel(rows, { metadata, behind: rows.map(() => more) });
    expect(() => fitModel(source)).toThrow(/neither masks, key points nor an angle explain more than 6/);
  });
});
