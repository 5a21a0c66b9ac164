import { fromBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import * as ort from 'onnxruntime-web';
import { GraphBuilder } from '../onnx/edit-model.ts';
import { TensorProtoSchema } from '../../gen/onnx_pb.ts';
import { caseFiles, type CaseIndex } from './case-files.ts';
import type { CutOut, TensorPair } from './first-difference.ts';
import { differenceOf } from './tensor-difference.ts';
import { planesOf } from './tensor-planes.ts';

const x = { dtype: 'float32', shape: [1, 2, 2, 2], data: Float32Array.of(-1, 2, 3, 4, 5, 6, 7, 8) } as const;
const right = { ...x, data: Float32Array.of(0, 2, 3, 4, 5, 6, 7, 8) };
const wrong = { ...x, data: Float32Array.of(0, 2, 3, 4, 5, 6, Infinity, 10) };
const bound = { absolute: 1e-3, relative: 0, outliers: 0, because: 'moved values' };
const pair: TensorPair = {
  name: 'y',
  otherName: 'y',
  reference: right,
  other: wrong,
  bound,
  difference: differenceOf(right, wrong, bound),
};

function cutOut(): CutOut {
  const build = new GraphBuilder();
  build.input('x', 'float32', x.shape);
  build.output('y', build.add('Relu', ['x']), 'float32', x.shape);
  const model = build.build({ graphName: 'part', producer: 'test', opset: 18 });
  const node = { name: 'relu', opType: 'Relu', place: 3, inputs: ['x'], outputs: ['y'] };
  return {
    nodes: [node],
    referenceModel: model,
    otherModel: model,
    feeds: { x },
    earlierFeeds: null,
    outputs: [pair],
    worst: 0,
  };
}

describe('caseFiles', () => {
  const files = caseFiles(cutOut(), {
    referenceName: 'WASM, one thread',
    otherName: 'WebGPU',
    versions: { browser: 'Chromium 156' },
    ortVersion: '1.30.0',
    providers: { reference: 'wasm', other: 'webgpu' },
  });
  const text = (path: string) => new TextDecoder().decode(files[path]);

  it('has one model, a data set as ONNX lays it out, and both outputs', async () => {
    expect(Object.keys(files).sort()).toEqual([
      'README.md',
      'case.json',
      'index.html',
      'model.onnx',
      'other/output_0.pb',
      'test_data_set_0/input_0.pb',
      'test_data_set_0/output_0.pb',
    ]);
    const fed = fromBinary(TensorProtoSchema, files['test_data_set_0/input_0.pb']!);
    expect([fed.name, fed.dims.map(Number), fed.dataType]).toEqual(['x', [1, 2, 2, 2], 1]);
    ort.env.wasm.numThreads = 1;
    const session = await ort.InferenceSession.create(files['model.onnx']!);
    const { y } = await session.run({ x: new ort.Tensor('float32', floats(fed.rawData), x.shape) });
    expect(y!.data).toEqual(floats(fromBinary(TensorProtoSchema, files['test_data_set_0/output_0.pb']!).rawData));
  });

  it('ends each tensor with its numbers, as the page reads them', () => {
    const { inputs, outputs } = JSON.parse(text('case.json')) as CaseIndex;
    for (const { file, shape } of [...inputs, ...outputs, { ...outputs[0]!, file: outputs[0]!.other }]) {
      const bytes = files[file]!;
      const length = 4 * shape.reduce((a, b) => a * b, 1);
      expect(bytes.slice(-length)).toEqual(fromBinary(TensorProtoSchema, bytes).rawData);
    }
  });

  it('says in words what differs, where it was seen, and which runtime the page wants', () => {
    expect(text('README.md')).toContain('# Relu "relu": WebGPU differs from WASM, one thread');
    expect(text('README.md')).toContain('2 of 8 values differ by more than 0.001');
    expect(text('README.md')).toContain('- browser: Chromium 156');
    expect(text('README.md')).toContain('npm pack onnxruntime-web@1.30.0');
    expect(text('index.html')).toContain('onnxruntime-web 1.30.0');
  });
});

describe('planesOf', () => {
  it('shows the plane of the largest difference on one scale, what is no number as white', () => {
    const planes = planesOf(pair)!;
    expect([planes.at, planes.heightPx, planes.widthPx, planes.range]).toEqual([[0, 1], 2, 2, [5, 10]]);
    expect([...planes.reference]).toEqual([0, 51, 102, 153]);
    expect([...planes.difference]).toEqual([0, 0, 255, 255]);
  });

  it('gives none of tensors of different sizes', () => {
    expect(planesOf({ ...pair, other: { ...wrong, data: wrong.data.slice(1), shape: [7] } })).toBeNull();
  });
});

function floats(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}
