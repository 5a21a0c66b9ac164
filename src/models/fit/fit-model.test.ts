import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { headModel, logit, type HeadModel } from '../../../tests/fit/head-models.ts';
import { rowsOf, runFitted } from '../../../tests/fit/run-fitted.ts';
import { seeingYoloV8 } from '../../../tests/fit/seeing-models.ts';
import { fixedDetector } from '../../../tests/models.ts';
import { randomSource } from '../../../tests/random-frame.ts';
import { lint } from '../../machine/config/lint/lint.ts';
import { parseMachineConfig } from '../../machine/config/parse/parse-machine-config.ts';
import { StringStringEntryProtoSchema, TensorProto_DataLocation as DataLocation } from '../../gen/onnx_pb.ts';
import { decodeModel, renameTensor } from '../onnx/edit-model.ts';
import { encodeModel } from '../onnx/encode-model.ts';
import { readGraph } from '../onnx/read-graph.ts';
import { readModel } from '../onnx/read-model.ts';
import { openNodeSession } from '../../platform/node/onnxruntime.ts';
import type { Frame } from '../../machine/vision/frame/frame.ts';
import { createMachine } from '../../machine/vision/machine.ts';
import { statedFeeding } from '../../machine/vision/inference/stated-feeding.ts';
import { fitModel } from './fit-model.ts';
import type { FitRequest } from './source/fit-request.ts';

const stretch = { letterbox: 'stretch' };
/** One a cell of the grids of a 64×64 picture. */
const cells = 64 + 16 + 4;

interface Found {
  /** centre x and y, width and height, in pixels of 64×64 */
  readonly box: readonly [number, number, number, number];
  readonly category: number;
  readonly score: number;
}

/** A YOLOv8 of three classes that always finds the same. */
function detectorOf(
  found: readonly Found[],
  { dtype = 'float32', ...model }: HeadModel = {},
  names = ['output0', 'beside'],
) {
  const columns = Array.from({ length: cells }, (_, k) => found[k]);
  return headModel({ dtype, ...model }, (build, image) => {
    const row = (value: (one: Found | undefined) => number) => columns.map(value);
    const boxes = build.floats(
      [1, 4, cells],
      [0, 1, 2, 3].flatMap((k) => row((one) => one?.box[k] ?? 0)),
    );
    const scores = [0, 1, 2].flatMap((k) => row((one) => logit(one?.category === k ? one.score : 1e-4)));
    const decoded = build.add('Mul', [boxes, build.floats([], [1])]);
    const activated = build.add('Sigmoid', [build.floats([1, 3, cells], scores)]);
    const output = build.add('Concat', [decoded, activated], { axis: { int: 1 } });
    const isFloat = dtype === 'float32';
    const to = { to: { int: isFloat ? 1 : 10 } };
    build.output(names[0]!, isFloat ? output : build.add('Cast', [output], to), isFloat ? 'float32' : 'float16', [
      1,
      7,
      cells,
    ]);
    build.output(names[1]!, build.add('Relu', [image]), isFloat ? 'float32' : 'float16', [1, 3, 64, 64]);
  });
}

const someone: Found = { box: [32, 16, 20, 10], category: 2, score: 0.75 };

async function rows(source: Uint8Array, request: FitRequest = { options: stretch }) {
  return rowsOf(await runFitted(fitModel(source, request).model));
}

const someoneSeen = [
  {
    category: 2,
    score: expect.closeTo(0.75, 4),
    box: [11 / 64, 22 / 64, 21 / 64, 42 / 64].map((v) => expect.closeTo(v, 4)),
  },
];

