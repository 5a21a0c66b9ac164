import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { fitModel } from '../../src/models/fit/fit-model.ts';
import { readFrameFile } from '../../src/platform/node/frame-file.ts';
import { openNodeSession } from '../../src/platform/node/onnxruntime.ts';
import { tensorToFloat64 } from '../../src/machine/vision/tensor/tensor-values.ts';
import { packTensor } from '../../src/machine/vision/preprocess/pack-tensor.ts';
import { stretch } from '../../src/machine/vision/preprocess/stretch.ts';
import { hasSharedData, sharedData } from '../fit/photographs.ts';

/** Caffe's preprocessing: BGR bytes minus the mean of ImageNet. */
const feeding = {
  dtype: 'float32',
  layout: 'nchw',
  bgr: true,
  mean: [103.939 / 255, 116.779 / 255, 123.68 / 255],
  stdDev: [1 / 255, 1 / 255, 1 / 255],
} as const;
/** The precision of float16 near 1. The results differ that much because the runtime removes the casts that round the input. */
const tolerance = 2 ** -10;

describe.skipIf(!hasSharedData)('a classifier of float16, fitted (skipped without ../shared/data)', () => {
  it('says the same classes in float32', async () => {
    const source = new Uint8Array(await readFile(new URL('models/SqueezeNet_fp16_winml.onnx', sharedData)));
    const [raw, session] = [await openNodeSession(source), await openNodeSession(fitModel(source).model)];
    const folder = new URL('images/imagenet/', sharedData);
    const files = (await readdir(folder)).filter((file) => /\.jpe?g$/i.test(file));
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) {
      const frame = await readFrameFile(new URL(file, folder).pathname);
      const image = packTensor(stretch(frame, 224, 224), 224, 224, feeding);
      const half = {
        ...image,
        dtype: 'float16',
        data: Uint16Array.from(image.data as Float32Array, float16Bits),
      } as const;
      const [wanted] = Object.values(await raw.run({ data_0: half })).map((tensor) => tensorToFloat64(tensor)!);
      const [found] = Object.values(await session.run({ image })).map((tensor) => tensorToFloat64(tensor)!);
      expect(found!.indexOf(Math.max(...found!))).toBe(wanted!.indexOf(Math.max(...wanted!)));
      expect(Math.max(...found!.map((value, k) => Math.abs(value - wanted![k]!)))).toBeLessThan(tolerance);
    }
    await Promise.all([raw.release(), session.release()]);
  });
});

/** Converts to float16 with round-half-to-even; only for values in the inputs' range. */
function float16Bits(value: number): number {
  const magnitude = Math.abs(value);
  const exponent = Math.max(-14, Math.floor(Math.log2(magnitude)));
  const steps = roundToEven((magnitude / 2 ** exponent) * 1024);
  // For subnormal numbers the leading 1 is missing, and the exponent is 0.
  return (value < 0 ? 0x8000 : 0) | (((exponent + 14) << 10) + steps);
}

function roundToEven(value: number): number {
  const rest = value - Math.floor(value);
  return rest === 0.5 ? 2 * Math.round(value / 2) : Math.round(value);
}
