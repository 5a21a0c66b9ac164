import { describe, expect, it } from 'vitest';
import type { TensorInfo } from '../../../machine/vision/tensor/tensor.ts';
import { asBytes, asImageNet, asSigned, asUnits } from '../../../machine/vision/preprocess/normalizations.ts';
import { exporterFeedingKey } from '../../../machine/vision/inference/stated-feeding.ts';
import type { TfliteSummary } from '../../tflite/read-model.ts';
import type { StructureNode } from '../structure/structure-node.ts';
import { tfliteNormalization } from './tflite-normalization.ts';

const inputOf = (dtype: string) => ({ name: 'picture', dtype, shape: [1, 8, 8, 3] }) as unknown as TensorInfo;
const summaryOf = (metadata: Record<string, string> = {}) => ({ metadata }) as unknown as TfliteSummary;
const graph = (low: number, high: number, tensor = 'picture', nodes: readonly StructureNode[] = []) => ({
  nodes,
  valuesOf: () => null,
  quantisations: new Map([
    [tensor, { type: 'int8', scale: (high - low) / 255, zeroPoint: -128 - (255 * low) / (high - low) }],
  ]),
});
const nothing = { nodes: [], valuesOf: () => null, quantisations: new Map<string, never>() };
const meanAndStd = { [exporterFeedingKey]: JSON.stringify({ mean: [102, 127.5, 153], std: [51, 63.75, 127.5] }) };

describe('the numbers of a picture', () => {
  it('are those that the exporter has written, before what steps show', () => {
    const found = tfliteNormalization(summaryOf(meanAndStd), graph(0, 1), inputOf('float32'))!;
    expect(found.mean).toEqual([0.4, 0.5, 0.6]);
    expect(found.stdDev).toEqual([0.2, 0.25, 0.5]);
    expect(found.why).toBe('Its TFLite Metadata says with which mean and deviation it is fed.');
  });

  it('are told by the steps of an int8 picture, whatever the exporter has written', () => {
    const found = tfliteNormalization(summaryOf(meanAndStd), graph(-1, 1), inputOf('int8'))!;
    expect([found.mean, found.stdDev]).toEqual([asSigned.mean, asSigned.stdDev]);
  });

  const imageNet = [
    -asImageNet.mean[0] / asImageNet.stdDev[0],
    (1 - asImageNet.mean[2]) / asImageNet.stdDev[2],
  ] as const;
  it.each([
    [0, 1, asUnits],
    [0.015, 1.015, asUnits],
    [-1, 1, asSigned],
    [0, 255, asBytes],
    [...imageNet, asImageNet],
  ])('in steps from %d to %d', (low, high, feeding) => {
    const { mean, stdDev, why } = tfliteNormalization(summaryOf(), graph(low, high), inputOf('int8'))!;
    expect([mean, stdDev]).toEqual([feeding.mean, feeding.stdDev]);
    expect(why).toContain('so it is fed such values');
    expect(why.includes('ImageNet')).toBe(feeding === asImageNet);
  });

  it.each([
    [0.03, 1.03],
    [0, 1.1],
    [-0.1, 1],
    [0, 2],
    [-2, 2],
  ])('are not guessed from steps from %d to %d', (low, high) => {
    expect(tfliteNormalization(summaryOf(), graph(low, high), inputOf('int8'))).toBeNull();
  });

  it('are those of the steps to which a float picture is rounded first', () => {
    const rounding = { opType: 'QUANTIZE', input: ['picture'], output: ['rounded'] } as unknown as StructureNode;
    const found = tfliteNormalization(summaryOf(), graph(0, 1, 'rounded', [rounding]), inputOf('float32'))!;
    expect(found.mean).toEqual(asUnits.mean);
    const other = { ...rounding, input: ['other'] } as unknown as StructureNode;
    expect(tfliteNormalization(summaryOf(), graph(0, 1, 'rounded', [other]), inputOf('float32'))).toBeNull();
  });

  it('are not asked for where the picture is of bytes, nor known where nothing says them', () => {
    expect(tfliteNormalization(summaryOf(meanAndStd), graph(0, 1), inputOf('uint8'))).toBeNull();
    expect(tfliteNormalization(summaryOf(), nothing, inputOf('float32'))).toBeNull();
  });
});
