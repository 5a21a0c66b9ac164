import { describe, expect, it } from 'vitest';
import { headModel } from '../../../../../tests/fit/head-models.ts';
import { chosenPlainly } from '../../../../../tests/fit/plain-detr.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import type { TensorDtype } from '../../../../machine/vision/tensor/tensor.ts';
import { fitModel } from '../../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const queries = 40;

function randomRows(seed: number) {
  const random = randomSource(seed);
  const of = <T>(make: () => T): T[] => Array.from({ length: queries }, make);
  return {
    /** shares of the picture */
    boxes: of(() => [random() * 0.6, random() * 0.6, 0.6 + random() * 0.5, 0.6 + random() * 0.4]),
    labels: of(() => Math.floor(random() * 5)),
    scores: of(() => Math.fround(random())),
  };
}

interface Variant {
  /** shapes of the outputs; default: as exports state them, the batch symbolic */
  readonly shapes?: readonly (readonly (number | string)[])[];
  readonly labelsType?: TensorDtype;
  readonly sizes?: { readonly dtype: TensorDtype; readonly shape: readonly (number | string)[] } | null;
}

/** The end of such exports: shares times the size that the second input says. */
function rtDetrModel({ boxes, labels, scores }: ReturnType<typeof randomRows>, variant: Variant = {}) {
  const { labelsType = 'int64', sizes = { dtype: 'int64', shape: ['batch', 2] } } = variant;
  const [labelsShape, boxesShape, scoresShape] = variant.shapes ?? [
    ['batch', queries],
    ['batch', queries, 4],
    ['batch', queries],
  ];
  return headModel({ ...size, batch: 'batch' }, (build) => {
    const shares = build.floats([1, queries, 4], boxes.flat());
    let scaled = shares;
    if (sizes) {
      const asked = build.input('orig_target_sizes', sizes.dtype, sizes.shape);
      const twice = build.add('Tile', [build.add('Cast', [asked], { to: { int: 1 } }), build.ints([2], [1, 2])]);
      scaled = build.add('Mul', [shares, build.add('Unsqueeze', [twice, build.ints([1], [1])])]);
    }
    const classes = labelsType === 'int64' ? build.ints([1, queries], labels) : build.floats([1, queries], labels);
    build.output('labels', classes, labelsType, labelsShape!);
    build.output('boxes', scaled, 'float32', boxesShape!);
    build.output('scores', build.floats([1, queries], scores), 'float32', scoresShape!);
  });
}

function plainly({ boxes, labels, scores }: ReturnType<typeof randomRows>, limits = {}) {
  const { widthPx, heightPx } = size;
  const pixels = boxes.flatMap(([x1, y1, x2, y2]) => [x1! * widthPx, y1! * heightPx, x2! * widthPx, y2! * heightPx]);
  return chosenPlainly(pixels, labels, scores, { ...size, scoreThreshold: 0.01, maxDetections: 300, ...limits });
}

describe('RT-DETR', () => {
  it.each([
    ['as it is exported', {}],
    ['with sizes as float32', { sizes: { dtype: 'float32', shape: [1, 2] } }],
    [
      'with all sizes of its outputs left open',
      {
        shapes: [
          ['a', 'b'],
          ['c', 'd', 4],
          ['c', 'd'],
        ],
      },
    ],
  ] as const)('gives the chosen rows, %s', async (_, variant) => {
    const rows = randomRows(1);
    const { family, model, added } = fitModel(rtDetrModel(rows, variant));
    expect(family.id).toBe('rt-detr');
    expect(added.join('; ')).toMatch(/constant for the input "orig_target_sizes".*exactly 300 rows/);
    expectSameRows(rowsOf(await runFitted(model)), plainly(rows), size);
  });

  it('takes the threshold and the number of rows as options', async () => {
    const rows = randomRows(2);
    const options = { scoreThreshold: 0.5, maxDetections: 7 };
    const outputs = await runFitted(fitModel(rtDetrModel(rows), { options }).model);
    expect(outputs['location']!.shape).toEqual([1, 7, 4]);
    expectSameRows(rowsOf(outputs), plainly(rows, options), size);
  });

  it.each([
    ['no sizes', { sizes: null }, /no second input \[1, 2\]/],
    ['three sizes', { sizes: { dtype: 'int64', shape: ['batch', 3] } }, /no second input \[1, 2\]/],
    ['labels that are no whole numbers', { labelsType: 'float32' }, /not boxes, whole-numbered labels/],
    [
      'a label fewer than boxes',
      {
        shapes: [
          [1, 39],
          [1, 40, 4],
          [1, 40],
        ],
      },
      /not boxes, whole-numbered labels/,
    ],
  ] as const)('is not taken for it with %s', (_, variant, why) => {
    expect(() => fitModel(rtDetrModel(randomRows(3), variant), { family: 'rt-detr' })).toThrow(
      expect.objectContaining({ code: 'not-this-family', message: expect.stringMatching(why) }),
    );
  });
});
