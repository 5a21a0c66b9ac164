import { expect, it } from 'vitest';
import { loadStretchKernel } from '../../src/platform/browser/wasm/load-stretch-kernel.ts';
import { WasmStretchKernel } from '../../src/platform/kernel/wasm-kernel.ts';
import type { InputSpec } from '../../src/machine/vision/preprocess/input-spec.ts';
import { referenceStretchKernel } from '../../src/machine/vision/preprocess/preprocess.ts';
import { randomFrame, randomSource, randomYuvFrame } from '../random-frame.ts';

const spec: InputSpec = {
  tensorName: 'image',
  dtype: 'float32',
  layout: 'nchw',
  widthPx: 160,
  heightPx: 120,
  bgr: false,
  mean: [0.485, 0.456, 0.406],
  stdDev: [0.229, 0.224, 0.225],
};

// loadStretchKernel falls back to the reference implementation; here the test must fail instead.
async function loadWasmKernel(): Promise<WasmStretchKernel> {
  const kernel = await loadStretchKernel();
  expect(kernel).toBeInstanceOf(WasmStretchKernel);
  return kernel as WasmStretchKernel;
}

// The kernel's results are tested in Node (src/platform/kernel/wasm-kernel.test.ts). This tests that it loads in the browser, with SIMD.
it('stretches and packs in the browser as the reference does', async () => {
  const kernel = await loadWasmKernel();
  const random = randomSource(3);
  const frames = [
    randomFrame(random, 'rgba8', 333, 222, 'mixed'),
    randomFrame(random, 'ycbcr8', 333, 222, 'opaque'),
    randomYuvFrame(random, 'i420', 333, 222),
  ];
  for (const frame of frames) {
    const expected = referenceStretchKernel.stretchToTensor(frame, spec);
    const actual = kernel.stretchToTensor(frame, spec);
    expect(actual.shape).toEqual(expected.shape);
    expect(actual.data).toEqual(expected.data);
  }
});