describe('the boundary', () => {
  it('is the machine’s: one input, three outputs of float32 and of fixed shapes', () => {
    const { inputs, outputs } = readModel(fitModel(detectorOf([someone]), { options: stretch }).model);
    expect(inputs).toMatchObject([{ name: 'image', dtype: 'float32', shape: [1, 3, 64, 64] }]);
    expect(outputs).toMatchObject([
      { name: 'location', dtype: 'float32', shape: [1, 100, 4] },
      { name: 'category', dtype: 'float32', shape: [1, 100] },
      { name: 'score', dtype: 'float32', shape: [1, 100] },
    ]);
  });

  it('gives all rows where nothing is found, so that the machine does not crash on none', async () => {
    const { location, category, score } = await runFitted(fitModel(detectorOf([]), { options: stretch }).model);
    expect(location!.values).toEqual(new Array(400).fill(0));
    expect([...category!.values, ...score!.values]).toEqual(new Array(200).fill(0));
  });

  it('keeps the first box below a sum of 4, from which on the machine takes boxes for pixels', async () => {
    const [first] = await rows(detectorOf([{ ...someone, box: [900, 900, 100, 100] }]));
    const sum = first!.box.reduce((a, b) => a + b);
    expect(sum).toBeLessThan(4);
    expect(sum).toBeGreaterThan(3.9999);
  });

  it.each([
    ['float16, in and out', detectorOf([someone], { dtype: 'float16' })],
    ['a batch of any size', detectorOf([someone], { batch: 'batch' })],
    ['tensors that have the machine’s names', detectorOf([someone], {}, ['image', 'score'])],
    ['outputs that have the machine’s names', detectorOf([someone], {}, ['location', 'probability'])],
    ['constants of before IR version 4', detectorOf([someone], { versions: { opset: 11, irVersion: 3 } })],
    ['opset 9, raised', detectorOf([someone], { versions: { opset: 9, irVersion: 4 } })],
    ['opset 10', detectorOf([someone], { versions: { opset: 10, irVersion: 5 } })],
    ['opset 21', detectorOf([someone], { versions: { opset: 21, irVersion: 10 } })],
  ])('takes %s', async (name, source) => {
    const options = /^opset (9|10)/.test(name) ? {} : stretch;
    expect(await rows(source, { options })).toEqual(someoneSeen);
  });

  it('leaves outputs out that decoding does not read, with their nodes', () => {
    const { model, added } = fitModel(detectorOf([someone]));
    expect(readModel(model).operators).not.toHaveProperty('Relu');
    expect(added.join()).toMatch(/2 nodes that only outputs left out need/);
  });

  it('raises neither opset nor IR version', () => {
    const source = detectorOf([someone], { versions: { opset: 11, irVersion: 4 } });
    expect(readModel(fitModel(source).model)).toMatchObject({ format: { opsets: { '': 11 }, irVersion: 4 } });
  });
});

describe('channels last', () => {
  const random = randomSource(5);
  const [widthPx, heightPx] = [64, 64];
  const planes = Float32Array.from({ length: 3 * widthPx * heightPx }, () => Math.floor(random() * 256));
  const pixels = planes.map((_, i) => planes[(i % 3) * widthPx * heightPx + Math.floor(i / 3)]!);
  const nchw = { shape: [1, 3, heightPx, widthPx], data: planes };
  const nhwc = { shape: [1, heightPx, widthPx, 3], data: pixels };

  it.each([
    ['stretched', 'stretch', nhwc],
    // The machine hands frames over as the input says, and the letterbox resizes channels first.
    ['padded', 'pad', nchw],
  ] as const)('sees what channels first sees, %s', async (_, letterbox, seen) => {
    const options = { letterbox };
    const [first, last] = [seeingYoloV8(3), seeingYoloV8(3, { layout: 'nhwc' })].map((source) =>
      fitModel(source, { options }),
    );
    const fed = ({ shape, data }: typeof nchw | typeof nhwc) =>
      letterbox === 'pad'
        ? { dtype: 'uint8' as const, shape, data: Uint8Array.from(data) }
        : { dtype: 'float32' as const, shape, data: data.map((value) => value / 255) };
    const wanted = rowsOf(await runFitted(first!.model, fed(nchw)));
    expect(wanted.length).toBeGreaterThan(5);
    expect(rowsOf(await runFitted(last!.model, fed(seen)))).toEqual(wanted);
  });
});

describe('a model that two families fit', () => {
  const both = headModel({}, (build) => {
    const sure = (shape: readonly number[]) =>
      build.add('Sigmoid', [build.floats(shape, new Float32Array(shape.reduce((a, b) => a * b)))]);
    const decoded = build.add('Mul', [sure([1, 7, cells]), build.floats([], [2])]);
    build.output('columns', decoded, 'float32', [1, 7, cells]);
    build.output('rows', sure([1, cells, 8]), 'float32', [1, cells, 8]);
  });

  it('is taken for the first, and the other is named', () => {
    const { family, otherFamilies } = fitModel(both);
    expect([family.id, otherFamilies.map(({ id }) => id)]).toEqual(['yolo-v8', ['yolox']]);
    expect(otherFamilies[0]!.evidence[0]).toContain('"rows"');
  });

  it('is taken for the other where that is asked for', () => {
    expect(fitModel(both, { family: 'yolox' })).toMatchObject({ family: { id: 'yolox' }, otherFamilies: [] });
  });
});

