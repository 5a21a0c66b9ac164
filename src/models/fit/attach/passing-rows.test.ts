import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../onnx/edit-model.ts';
import { openNodeSession } from '../../../platform/node/onnxruntime.ts';
import { onnxEnds } from './onnx-ends.ts';
import { passingRows } from './passing-rows.ts';

/** The rows that pass a threshold of 0.25, as a graph of its own finds them. */
async function passing(scores: readonly number[]): Promise<number[]> {
  const versions = { opset: 11, irVersion: 6 };
  const build = new GraphBuilder(undefined, versions);
  const given = build.input('scores', 'float32', [scores.length]);
  const rows = passingRows(
    { build, ends: onnxEnds, size: { widthPx: 1, heightPx: 1 }, output: String, number: () => 0.25, choice: () => '' },
    given,
  );
  build.output('rows', rows, 'int64', ['rows']);
  const session = await openNodeSession(build.build({ graphName: 'rows', producer: 'test', opset: versions.opset }));
  const data = Float32Array.from(scores);
  const answer = await session.run({ scores: { dtype: 'float32', shape: [scores.length], data } });
  await session.release();
  return Array.from(answer['rows']!.data, Number);
}

describe('passingRows', () => {
  it.each([
    ['those that reach the threshold, in their order', [0.3, 0.1, 0.9, 0.25, 0.2], [0, 2, 3]],
    ['all', [0.5, 0.6], [0, 1]],
    ['where none reaches it, the highest', [0.1, 0.2, 0.05], [1]],
    ['where none reaches it and all are equal, all of them', [0, 0], [0, 1]],
    ['of a single row that one', [0.1], [0]],
  ])('gives %s', async (_, scores, rows) => {
    expect(await passing(scores)).toEqual(rows);
  });
});
