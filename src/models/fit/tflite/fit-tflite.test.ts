import { describe, expect, it } from 'vitest';
import { aroundCentre, bestClass, sigmoid, softmax, suppressPlainly } from '../../../../tests/fit/plain-detections.ts';
import { distributionsPlainly, plainCells } from '../../../../tests/fit/plain-grids.ts';
import { randomRows, scoredPlainly } from '../../../../tests/fit/plain-priors.ts';
import { expectPoints, expectSameRows, rowsOf, runFitted } from '../../../../tests/fit/run-fitted.ts';
import { tfliteHead, type TfliteHead } from '../../../../tests/fit/tflite-heads.ts';
import { tinyTflite } from '../../../../tests/tflite-models.ts';
import { randomSource } from '../../../../tests/random-frame.ts';
import { TfliteEditor } from '../../tflite/edit-model.ts';
import { isTflite } from '../../tflite/read-tflite.ts';
import { readTfliteModel } from '../../tflite/read-model.ts';
import { fitModel } from '../fit-model.ts';
import { judgeFitted } from '../judge-fitted.ts';

const size = { widthPx: 64, heightPx: 64 };
const classes = 3;
const cells = 84;
const limits = { ...size, scoreThreshold: 0.01, iouThreshold: 0.45, maxDetections: 100 };
const axis = (int: number) => ({ axis: { int } });

/** Boxes in pixels, and logits of scores of which few are high. */
function randomHead(seed: number, rows: number, columns: number) {
  const random = randomSource(seed);
  const boxes = Array.from({ length: rows }, () => [
    8 + 48 * random(),
    8 + 48 * random(),
    6 + 20 * random(),
    6 + 20 * random(),
  ]);
  return { boxes, logits: randomRows(random, rows, columns, -6, 3) };
}

const turned = (rows: readonly (readonly number[])[]) => rows[0]!.map((_, k) => rows.map((row) => row[k]!));

/** A model as Ultralytics writes YOLOv8: [1, 4+C, N], boxes as shares of the input. */
function yoloV8(
  { boxes, logits }: ReturnType<typeof randomHead>,
  model: TfliteHead,
  isQuantised = false,
  outputName = 'StatefulPartitionedCall:0',
) {
  return tfliteHead(model, ({ build, layer, quantised }) => {
    const centres = build.add('Mul', [
      layer([1, 4, boxes.length], turned(boxes).flat()),
      build.floats([1, 1, 1], [1 / 64]),
    ]);
    const scores = build.add('Sigmoid', [layer([1, classes, boxes.length], turned(logits).flat())]);
    const output = build.add('Concat', [centres, scores], axis(1));
    return { [outputName]: isQuantised ? quantised(output, 'int8', 1 / 256, -128) : output };
  });
}

const stepped = (value: number) => Math.min(255, Math.max(0, Math.round(value * 256))) / 256;

function plainYolo(
  boxes: readonly (readonly number[])[],
  scores: readonly (readonly number[])[],
  iouThreshold: number,
) {
  const candidates = boxes.map((box, row) => ({ corners: aroundCentre(box), ...bestClass(scores[row]!) }));
  return suppressPlainly(candidates, { ...limits, iouThreshold });
}

