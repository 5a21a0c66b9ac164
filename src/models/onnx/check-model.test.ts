import { expect, it } from 'vitest';
import { channelMeansClassifier } from '../../../tests/models.ts';
import { checkModel } from './check-model.ts';
import { GraphBuilder } from './edit-model.ts';
import { readModel } from './read-model.ts';

const sound = readModel(channelMeansClassifier());

it('finds nothing wrong with a sound model', () => {
  expect(checkModel(sound)).toEqual([]);
});

it.each([
  [{ externalFiles: ['a.bin', 'b.bin'] }, 'external-data-missing', '2 files beside the model (a.bin, b.bin)'],
  [{ format: { ...sound.format, opsets: { '': 27 } } }, 'unsupported-operator', 'opset 27'],
  [
    { operators: { Conv: 1, 'ai.onnx.contrib.Nms': 2 } },
    'unsupported-operator',
    'ai.onnx.contrib (used: ai.onnx.contrib.Nms)',
  ],
])('%j → %s', (part, code, words) => {
  const [problem, ...others] = checkModel({ ...sound, ...part });
  expect(problem).toMatchObject({ code, message: expect.stringContaining(words) });
  expect(others).toEqual([]);
});

it('takes operators of com.microsoft and of the model itself for known', () => {
  const build = new GraphBuilder();
  const image = build.input('image', 'float32', [1, 2]);
  build.output('out', build.add('Gelu', [image], {}, 'com.microsoft'), 'float32', [1, 2]);
  const bytes = build.build({ graphName: 'g', producer: 'p', opset: 18, domains: { 'com.microsoft': 1 } });
  expect(checkModel(readModel(bytes))).toEqual([]);
});
