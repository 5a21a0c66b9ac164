import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { StringStringEntryProtoSchema, TensorProto_DataLocation as DataLocation } from '../../gen/onnx_pb.ts';
import { decodeModel, GraphBuilder } from './edit-model.ts';
import { embedExternalData } from './external-data.ts';

function modelWithWeightsIn(location: string, entries: Record<string, string> = {}) {
  const build = new GraphBuilder();
  build.output('y', build.add('Identity', [build.floats([2], [0, 0])]), 'float32', [2]);
  const { graph } = decodeModel(build.build({ graphName: 'g', producer: 'p', opset: 18 }));
  const [weights] = graph.initializer;
  weights!.rawData = new Uint8Array();
  weights!.dataLocation = DataLocation.EXTERNAL;
  weights!.externalData = Object.entries({ location, ...entries }).map(([key, value]) =>
    create(StringStringEntryProtoSchema, { key, value }),
  );
  return graph;
}

const file = Uint8Array.from({ length: 16 }, (_, k) => k);

describe('embedExternalData', () => {
  it.each([
    ['the bytes named', 'model.onnx.data', { offset: '4', length: '8' }, [4, 5, 6, 7, 8, 9, 10, 11]],
    ['all from the offset on', 'model.onnx.data', { offset: '12' }, [12, 13, 14, 15]],
    ['the whole file', 'model.onnx.data', {}, [...file]],
    ['a file in a folder, by its own name', 'weights/model.onnx.data', { offset: '14' }, [14, 15]],
  ])('takes %s', (_, location, entries, bytes) => {
    const graph = modelWithWeightsIn(location, entries);
    expect(embedExternalData(graph, { 'model.onnx.data': file })).toBe(1);
    const [weights] = graph.initializer;
    expect([...weights!.rawData]).toEqual(bytes);
    expect(weights).toMatchObject({ dataLocation: DataLocation.DEFAULT, externalData: [] });
  });

  it.each([
    ['a file that was not given', {}, {}, /"w.bin", which was not given/],
    ['a file that is too short', { 'w.bin': file }, { offset: '12', length: '8' }, /has 16 bytes.*want 8 from byte 12/],
    ['an offset that is not a number', { 'w.bin': file }, { offset: 'x' }, /from byte NaN/],
  ])('refuses %s', (_, files, entries, message) => {
    expect(() => embedExternalData(modelWithWeightsIn('w.bin', entries), files)).toThrow(
      expect.objectContaining({ code: 'external-data-missing', message: expect.stringMatching(message) }),
    );
  });

  it('leaves a model in one piece alone', () => {
    const build = new GraphBuilder();
    build.floats([1], [1]);
    const graph = modelWithWeightsIn('w');
    graph.initializer = [];
    expect(embedExternalData(graph, {})).toBe(0);
  });
});
