import { describe, expect, it } from 'vitest';
import type { Tensor } from '../../machine/vision/tensor/tensor.ts';
import { decodeModel, GraphBuilder, type NodeAttributes } from '../onnx/edit-model.ts';
import { addedUp, quantisedBound, roundingBound } from './rounding-bound.ts';

function tensor(shape: readonly number[], value = 1, dtype: Tensor['dtype'] = 'float32'): Tensor {
  const count = shape.reduce((a, b) => a * b, 1);
  const data = dtype === 'float32' ? new Float32Array(count).fill(value) : new Uint8Array(count).fill(value);
  return { dtype, shape, data };
}

function boundOf(
  opType: string,
  inputs: readonly Tensor[],
  output: Tensor,
  attributes: NodeAttributes = {},
  isHalf = false,
) {
  const build = new GraphBuilder();
  build.add(
    opType,
    inputs.map((_, k) => `x${k}`),
    attributes,
  );
  const { graph } = decodeModel(build.build({ graphName: 'g', producer: '', opset: 18 }));
  return roundingBound({ node: graph.node[0]!, inputs, output, isHalf })!;
}

describe('roundingBound', () => {
  it('allows what moves values nothing, and float16 two units', () => {
    const x = tensor([1, 4], 100);
    expect(boundOf('Transpose', [x], x)).toMatchObject({ relative: 0, absolute: 2 ** -126 });
    expect(boundOf('Transpose', [x], x, {}, true).relative).toBe(2 ** -10);
  });

  it('is finite for a batch normalisation of a channel that never varies', () => {
    const [x, one, none] = [tensor([1, 2, 4, 4]), tensor([2]), tensor([2], 0)];
    const bound = boundOf('BatchNormalization', [x, one, none, none, none], x);
    expect(bound.absolute).toBeLessThan(0.01);
    expect(bound.absolute).toBeGreaterThan(0);
  });

  it('grows with the length of a sum and with what is summed', () => {
    const bound = (channels: number, value: number) =>
      boundOf('Conv', [tensor([1, channels, 8, 8], value), tensor([4, channels, 3, 3])], tensor([1, 4, 8, 8])).absolute;
    expect(bound(64, 1)).toBeCloseTo(8 * 24 * 576 * 2 ** -24, 10);
    expect(bound(64, 10) / bound(64, 1)).toBeCloseTo(10, 5);
    expect(bound(64, 1) / bound(16, 1)).toBeCloseTo(8, 5);
  });

  it('allows quantised results one step, other whole numbers nothing', () => {
    const x = tensor([1, 4]);
    expect(boundOf('QuantizeLinear', [x], tensor([1, 4], 3, 'uint8')).absolute).toBe(1);
    expect(boundOf('ArgMax', [x], tensor([1, 4], 3, 'uint8')).absolute).toBeLessThan(1e-30);
  });

  it('lets nearest values swap at ties, linear ones be off by their place', () => {
    const x = tensor([1, 1, 4, 400]);
    expect(boundOf('Resize', [x], x, { mode: { string: 'nearest' } })).toMatchObject({ outliers: 0.01 });
    expect(boundOf('Resize', [x], x, { mode: { string: 'linear' } })).toMatchObject({
      outliers: 0,
      absolute: 64 * 400 * 2 ** -24,
    });
  });

  it('says nothing of random results, and takes a control node as one', () => {
    const x = tensor([1, 4], 50);
    expect(boundOf('RandomNormalLike', [x], x)).toBeNull();
    expect(boundOf('If', [x], x).absolute).toBeCloseTo(0.05, 6);
  });

  it('is a tenth of the signal between int8 and float, and adds up over a part', () => {
    const lost = quantisedBound(tensor([8], 5));
    expect(lost.relative).toBe(0.1);
    expect(lost.absolute).toBeCloseTo(2, 6);
    expect(addedUp([lost, { ...lost, absolute: 1, outliers: 0.5, because: 'b' }])).toMatchObject({
      absolute: 3,
      outliers: 0.5,
    });
  });
});
