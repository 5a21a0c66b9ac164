import { expect, it } from 'vitest';
import { GraphBuilder } from '../../../src/models/onnx/edit-model.ts';
import { readModelFile } from '../../../src/models/read-model-file.ts';
import { patternFrame } from '../../../src/machine/vision/frame/pattern-frame.ts';
import { referenceStretchKernel } from '../../../src/machine/vision/preprocess/preprocess.ts';
import type { Trial } from './gpu-trial.ts';
import { trialsOf } from './trials-of.ts';

it('feeds every backend the same frame, whatever is read into its memory meanwhile', () => {
  const graph = new GraphBuilder();
  graph.output('y', graph.input('image', 'float32', [1, 3, 6, 8]), 'float32', [1, 3, 6, 8]);
  const { summary } = readModelFile(graph.build({ graphName: 'same', producer: 'test', opset: 18 }), 'same.onnx');
  const frame = patternFrame('rgba8', 21, 11);
  const [{ feeds, picture }] = trialsOf(summary, frame, referenceStretchKernel) as [Trial];
  const onCpu = feeds();
  const before = frame.samples.slice();
  frame.samples.fill(0);
  expect(feeds()).toEqual(onCpu);
  expect(picture!.frame.samples).toEqual(before);
});
