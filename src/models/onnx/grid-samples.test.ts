import { describe, expect, it } from 'vitest';
import { runFitted } from '../../../tests/fit/run-fitted.ts';
import { decodeModel, GraphBuilder } from './edit-model.ts';
import { encodeModel } from './encode-model.ts';
import { mendGrids, refusedGrids } from './grid-samples.ts';

/** A row of four numbers, sampled between the two in the middle. */
function sampling(opset: number, mode: string, places: 'float32' | 'float64') {
  const build = new GraphBuilder(undefined, { opset, irVersion: 8 });
  const row = build.input('image', 'float32', [1, 1, 1, 4]);
  const cast = build.add('Cast', [build.floats([1, 1, 1, 2], [0, 0])], { to: { int: places === 'float64' ? 11 : 1 } });
  const shape = build.add('Shape', [cast]);
  const there = build.add('Reshape', [build.add('Add', [cast, cast]), shape]);
  build.output('out', build.add('GridSample', [row, there], { mode: { string: mode } }), 'float32', [1, 1, 1, 1]);
  return decodeModel(build.build({ graphName: 'g', producer: 'p', opset }));
}

describe('samplings that ONNX Runtime refuses', () => {
  it.each([
    [16, 'bilinear', 'float32', [], 0],
    [19, 'bicubic', 'float32', [], 0],
    [19, 'cubic', 'float32', ['cubic'], 0],
    [20, 'bilinear', 'float32', ['bilinear'], 0],
    [20, 'nearest', 'float32', [], 0],
    [16, 'bilinear', 'float64', [], 1],
    [20, 'bilinear', 'float64', ['bilinear'], 1],
  ] as const)('of opset %i, %s at %s places: %j, %i', async (opset, mode, places, modes, mixed) => {
    const model = sampling(opset, mode, places);
    expect(refusedGrids(model.graph, opset)).toEqual({ modes, mixed });
    expect(mendGrids(model.graph, opset)).toBe(modes.length + mixed > 0 ? 1 : 0);
    expect(refusedGrids(model.graph, opset)).toEqual({ modes: [], mixed: 0 });
    const row = { dtype: 'float32' as const, shape: [1, 1, 1, 4], data: Float32Array.of(0, 2, 4, 0) };
    const { out } = await runFitted(encodeModel(model), row);
    const between = mode === 'nearest' ? 4 : mode.endsWith('cubic') ? 3.5625 : 3;
    expect(out!.values).toEqual([expect.closeTo(between, 3)]);
  });
});
