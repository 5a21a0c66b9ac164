import { existsSync, readFileSync } from 'node:fs';
import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { nestedModel } from '../../../tests/hostile-models.ts';
import { channelMeansClassifier, fixedDetector } from '../../../tests/models.ts';
import { StringStringEntryProtoSchema, TensorProto_DataLocation } from '../../gen/onnx_pb.ts';
import { decodeModel } from './edit-model.ts';
import { encodeModel } from './encode-model.ts';
import { readModel } from './read-model.ts';

const oneBox = { boxes: [[0, 0, 1, 1]], categories: [0], scores: [1] };

describe('readModel', () => {
  it('lists inputs and outputs in order, with dtypes, sizes and symbols', () => {
    const summary = readModel(fixedDetector({ ...oneBox, input: { dtype: 'uint8', heightPx: 48 } }));
    expect(summary.inputs).toEqual([
      { name: 'image', dtype: 'uint8', shape: [1, 48, -1, 3], symbols: [null, null, 'width', null] },
    ]);
    expect(summary.outputs.map(({ name, shape }) => [name, shape])).toEqual([
      ['location', [1, 1, 4]],
      ['category', [1, 1]],
      ['score', [1, 1]],
    ]);
    expect(summary).toMatchObject({
      format: { name: 'onnx', irVersion: 8, opsets: { '': 18 } },
      producer: 'sightglass-tests',
      graphName: 'fixed-detector',
      operators: { Identity: 3 },
      parameterCount: 6,
      labels: null,
      externalFiles: [],
    });
  });

  it('takes labels and box order from the metadata', () => {
    const metadata = { names: "{0: 'cat', 1: 'dog'}", xmin_ymin_xmax_ymax_order: '[0, 1, 2, 3]' };
    expect(readModel(channelMeansClassifier({ metadata }))).toMatchObject({
      labels: ['cat', 'dog'],
      labelsFrom: 'names',
      boxOrder: [0, 1, 2, 3],
      metadata,
    });
  });

  it('leaves initializers out of the inputs, where models of IR version 3 list them', () => {
    const model = decodeModel(channelMeansClassifier());
    model.graph.input.unshift({ ...model.graph.input[0]!, name: model.graph.initializer[0]!.name });
    expect(readModel(encodeModel(model)).inputs.map(({ name }) => name)).toEqual(['image']);
  });

  it('names the files that hold external weights', () => {
    const model = decodeModel(channelMeansClassifier());
    const [weights] = model.graph.initializer;
    weights!.dataLocation = TensorProto_DataLocation.EXTERNAL;
    weights!.externalData = [create(StringStringEntryProtoSchema, { key: 'location', value: 'weights.bin' })];
    expect(readModel(encodeModel(model)).externalFiles).toEqual(['weights.bin']);
  });

  it('says of nodes that lie too deep in each other that they do, and reads those that do not', () => {
    expect(readModel(nestedModel(30)).operators).toMatchObject({ If: 30 });
    expect(() => readModel(nestedModel(400))).toThrow(
      expect.objectContaining({
        code: 'unsupported-operator',
        message: expect.stringContaining('deeper in each other'),
      }),
    );
  });

  it('refuses a cut file and says so', () => {
    const whole = fixedDetector(oneBox);
    expect(() => readModel(whole.subarray(0, whole.length - 40))).toThrow(
      expect.objectContaining({ code: 'not-onnx', message: expect.stringContaining('cut short') }),
    );
  });

  it.each([
    ['nothing', [], 'empty'],
    ['one field and no graph', [0x08, 0x08], 'no graph'],
    ['noise', [0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 'mean nothing'],
  ])('refuses %s', (_, bytes, words) => {
    expect(() => readModel(Uint8Array.from(bytes))).toThrow(
      expect.objectContaining({ code: 'not-onnx', message: expect.stringContaining(words) }),
    );
  });

  it('says of noise by the name of another kind what it was to be', () => {
    expect(() => readModel(Uint8Array.of(0xff, 0xff, 0xff), 'yolo.tflite')).toThrow(/TensorFlow Lite.*again/);
  });
});

const models = new URL('../../../../shared/data/models/', import.meta.url);

describe.skipIf(!existsSync(models))('readModel on published models (skipped without ../shared/data)', () => {
  it.each([
    ['yolox_nano_416', 11, ['images float32 1,3,416,416'], ['output float32 1,3549,85']],
    [
      'deimv2_hgnetv2_atto_coco',
      17,
      ['images float32 -1,3,320,320', 'orig_target_sizes int64 -1,2'],
      ['labels int64 -1,-1', 'boxes float32 -1,-1,4', 'scores float32 -1,-1'],
    ],
    [
      'nanodet_m_320',
      11,
      ['input.1 float32 1,3,320,320'],
      [8, 16, 32]
        .map((stride) => `cls_pred_stride_${stride} float32 1,${(320 / stride) ** 2},80`)
        .concat([8, 16, 32].map((stride) => `dis_pred_stride_${stride} float32 1,${(320 / stride) ** 2},32`)),
    ],
    ['FastestDet_ortx', 16, ['input float32 1,3,352,352'], ['output float32 1,484,85']],
    ['ultraface_RFB-320', 9, ['input float32 1,3,240,320'], ['scores float32 1,4420,2', 'boxes float32 1,4420,4']],
    ['SqueezeNet_fp16_winml', 7, ['data_0 float16 1,3,224,224'], ['softmaxout_1 float16 1,1000,1,1']],
  ])('%s', (name, opset, inputs, outputs) => {
    const summary = readModel(readFileSync(new URL(`${name}.onnx`, models)));
    const inWords = (tensors: typeof summary.inputs) =>
      tensors.map(({ name: tensor, dtype, shape }) => `${tensor} ${dtype} ${shape.join(',')}`);
    expect(summary.format.opsets['']).toBe(opset);
    expect(inWords(summary.inputs)).toEqual(inputs);
    expect(inWords(summary.outputs)).toEqual(outputs);
  });
});
