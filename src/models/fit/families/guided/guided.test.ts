import { describe, expect, it } from 'vitest';
import { headModel, logit } from '../../../../../tests/fit/head-models.ts';
import { aroundCentre, bestClass, sigmoid, suppressPlainly } from '../../../../../tests/fit/plain-detections.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { yoloV8Model } from '../../../../../tests/fit/yolo-v8-model.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import { readModel } from '../../../onnx/read-model.ts';
import { fitModel } from '../../fit-model.ts';
import type { OptionValues } from '../../structure/options.ts';

const stretch = { letterbox: 'stretch' };

/** Two candidates of a 64×64 picture: a box of 16..48 × 8..24 and one of 0..8 × 32..64. */
const forms: readonly (readonly [string, readonly number[], OptionValues])[] = [
  ['centre and size', [32, 16, 32, 16, 4, 48, 8, 32], {}],
  ['corner and size', [16, 8, 32, 16, 0, 32, 8, 32], {}],
  ['two corners', [0.25, 0.125, 0.75, 0.375, 0, 0.5, 0.125, 1], { boxUnit: 'proportional' }],
  ['two corners, y first', [8, 16, 24, 48, 32, 0, 64, 8], {}],
];

/** Candidates that say nothing follow: more of them than numbers each, as in real heads. */
const padded = (values: readonly number[], each: number): number[] => [
  ...values,
  ...Array.from({ length: 9 * each - values.length }, () => 0),
];

const twoOutputs = (boxes: readonly number[], scores: readonly number[]) =>
  headModel({}, (build) => {
    build.output('where', build.add('Identity', [build.floats([1, 9, 4], padded(boxes, 4))]), 'float32', [1, 9, 4]);
    build.output('what', build.add('Identity', [build.floats([1, 9, 3], padded(scores, 3))]), 'float32', [1, 9, 3]);
  });

async function found(model: Uint8Array, options: OptionValues = {}) {
  const fitted = fitModel(model, { family: 'guided', options: { ...stretch, ...options } });
  const rows = rowsOf(await runFitted(fitted.model));
  return rows.map(({ box, category, score }) => ({
    box: box.map((side) => Math.round(side * 64)),
    category,
    score: Math.round(score * 100) / 100,
  }));
}

describe('a model that is read as its user says', () => {
  it.each(forms)('takes boxes as %s', async (boxForm, boxes, more) => {
    const scores = [0.1, 0.9, 0.2, 0.7, 0.1, 0.1];
    expect(await found(twoOutputs(boxes, scores), { boxForm, activation: 'none', ...more })).toEqual([
      { box: [8, 16, 24, 48], category: 1, score: 0.9 },
      { box: [32, 0, 64, 8], category: 0, score: 0.7 },
    ]);
  });

  it.each([
    ['sigmoid', 'none', [0.1, 0.9, 0.2].map(logit), [1, 0.9]],
    ['softmax', 'none', [0.2, 0.2, 0.6].map(Math.log), [2, 0.6]],
    ['softmax', 'first', [0.2, 0.2, 0.6].map(Math.log), [1, 0.6]],
    ['none', 'last', [0.3, 0.2, 0.6], [0, 0.3]],
  ])(
    'takes scores by %s, background %s',
    async (activation, background, scores, [category = 0, score = 0]: readonly number[]) => {
      const boxes = [32, 16, 32, 16, 4, 48, 8, 32];
      const options = { activation, background, scoreThreshold: 0.55 * score };
      const rows = await found(twoOutputs(boxes, scores), options);
      expect(rows).toContainEqual({ box: [8, 16, 24, 48], category, score });
    },
  );

  it('reads one output of columns as the family does that it is of', async () => {
    const boxes = [
      { centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] },
      { centreX: 50, centreY: 20, width: 8, height: 24, scores: [0.2, 0.6] },
    ];
    const model = yoloV8Model(boxes);
    const known = fitModel(model, { options: stretch });
    const said = fitModel(model, { family: 'guided', options: { ...stretch, iouThreshold: 0.7 } });
    expect(rowsOf(await runFitted(said.model))).toEqual(rowsOf(await runFitted(known.model)));
    expect(said.family.id).toBe('guided');
  });

  it('multiplies by an objectness, and counts classes', async () => {
    const rows = [32, 16, 32, 16, 0.5, 0.8, 0.6, 9, 4, 48, 8, 32, 0.9, 0.1, 0.5, 9];
    const model = headModel({}, (build) => {
      build.output('all', build.add('Identity', [build.floats([1, 9, 8], padded(rows, 8))]), 'float32', [1, 9, 8]);
    });
    expect(await found(model, { objectness: 4, scoreColumn: 5, classCount: 2, activation: 'none' })).toEqual([
      { box: [32, 0, 64, 8], category: 1, score: 0.45 },
      { box: [8, 16, 24, 48], category: 0, score: 0.4 },
    ]);
  });

  it('keeps nothing of the outputs that it does not read', () => {
    const model = headModel({}, (build) => {
      build.output('where', build.add('Identity', [build.floats([1, 9, 5], padded([], 5))]), 'float32', [1, 9, 5]);
      build.output('other', build.add('Neg', [build.floats([1, 9, 3], padded([], 3))]), 'float32', [1, 9, 3]);
    });
    const options = { boxes: 'where', scores: 'where', scoreColumn: 4 };
    expect(Object.keys(readModel(fitModel(model, { family: 'guided', options }).model).operators)).not.toContain('Neg');
  });

  it('says which columns there are', () => {
    const model = yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }]);
    const fit = (options: OptionValues) => () => fitModel(model, { family: 'guided', options });
    expect(fit({ boxColumn: 3 })).toThrow(/6 numbers a candidate: no four begin at 3/);
    expect(fit({ classCount: 3 })).toThrow(/scores cannot stand at 4 to 6/);
  });

  it('feeds the model as it is told', () => {
    const model = yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }]);
    const { configuration } = fitModel(model, {
      family: 'guided',
      options: { ...stretch, colour: 'bgr', values: '-1..1' },
    });
    expect(configuration.services[1].attributes).toMatchObject({
      input_image_bgr: true,
      input_image_mean_value: [0.5, 0.5, 0.5],
      input_image_std_dev: [0.5, 0.5, 0.5],
    });
  });
});