describe('weights in files beside the model', () => {
  const model = decodeModel(detectorOf([someone]));
  const [boxes] = model.graph.initializer;
  const weights = boxes!.rawData;
  boxes!.rawData = new Uint8Array();
  boxes!.dataLocation = DataLocation.EXTERNAL;
  boxes!.externalData = [create(StringStringEntryProtoSchema, { key: 'location', value: 'model.onnx.data' })];
  const source = encodeModel(model);

  it('come into the file', async () => {
    expect(await rows(source, { options: stretch, files: { 'model.onnx.data': weights } })).toEqual(someoneSeen);
  });

  it('are missed by name', () => {
    expect(() => fitModel(source)).toThrow(expect.objectContaining({ code: 'external-data-missing' }));
  });
});

describe('the machine', () => {
  const black: Frame = { format: 'rgba8', widthPx: 101, heightPx: 51, samples: new Uint8ClampedArray(101 * 51 * 4) };
  const mask = { leftPx: 0, topPx: 0, widthPx: 0, heightPx: 0, alpha: new Uint8Array() };
  const font = { advanceOf: () => 0, maskOf: () => mask };

  it.each([
    ['stretch', { xMin: 34, yMin: 8, xMax: 65, yMax: 16 }],
    // 101×51 at 64/101 is 64×32, 16 rows below the top.
    ['pad', { xMin: 34, yMin: 0, xMax: 65, yMax: 7 }],
  ])('sees by the configuration alone what the model finds, %s', async (letterbox, box) => {
    const labels = ['car', 'bus', 'person'];
    const { model, configuration } = fitModel(detectorOf([someone]), { options: { letterbox }, labels });
    const { config } = parseMachineConfig(JSON.stringify(configuration));
    const session = await openNodeSession(model);
    const machine = createMachine(config, { v: { session, labels } }, { font });
    expect(await machine.detections('v', black)).toMatchObject([{ label: 'person', ...box }]);
    await session.release();
  });

  it.each([
    ['padded', {}],
    ['stretched', { options: stretch }],
    ['without labels', { labels: null }],
    ['of bytes in BGR', { preprocessing: { colour: 'bgr', mean: [0, 0, 0], stdDev: [1 / 255, 1 / 255, 1 / 255] } }],
  ] as const)('takes the configuration of a model %s without a finding', (_, request) => {
    const source = detectorOf([someone]);
    const fitted = fitModel(source, { labels: ['a', 'b', 'c'], ...request });
    const text = JSON.stringify(fitted.configuration);
    expect(parseMachineConfig(text).problems).toEqual([]);
    const { inputs, outputs } = readModel(fitted.model);
    expect(lint(text, { v: { inputs, outputs, labels: fitted.labels } })).toEqual([]);
  });
});

describe('metadata', () => {
  it('carries labels and provenance', () => {
    const source = detectorOf([someone], { metadata: { names: "{0: 'a', 1: 'b', 2: 'c'}", author: 'someone' } });
    const { labels, model, added } = fitModel(source, { sourceSha256: 'abc' });
    expect(labels).toEqual(['a', 'b', 'c']);
    expect(readModel(model)).toMatchObject({
      labels,
      metadata: {
        author: 'someone',
        'sightglass.family': 'yolo-v8',
        'sightglass.feeding': expect.any(String),
        'sightglass.source_sha256': 'abc',
        'sightglass.added': added.join('; '),
      },
    });
  });

  it.each([
    ['float32', { letterbox: 'stretch' }],
    ['bytes', { letterbox: 'pad' }],
  ])('says how its own configuration feeds it: %s', (_, options) => {
    const preprocessing = { colour: 'bgr', mean: [0.1, 0.2, 0.3], stdDev: [0.4, 0.5, 0.6] } as const;
    const { model, configuration } = fitModel(seeingYoloV8(3), { options, preprocessing });
    const { visionServices } = parseMachineConfig(JSON.stringify(configuration)).config;
    const { bgr, meanValue, stdDev } = visionServices[0]!;
    const isPadded = options.letterbox === 'pad';
    const range = isPadded ? null : { meanValue, stdDev };
    expect(statedFeeding(readModel(model).metadata)).toEqual({
      source: 'fitted',
      guess: null,
      familyName: '',
      bgr,
      range,
      ...(!isPadded && { letterbox: { border: 114, at: 'centre' } }),
    });
    expect(bgr).toBe(true);
  });

  it('lets what was added be told from what was there, whatever tensors were called before', () => {
    const source = seeingYoloV8(3);
    const renamed = decodeModel(source);
    renameTensor(renamed.graph, renamed.graph.output[0]!.name, 'score');
    const countOf = (bytes: Uint8Array, isAdded: boolean) =>
      readGraph(bytes).operators.filter((operator) => operator.isAdded === isAdded).length;
    const own = countOf(source, false);
    expect(countOf(source, true)).toBe(0);
    const fitted = fitModel(encodeModel(renamed)).model;
    expect(countOf(fitted, false)).toBe(own);
    expect(countOf(fitted, true)).toBeGreaterThan(20);
  });

  it('has the labels given in place of its own', () => {
    const source = detectorOf([someone], { metadata: { names: "['a', 'b', 'c']" } });
    expect(readModel(fitModel(source, { labels: ['x', 'y', 'z'] }).model).labels).toEqual(['x', 'y', 'z']);
  });
});

