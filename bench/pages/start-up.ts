import * as ort from 'onnxruntime-web/wasm';
import { wasmThreads } from '../../src/platform/browser/wasm/wasm-threads.ts';

// The baseline for the first boxes: a bare page that runs the built-in detector on the first sample, with the same build of
// ONNX Runtime and the same number of threads.
const leastScore = 0.5;

ort.env.wasm.numThreads = wasmThreads();
const [session, picture] = await Promise.all([
  ort.InferenceSession.create('builtin/models/face-detector.onnx', { executionProviders: ['wasm'] }),
  fetch('builtin/frames/sample1.jpg').then(async (response) => createImageBitmap(await response.blob())),
]);
const canvas = document.querySelector('canvas')!;
const context = canvas.getContext('2d', { willReadFrequently: true })!;
const { width, height } = Object.assign(canvas, { width: picture.width, height: picture.height });
context.drawImage(picture, 0, 0);
const image = new ort.Tensor('float32', planes(context.getImageData(0, 0, width, height).data), [1, 3, height, width]);
const { location, score } = (await session.run({ image })) as Record<'location' | 'score', ort.TypedTensor<'float32'>>;

context.strokeStyle = 'lime';
const rows = document.querySelector('tbody')!;
score.data.forEach((value, row) => {
  if (value < leastScore) return;
  const [yMin, xMin, yMax, xMax] = location.data.subarray(4 * row, 4 * row + 4) as unknown as [
    number,
    number,
    number,
    number,
  ];
  context.strokeRect(xMin * width, yMin * height, (xMax - xMin) * width, (yMax - yMin) * height);
  rows.insertRow().insertCell().textContent = value.toFixed(2);
});

/** The pixels as planar channels, scaled to -1..1. */
function planes(rgba: Uint8ClampedArray): Float32Array {
  const pixels = rgba.length / 4;
  const data = new Float32Array(3 * pixels);
  for (let at = 0; at < pixels; at++)
    for (let channel = 0; channel < 3; channel++) data[channel * pixels + at] = rgba[4 * at + channel]! / 127.5 - 1;
  return data;
}

/** The number of boxes that the page has drawn. */
const measure = (): number => rows.rows.length;

Object.assign(globalThis, { measure });