describe('a model of several levels', () => {
  const size = { widthPx: 96, heightPx: 64 };
  const strides = [8, 16, 32];
  const anchors = [
    [[10, 13], [16, 30], [33, 23]],
    [[30, 61], [62, 45], [59, 30]],
    [[80, 60], [50, 40], [20, 20]],
  ]; // prettier-ignore
  const said = anchors.map((level) => level.map(([width, height]) => `${width},${height}`).join(' ')).join(' / ');
  const limits = { ...size, scoreThreshold: 0.2, iouThreshold: 0.45, maxDetections: 100 };
  const random = randomSource(11);
  /** [anchor][number of its cell][y, x], a box, an objectness and two classes, before any activation */
  const levels = strides.map((stride) => {
    const [height, width] = [size.heightPx / stride, size.widthPx / stride];
    const values = Array.from({ length: 3 * 7 * height * width }, () => Math.fround(6 * random() - 3));
    return { stride, height, width, values };
  });
  const value = ({ height, width, values }: (typeof levels)[number], at: readonly number[]) =>
    values[((at[0]! * 7 + at[1]!) * height + at[2]!) * width + at[3]!]!;

  type Layout = 'channels first' | 'channels last' | 'anchors first';

  const modelOf = (layout: Layout, isActivated = false) =>
    headModel(size, (build) => {
      // The coarsest first: the order of the outputs says nothing.
      for (const { stride, height, width, values } of levels.toReversed()) {
        const shape = [1, 21, height, width];
        const raw = build.add('Identity', [build.floats(shape, values)]);
        const tensor = isActivated ? build.add('Sigmoid', [raw]) : raw;
        const apart = () => build.add('Reshape', [tensor, build.ints([5], [1, 3, 7, height, width])]);
        const last = [1, height, width, 21];
        if (layout === 'channels first') build.output(`out${stride}`, tensor, 'float32', shape);
        else if (layout === 'channels last')
          build.output(
            `out${stride}`,
            build.add('Transpose', [tensor], { perm: { ints: [0, 2, 3, 1] } }),
            'float32',
            last,
          );
        else {
          const turned = build.add('Transpose', [apart()], { perm: { ints: [0, 1, 3, 4, 2] } });
          build.output(`out${stride}`, turned, 'float32', [1, 3, height, width, 7]);
        }
      }
    });

  /** The boxes as YOLOv5's and YOLOv3's own post-processing says them. */
  const plainly = (form: 'v5' | 'v3') =>
    suppressPlainly(
      levels.flatMap((level, place) => {
        const { stride, height, width } = level;
        const cells = Array.from({ length: height * width * 3 }, (_, at) => {
          const [anchor, x, y] = [at % 3, Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
          const number = (k: number) => value(level, [anchor, k, y, x]);
          const [anchorWidth, anchorHeight] = anchors[place]![anchor] as [number, number];
          const centre = ([k, cell]: readonly [number, number]) =>
            stride * (form === 'v5' ? 2 * sigmoid(number(k)) - 0.5 + cell : sigmoid(number(k)) + cell);
          const side = ([k, anchorPx]: readonly [number, number]) =>
            anchorPx * (form === 'v5' ? (2 * sigmoid(number(k))) ** 2 : Math.exp(number(k)));
          const { category, score } = bestClass([5, 6].map((k) => sigmoid(number(k))));
          const box = [centre([0, x]), centre([1, y]), side([2, anchorWidth]), side([3, anchorHeight])];
          return { corners: aroundCentre(box), category, score: score * sigmoid(number(4)) };
        });
        return cells;
      }),
      limits,
    );

  const fit = (model: Uint8Array, options: OptionValues) =>
    fitModel(model, { family: 'guided', options: { ...stretch, scoreThreshold: 0.2, anchors: said, ...options } });

  it.each([
    ['channels first', 'anchors as in YOLOv5', 'v5'],
    ['channels last', 'anchors as in YOLOv5', 'v5'],
    ['anchors first', 'anchors as in YOLOv5', 'v5'],
    ['channels first', 'anchors as in YOLOv3', 'v3'],
  ] as const)('takes anchors, %s, %s', async (layout, boxForm, form) => {
    const fitted = fit(modelOf(layout), { boxForm });
    const wanted = plainly(form);
    expect(wanted.length).toBeGreaterThan(20);
    expectSameRows(rowsOf(await runFitted(fitted.model)), wanted, size);
  });

  it('takes numbers that went through their sigmoid in the model', async () => {
    const fitted = fit(modelOf('channels first', true), {});
    expect(fitted.options).toMatchObject({
      activation: 'none',
      strides: '8, 16, 32',
      anchorsPerCell: 3,
      objectness: 4,
    });
    expectSameRows(rowsOf(await runFitted(fitted.model)), plainly('v5'), size);
  });

  it('takes boxes and scores of levels apart, as offsets in the cells', async () => {
    const cells = [96, 24, 6];
    const model = headModel(size, (build) => {
      strides.forEach((stride, at) => {
        const [height, width] = [64 / stride, 96 / stride];
        const boxes = Array.from({ length: 4 * cells[at]! }, (_, k) => (k < 2 * cells[at]! ? 0.5 : 0));
        const scores = Array.from({ length: 2 * cells[at]! }, (_, k) => (k === 1 ? 0.5 + at / 10 : 0));
        build.output(`box${stride}`, build.add('Identity', [build.floats([1, 4, height, width], boxes)]), 'float32', [
          1,
          4,
          height,
          width,
        ]);
        build.output(`cls${stride}`, build.add('Identity', [build.floats([1, 2, height, width], scores)]), 'float32', [
          1,
          2,
          height,
          width,
        ]);
      });
    });
    const { model: fitted, options } = fit(model, { boxForm: 'offsets in a grid', activation: 'none' });
    expect(options).toMatchObject({ boxes: 'all 3 levels of 4', scores: 'all 3 levels of 2', anchorsPerCell: 1 });
    const rows = rowsOf(await runFitted(fitted));
    expect(rows.map(({ box }) => box.map((side, k) => side * (k % 2 === 0 ? 64 : 96)))).toEqual(
      [32, 16, 8].map((stride) => [0, stride, stride, 2 * stride].map((side) => expect.closeTo(side, 3) as number)),
    );
  });

  it('says what the levels want', () => {
    const model = modelOf('channels first');
    expect(() => fit(model, { anchors: '10,13 16,30' })).toThrow('anchors has 4 numbers: 3 levels of 3 need 18');
    expect(() => fit(model, { strides: '8, 16' })).toThrow('Strides 8, 16 give grids of 12×8, 6×4 cells');
    expect(() => fit(model, { strides: '8 x 32' })).toThrow('strides are numbers from 1 to 1024; got "8 x 32"');
    expect(() => fit(model, { anchorsPerCell: 2 })).toThrow('21 numbers, which are not those of 2 anchors');
    expect(() => fit(modelOf('anchors first'), { anchorsPerCell: 1 })).toThrow('not those of 1 anchors');
    expect(() => fit(model, { boxes: 'out8', scores: 'out8', scoreColumn: 5 })).toThrow('anchors belong to levels');
  });

  it('begins with the anchors of YOLOv3-tiny where there are two levels, and with the values that the graph wants', () => {
    const model = headModel(size, (build, image) => {
      const seen = build.add('Div', [image, build.floats([], [255])]);
      build.output('seen', build.add('Relu', [seen]), 'float32', [1, 3, 64, 96]);
      for (const { stride, height, width, values } of levels.slice(1))
        build.output(`out${stride}`, build.floats([1, 21, height, width], values), 'float32', [1, 21, height, width]);
    });
    const { options, preprocessing } = fitModel(model, { family: 'guided', options: stretch });
    expect(options).toMatchObject({
      boxForm: 'anchors as in YOLOv3',
      anchors: '10,14 23,27 37,58 / 81,82 135,169 344,319',
      values: 'bytes',
    });
    expect(preprocessing.stdDev[0]).toBe(1 / 255);
  });
});