describe('fitting a .tflite file', () => {
  it('writes one that the machine takes, with its own names and fixed rows', () => {
    const fitted = fitModel(yoloV8(randomHead(1, cells, classes), {}), { labels: ['a', 'b', 'c'] });
    expect(isTflite(fitted.model)).toBe(true);
    expect(judgeFitted(fitted)).toEqual([]);
    const { inputs, outputs, labels } = readTfliteModel(fitted.model);
    expect(inputs).toMatchObject([{ name: 'image', dtype: 'float32', shape: [1, 64, 64, 3] }]);
    expect(outputs).toMatchObject([
      { name: 'location', dtype: 'float32', shape: [1, 100, 4] },
      { name: 'category', dtype: 'float32', shape: [1, 100] },
      { name: 'score', dtype: 'float32', shape: [1, 100] },
    ]);
    expect(labels).toEqual(['a', 'b', 'c']);
    expect(fitted.configuration.services[0]).toMatchObject({
      model: 'viam:mlmodel-tflite:tflite_cpu',
      attributes: { model_path: 'fitted.tflite', label_path: 'fitted.labels.txt' },
    });
    expect(() => fitModel(fitted.model)).toThrow('takes this model as it is');
  });

  it('leaves the names of the machine to its own outputs, whatever those of the source are called', () => {
    const { model } = fitModel(yoloV8(randomHead(1, cells, classes), {}, false, 'score'));
    const editor = new TfliteEditor(model);
    const names: string[] = [];
    for (let at = 0; editor.tensor(at) as unknown; at++) names.push(editor.tensor(at).name);
    expect(names).toContain('sightglass/source_score');
    expect(names.filter((name) => name === 'score')).toHaveLength(1);
  });

  it('keeps the source behind what it adds, to the byte', () => {
    const source = yoloV8(randomHead(1, cells, classes), {});
    const { model } = fitModel(source);
    expect(model.subarray(model.length - source.length)).toEqual(source);
  });

  it.each([1, 2, 3])('decodes YOLOv8 of shares like its own code, seed %i', async (seed) => {
    const head = randomHead(seed, cells, classes);
    const { model, family, options } = fitModel(yoloV8(head, {}));
    expect([family.id, options['boxUnit']]).toEqual(['yolo-v8', 'proportional']);
    const scores = head.logits.map((row) => row.map(sigmoid));
    expectSameRows(rowsOf(await runFitted(model)), plainYolo(head.boxes, scores, 0.7), size);
  });

  it.each([1, 2])('gives the key points of the boxes that suppression leaves, seed %i', async (seed) => {
    const { boxes, logits } = randomHead(seed, cells, 1);
    const random = randomSource(seed);
    const points = randomRows(random, cells, 51, 0, 1);
    const source = tfliteHead({}, ({ build, layer }) => {
      const centres = build.add('Mul', [layer([1, 4, cells], turned(boxes).flat()), build.floats([1, 1, 1], [1 / 64])]);
      const scores = build.add('Sigmoid', [layer([1, 1, cells], turned(logits).flat())]);
      const [sure, places] = [0, 1].map((is) =>
        build.floats(
          [1, 51, 1],
          Array.from({ length: 51 }, (_, k) => (k % 3 === 2 ? 1 - is : is)),
        ),
      );
      const raw = layer([1, 51, cells], turned(points.map((row) => row.map((value, k) => (k % 3 === 2 ? 8 * value - 4 : value)))).flat()); // prettier-ignore
      const further = build.add('Add', [
        build.add('Mul', [raw, places!]),
        build.add('Mul', [build.add('Sigmoid', [raw]), sure!]),
      ]);
      return { Identity: build.add('Concat', [centres, scores, further], axis(1)) };
    });
    const { model, evidence } = fitModel(source);
    expect(evidence.join(' ')).toMatch(/1 class scores.*51 further numbers of key points/);
    const candidates = boxes.map((box, row) => ({
      corners: aroundCentre(box),
      points: Array.from({ length: 17 }, (_, k) => {
        const [x, y, sure] = points[row]!.slice(3 * k) as [number, number, number];
        return [64 * x, 64 * y, sigmoid(8 * sure - 4)] as const;
      }),
    }));
    expect(expectPoints(await runFitted(model), candidates, size)).toBeGreaterThan(5);
  });

  it('gives masks as an ONNX file has them, of several classes, with channels first', async () => {
    const { boxes, logits } = randomHead(3, cells, classes);
    const weights = randomRows(randomSource(3), cells, 4, -1, 1);
    const maps = Array.from({ length: 16 * 16 * 4 }, (_, k) => k / 64);
    const source = tfliteHead({}, ({ build, layer }) => {
      const centres = build.add('Mul', [layer([1, 4, cells], turned(boxes).flat()), build.floats([1, 1, 1], [1 / 64])]);
      const scores = build.add('Sigmoid', [layer([1, classes, cells], turned(logits).flat())]);
      const joined = build.add('Concat', [centres, scores, layer([1, 4, cells], turned(weights).flat())], axis(1));
      return { 'PartitionedCall:0': joined, 'PartitionedCall:1': layer([1, 16, 16, 4], maps) };
    });
    const { model } = fitModel(source, { options: { masks: 'keep' } });
    expect(readTfliteModel(model).outputs.map(({ name }) => name)).toEqual([
      'location', 'category', 'score', 'mask_weights', 'mask_prototypes',
    ]); // prettier-ignore
    const outputs = await runFitted(model);
    const { shape, values } = outputs['mask_prototypes']!;
    expect([shape, values[1], values[16 * 16]]).toEqual([[1, 4, 16, 16], maps[4], maps[1]]);
    const rows = rowsOf(outputs);
    const plain = plainYolo(boxes, logits.map((row) => row.map(sigmoid)), 0.7); // prettier-ignore
    expectSameRows(rows, plain, size);
    rows.forEach(({ box: [yMin, xMin, yMax, xMax] }, row) => {
      const middle = [(xMin! + xMax!) * 32, (yMin! + yMax!) * 32];
      const apart = boxes.map(([x, y, width, height]) =>
        Math.abs(x! - middle[0]!) + Math.abs(y! - middle[1]!) +
        Math.abs(width! - 64 * (xMax! - xMin!)) + Math.abs(height! - 64 * (yMax! - yMin!)),
      ); // prettier-ignore
      const least = Math.min(...apart);
      if (least > 0.01) return; // a box that is cut off at the picture's edge
      outputs['mask_weights']!.values.slice(4 * row, 4 * row + 4).forEach((value, k) =>
        expect(value).toBeCloseTo(weights[apart.indexOf(least)]![k]!, 5),
      );
    });
  });

  it.each([
    ['which labels tell', { labels: ['a', 'b', 'c'] }],
    ['which its two parts tell', {}],
  ])('decodes a YOLOv8 with a row a candidate, %s', async (_, request) => {
    const { boxes, logits } = randomHead(4, cells, classes);
    const source = tfliteHead({}, ({ build, layer }) => {
      const centres = build.add('Mul', [layer([1, cells, 4], boxes.flat()), build.floats([1, 1, 1], [1 / 64])]);
      const scores = build.add('Sigmoid', [layer([1, cells, classes], logits.flat())]);
      return { Identity: build.add('Concat', [centres, scores], axis(2)) };
    });
    const { model, family, otherFamilies } = fitModel(source, request);
    expect([family.id, ...otherFamilies.map(({ id }) => id)]).toEqual(['yolo-v8']);
    const scores = logits.map((row) => row.map(sigmoid));
    expectSameRows(rowsOf(await runFitted(model)), plainYolo(boxes, scores, 0.7), size);
  });

  it('decodes an int8 YOLOv8 of one scale for boxes and scores', async () => {
    const head = randomHead(5, cells, classes);
    const quantization = { input: 'int8', inputQuantization: { scale: 1 / 255, zeroPoint: -128 } } as const;
    const { model, added } = fitModel(yoloV8(head, quantization, true));
    expect(added[0]).toBe('a quantisation of the input from uint8 to int8');
    const boxes = head.boxes.map((box) => box.map((value) => stepped(value / 64) * 64));
    const scores = head.logits.map((row) => row.map((value) => stepped(sigmoid(value))));
    const found = rowsOf(await runFitted(model));
    const wanted = plainYolo(boxes, scores, 0.7);
    // Where scores are equal, which quantised ones often are, any may stand first.
    expect(found.map(({ score }) => score)).toEqual(wanted.map(({ score }) => expect.closeTo(score, 6) as number));
  });

  it('decodes YOLOv5 with objectness, three anchors a cell', async () => {
    const { boxes, logits } = randomHead(7, 3 * cells, 1 + classes);
    const source = tfliteHead({}, ({ build, layer }) => {
      const centres = build.add('Mul', [layer([1, boxes.length, 4], boxes.flat()), build.floats([1, 1, 1], [1 / 64])]);
      const scores = build.add('Sigmoid', [layer([1, boxes.length, 1 + classes], logits.flat())]);
      return { Identity: build.add('Concat', [centres, scores], axis(2)) };
    });
    const { model, family } = fitModel(source);
    expect(family.id).toBe('yolo-v5');
    const scores = logits.map(([objectness, ...of]) => of.map((value) => sigmoid(value) * sigmoid(objectness!)));
    expectSameRows(rowsOf(await runFitted(model)), plainYolo(boxes, scores, 0.45), size);
  });

  it.each(['nhwc', 'nchw'] as const)('decodes the offsets of YOLOX, fed bytes, %s', async (layout) => {
    const random = randomSource(11);
    const offsets = randomRows(random, cells, 4, -0.5, 1.5);
    const logits = randomRows(random, cells, 1 + classes, -5, 3);
    const source = tfliteHead({ layout }, ({ build, layer }) => {
      const scores = build.add('Sigmoid', [layer([1, cells, 1 + classes], logits.flat())]);
      return { output: build.add('Concat', [layer([1, cells, 4], offsets.flat()), scores], axis(2)) };
    });
    const { model, family, configuration } = fitModel(source);
    expect(family.id).toBe('yolox');
    expect(configuration.services[1].attributes).toMatchObject({ input_image_bgr: true });
    expect(readTfliteModel(model).inputs[0]!.dtype).toBe('uint8');
    const boxes = plainCells({ strides: [8, 16, 32], anchors: 1, offset: 0 }, 64, 64).map(
      ({ column, row, stride }, k) => {
        const [x, y, w, h] = offsets[k]!;
        return [(column + x!) * stride, (row + y!) * stride, Math.exp(w!) * stride, Math.exp(h!) * stride];
      },
    );
    const scores = logits.map(([objectness, ...of]) => of.map((value) => sigmoid(value) * sigmoid(objectness!)));
    expectSameRows(rowsOf(await runFitted(model)), plainYolo(boxes, scores, 0.45), size);
  });

  it('decodes the distributions of NanoDet, a tensor a stride', async () => {
    const random = randomSource(13);
    const bins = 8;
    const levels = [64, 16, 4].map((rows) => ({
      scores: randomRows(random, rows, classes, 0, 0.9).map((row) => row.map((value) => 0.001 + value ** 3)),
      distributions: randomRows(random, rows, 4 * bins, 0, 6),
    }));
    const source = tfliteHead({}, ({ build, layer }) =>
      Object.fromEntries([
        ...levels.map(({ scores }, k) => {
          const logits = scores.flat().map((value) => Math.log(value / (1 - value)));
          return [`s${k}`, build.add('Sigmoid', [layer([1, scores.length, classes], logits)])];
        }),
        ...levels.map(({ distributions }, k) => [
          `d${k}`,
          layer([1, distributions.length, 4 * bins], distributions.flat()),
        ]),
      ]),
    );
    const { model, family } = fitModel(source);
    expect(family.id).toBe('nanodet');
    const wanted = distributionsPlainly(
      levels.flatMap(({ scores }) => scores.flat()),
      levels.flatMap(({ distributions }) => distributions.flat()),
      classes,
      { strides: [8, 16, 32], anchors: 1, offset: 0.5 },
      { ...limits, scoreThreshold: 0.05, iouThreshold: 0.6 },
    );
    expectSameRows(rowsOf(await runFitted(model)), wanted, size);
  });

  it('decodes the anchors of BlazeFace', async () => {
    const random = randomSource(17);
    const grids = [
      ...plainCells({ strides: [8], anchors: 2, offset: 0.5 }, 128, 128),
      ...plainCells({ strides: [16], anchors: 6, offset: 0.5 }, 128, 128),
    ];
    const offsets = randomRows(random, grids.length, 16, -10, 10).map(([dx, dy, w, h, ...points]) =>
      [dx!, dy!, 20 + Math.abs(w!), 20 + Math.abs(h!), ...points]); // prettier-ignore
    const logits = randomRows(random, grids.length, 1, -9, 4);
    const sides = { widthPx: 128, heightPx: 128 };
    const source = tfliteHead(sides, ({ layer }) => ({
      regressors: layer([1, grids.length, 16], offsets.flat()),
      classificators: layer([1, grids.length, 1], logits.flat()),
    }));
    const { model, family } = fitModel(source);
    expect(family.id).toBe('blazeface');
    const boxes = grids.map(({ column, row, stride }, k) => {
      const [dx, dy, w, h] = offsets[k]!;
      return aroundCentre([(column + 0.5) * stride + dx!, (row + 0.5) * stride + dy!, w!, h!]);
    });
    const wanted = scoredPlainly(
      boxes,
      logits.map((row) => row.map(sigmoid)),
      { ...limits, ...sides, scoreThreshold: 0.05, iouThreshold: 0.3 },
    );
    expectSameRows(rowsOf(await runFitted(model)), wanted, sides);
  });

  it('gives rows of zeros where there is nothing', async () => {
    const { boxes, logits } = randomHead(1, cells, classes);
    const none = { boxes, logits: logits.map((row) => row.map(() => -30)) };
    const outputs = await runFitted(fitModel(yoloV8(none, {})).model);
    expect(new Set(outputs['score']!.values)).toEqual(new Set([0]));
    expect(new Set(outputs['location']!.values)).toEqual(new Set([0]));
  });

  it('makes probabilities of the logits of a classifier', async () => {
    const logits = [1, -2, 0.5, 3];
    const source = tfliteHead({}, ({ layer }) => ({ 'StatefulPartitionedCall:0': layer([1, 4], logits) }));
    const { model } = fitModel(source);
    const { probability } = await runFitted(model);
    softmax(logits).forEach((value, k) => expect(probability!.values[k]).toBeCloseTo(value, 6));
  });

  it.each(['uint8', 'int8'] as const)(
    'gives the probabilities that %s steps stand for, not the steps',
    async (type) => {
      const logits = [1, -2, 0.5, 3];
      const zeroPoint = type === 'int8' ? -128 : 0;
      const quantization = { scale: 1 / 128, zeroPoint: zeroPoint + 128 } as const;
      const source = tfliteHead({ input: type, inputQuantization: quantization }, ({ build, layer, quantised }) => ({
        scores: quantised(build.add('Softmax', [layer([1, 4], logits)], axis(1)), type, 1 / 256, zeroPoint),
      }));
      const { model, configuration } = fitModel(source);
      const { inputs, outputs } = readTfliteModel(model);
      expect(inputs[0]).toMatchObject({ name: 'image', dtype: 'uint8' });
      expect(outputs[0]).toMatchObject({ name: 'probability', dtype: 'float32' });
      expect(configuration.services[1].attributes).toEqual({ mlmodel_name: 'm' });
      const { probability } = await runFitted(model);
      softmax(logits).forEach((value, k) => expect(probability!.values[k]).toBeCloseTo(stepped(value), 6));
    },
  );

  it('leaves mean and deviation to the configuration where int8 steps stand for other numbers than moved bytes', () => {
    const source = tfliteHead(
      { input: 'int8', inputQuantization: { scale: 0.0187, zeroPoint: -14 } },
      ({ build, layer }) => ({ scores: build.add('Softmax', [layer([1, 4], [1, 2, 3, 4])], axis(1)) }),
    );
    const { model, configuration } = fitModel(source);
    expect(readTfliteModel(model).inputs[0]!.dtype).toBe('float32');
    expect(configuration.services[1].attributes).toHaveProperty('input_image_mean_value');
  });

  it('moves bytes only where that gives the fed numbers to a step and a half of the int8 input', () => {
    const quantization = { input: 'int8', inputQuantization: { scale: 1 / 255, zeroPoint: -128 } } as const;
    const source = yoloV8(randomHead(5, cells, classes), quantization, true);
    const dtypeFor = (mean: number) => {
      const preprocessing = { mean: [mean, mean, mean], stdDev: [1, 1, 1] } as const;
      return readTfliteModel(fitModel(source, { preprocessing }).model).inputs[0]!.dtype;
    };
    expect([0, 1.4 / 255, 1.6 / 255].map(dtypeFor)).toEqual(['uint8', 'uint8', 'float32']);
  });

  it('refuses a second input in words', () => {
    const picture = { name: 'picture', type: 0, shape: [1, 64, 64, 3] };
    const tensors = [picture, { name: 'state', type: 0, shape: [1, 4] }, { name: 'scores', type: 0, shape: [1, 4] }];
    const operators = [{ code: 14, inputs: [1], outputs: [2] }];
    const source = tinyTflite({ tensors, operators, inputs: [0, 1], outputs: [2] });
    expect(() => fitModel(source, { family: 'classifier' })).toThrow('2 inputs, and the machine fills one');
  });

  it('refuses operators that the machine does not have', () => {
    const picture = { name: 'picture', type: 0, shape: [1, 64, 64, 3] };
    const tensors = [picture, { name: 'scores', type: 0, shape: [1, 4] }];
    const operators = [{ code: 'edgetpu-custom-op', inputs: [0], outputs: [1] }];
    const source = tinyTflite({ tensors, operators, inputs: [0], outputs: [1] });
    expect(() => fitModel(source)).toThrow(
      /uses edgetpu-custom-op, which the machine does not have\. It is compiled for an Edge TPU.*take the file from before edgetpu_compiler/,
    );
  });
});
