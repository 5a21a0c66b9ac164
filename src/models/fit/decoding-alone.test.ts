import { describe, expect, it } from 'vitest';
import { headModel, logit } from '../../../tests/fit/head-models.ts';
import { rowsOf, runFitted } from '../../../tests/fit/run-fitted.ts';
import { yoloV8Model } from '../../../tests/fit/yolo-v8-model.ts';
import { openNodeSession } from '../../platform/node/onnxruntime.ts';
import type { Tensor } from '../../machine/vision/tensor/tensor.ts';
import { decodingAlone } from './decoding-alone.ts';
import { fitModel } from './fit-model.ts';
import type { OptionValues } from './structure/options.ts';

const blank: Tensor = { dtype: 'float32', shape: [1, 3, 64, 64], data: new Float32Array(3 * 64 * 64) };

async function run(model: Uint8Array<ArrayBuffer>, feeds: Readonly<Record<string, Tensor>>) {
  const session = await openNodeSession(model);
  try {
    return await session.run(feeds);
  } finally {
    await session.release();
  }
}

const twoOutputs = headModel({}, (build) => {
  const boxes = [32, 16, 32, 16, 4, 48, 8, 32, ...Array.from({ length: 28 }, () => 0)];
  const scores = [0.1, 0.9, 0.7, 0.1, ...Array.from({ length: 14 }, () => 0.001)].map(logit);
  // The machine's names are no hindrance.
  build.output('location', build.add('Identity', [build.floats([1, 9, 4], boxes)]), 'float32', [1, 9, 4]);
  build.output('other', build.add('Identity', [build.floats([1, 9, 2], scores)]), 'float32', [1, 9, 2]);
});

describe('what fitting puts behind a network, alone', () => {
  it.each<readonly [string, Uint8Array<ArrayBuffer>, OptionValues]>([
    ['two outputs', twoOutputs, { scores: 'other', scoreColumn: 0 }],
    ['corners', twoOutputs, { scores: 'other', scoreColumn: 0, boxForm: 'corner and size' }],
    ['one output', yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }]), {}],
  ])('gives of the network’s outputs what the fitted model gives: %s', async (_, source, options) => {
    const wish = { family: 'guided', options: { letterbox: 'stretch', ...options } };
    const fitted = rowsOf(await runFitted(fitModel(source, wish).model));
    expect(fitted.length).toBeGreaterThan(0);
    const { model, reads, size, isPadded } = decodingAlone(source, wish)!;
    expect([size, isPadded]).toEqual([{ widthPx: 64, heightPx: 64 }, false]);
    const outputs = await run(source.slice(), { images: blank });
    const feeds = Object.fromEntries(reads.map((name, at) => [`output ${at}`, outputs[name]!]));
    const { location, category, score } = await run(model, feeds);
    const values = ({ shape, data }: Tensor) => ({ shape, values: Array.from(data, Number) });
    const rows = rowsOf({ location: values(location!), category: values(category!), score: values(score!) });
    // Unclipped, a box that cannot be right is seen to be none.
    expect(rows.map((row) => ({ ...row, box: row.box.map((side) => Math.min(1, side)) }))).toEqual(fitted);
  });

  it('knows how frames are fed, and nothing of classifiers', () => {
    const wish = { family: 'guided', options: { scores: 'other', scoreColumn: 0, colour: 'bgr', values: '-1..1' } };
    expect(decodingAlone(twoOutputs, wish)).toMatchObject({
      isPadded: true,
      preprocessing: { colour: 'bgr', mean: [0.5, 0.5, 0.5], stdDev: [0.5, 0.5, 0.5] },
    });
    const classifier = headModel({}, (build) => {
      build.output('logits', build.add('Neg', [build.floats([1, 10], Array(10).fill(1))]), 'float32', [1, 10]);
    });
    expect(decodingAlone(classifier, {})).toBeNull();
  });
});
