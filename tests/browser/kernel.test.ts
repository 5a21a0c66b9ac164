import { expect, it } from 'vitest';
import { loadStretchKernel } from '../../src/platform/browser/load-stretch-kernel.ts';
import { WasmStretchKernel } from '../../src/platform/wasm-kernel.ts';
import type { InputSpec } from '../../src/vision/preprocess/input-spec.ts';
import { referenceStretchKernel } from '../../src/vision/preprocess/preprocess.ts';
import { randomFrame, randomSource } from '../random-frame.ts';

const spec: InputSpec = {
  ...{ tensorName: 'image', dtype: 'float32', layout: 'nchw', widthPx: 160, heightPx: 120, bgr: false },
  ...{ mean: [0.485, 0.456, 0.406], stdDev: [0.229, 0.224, 0.225] },
};

// loadStretchKernel settles for the reference; here that would be a failure.
async function loadWasmKernel(): Promise<WasmStretchKernel> {
  const kernel = await loadStretchKernel();
  expect(kernel).toBeInstanceOf(WasmStretchKernel);
  return kernel as WasmStretchKernel;
}

// What the kernel computes is held in Node (src/platform/wasm-kernel.test.ts); here, that the browser gets it, SIMD included.
it('stretches and packs in the browser as the reference does', async () => {
  const kernel = await loadWasmKernel();
  for (const format of ['rgba8', 'ycbcr8'] as const) {
    const frame = randomFrame(randomSource(3), format, 333, 222, 'mixed');
    const expected = referenceStretchKernel.stretchToTensor(frame, spec);
    const actual = kernel.stretchToTensor(frame, spec);
    expect(actual.shape).toEqual(expected.shape);
    expect(actual.data).toEqual(expected.data);
  }
});

it('takes a VideoFrame copied straight into its memory', async () => {
  const kernel = await loadWasmKernel();
  const canvas = new OffscreenCanvas(320, 200);
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#c08040';
  context.fillRect(30, 20, 200, 100);
  const videoFrame = new VideoFrame(canvas, { timestamp: 0 });
  const size = { widthPx: videoFrame.visibleRect!.width, heightPx: videoFrame.visibleRect!.height };
  const samples = kernel.reserveFrame(size, [spec]);
  await videoFrame.copyTo(samples, { format: 'RGBA' });
  videoFrame.close();
  const frame = { format: 'rgba8', ...size, samples } as const;
  const expected = referenceStretchKernel.stretchToTensor({ ...frame, samples: samples.slice() }, spec);
  expect(kernel.stretchToTensor(frame, spec).data).toEqual(expected.data);
});