it('leaves out a first label that stands for nothing, where the list has one too many', () => {
  const labels = ['background', 'cat', 'dog', 'cow'];
  expect(fitModel(detectorOf([someone]), { labels }).labels).toEqual(['cat', 'dog', 'cow']);
  expect(() => fitModel(detectorOf([someone]), { labels: ['cat', ...labels.slice(1)] })).toThrow(/4 labels/);
});

describe('refusals', () => {
  const source = detectorOf([someone]);

  it.each([
    ['unknown-family', { family: 'yolo-v99' }, /no family "yolo-v99". Families: yolo-v8, /],
    ['not-this-family', { family: 'yolo-v5' }, /is not a YOLOv5, YOLOv7: .*Seen: inputs "images" float32 1×3×64×64/],
    ['bad-option', { options: { treshold: 1 } }, /no option "treshold" here. Options: scoreThreshold, /],
    ['bad-option', { options: { scoreThreshold: 1.5 } }, /scoreThreshold is a number from 0 to 1; got "1.5"/],
    ['bad-option', { options: { scoreThreshold: 'low' } }, /got "low"/],
    ['bad-option', { options: { maxDetections: 2.5 } }, /a whole number from 1 to 1000/],
    ['bad-option', { options: { letterbox: 'crop' } }, /one of pad, stretch; got "crop"/],
    ['labels-mismatch', { labels: ['a', 'b'] }, /3 classes, and there are 2 labels/],
  ] as const)('%s: %j', (code, request, message) => {
    expect(() => fitModel(source, request)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it('of an operator set that cannot be raised say which is wanted', () => {
    const old = detectorOf([someone], { versions: { opset: 6, irVersion: 3 } });
    expect(() => fitModel(old)).toThrow(expect.objectContaining({ code: 'opset-too-old' }));
  });

  it('of a model that fits already', () => {
    const ready = fixedDetector({ boxes: [[0, 0, 1, 1]], categories: [0], scores: [1] });
    expect(() => fitModel(ready)).toThrow(expect.objectContaining({ code: 'already-fits' }));
    expect(() => fitModel(fitModel(source).model)).toThrow(expect.objectContaining({ code: 'already-fits' }));
  });

  it('do not come of a model that only seems to fit, for whoever says what it is', () => {
    const logits = fixedDetector({ boxes: Array(8).fill([0, 0, 1, 1]), categories: Array(8).fill(0), scores: Array(8).fill(3) }); // prettier-ignore
    const options = { boxes: 'location', scores: 'score', activation: 'sigmoid', boxUnit: 'proportional' };
    expect(
      fitModel(logits, { family: 'guided', options, inputSize: { widthPx: 64, heightPx: 64 } }).options,
    ).toMatchObject(options);
  });

  it('of an input that nothing fills name it', () => {
    const two = headModel({}, (build) => {
      const scale = build.input('scale', 'float32', [1]);
      build.output('scores', build.add('Mul', [build.floats([1, 3], [1, 2, 3]), scale]), 'float32', [1, 3]);
    });
    expect(() => fitModel(two, { family: 'classifier' })).toThrow(/input "scale" has no value/);
    expect(() => fitModel(two)).toThrow(/takes more than a picture/);
  });
});
