import { createRequire } from 'node:module';
import type * as Ort from 'onnxruntime-common';
import * as ortWasm from 'onnxruntime-web';
import { fitModel, type FittedModel } from '../../src/models/fit/fit-model.ts';
import { decodeModel } from '../../src/models/onnx/edit-model.ts';
import { encodeModel } from '../../src/models/onnx/encode-model.ts';
import { readModel } from '../../src/models/onnx/read-model.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import { packTensor } from '../../src/machine/vision/preprocess/pack-tensor.ts';
import { stretch } from '../../src/machine/vision/preprocess/stretch.ts';
import { median, medianRatio, type Figure, type Measurement } from '../figure.ts';
import { sharedModel, sharedPhotograph } from '../shared-data.ts';

const rounds = 15;
const warmUp = 3;
/** A crowd of faces, the worst case for non-maximum suppression, and everyday scenes. */
const photographs = ['faces_1.jpg', 'satya.jpg', 'coco/000000000009.jpg', 'coco/000000000034.jpg'];
/** the size of the frame that a model with padding in its graph gets unscaled */
const wholeFrame = { widthPx: 1280, heightPx: 720 };

interface Case {
  readonly name: string;
  readonly file: string;
  readonly options?: Readonly<Record<string, string>>;
}

const cases: readonly Case[] = [
  { name: 'YOLOX, stretched', file: 'yolox_nano_416.onnx', options: { letterbox: 'stretch' } },
  { name: 'YOLOX, padded from 1280×720', file: 'yolox_nano_416.onnx', options: { letterbox: 'pad' } },
  { name: 'NanoDet', file: 'nanodet_m_320.onnx' },
  { name: 'FastestDet', file: 'FastestDet_ortx.onnx' },
  { name: 'DEIM', file: 'deimv2_hgnetv2_atto_coco.onnx' },
  { name: 'UltraFace', file: 'ultraface_RFB-320.onnx' },
  { name: 'classifier of float16', file: 'SqueezeNet_fp16_winml.onnx' },
];

interface Runtime {
  readonly name: string;
  readonly ort: typeof Ort;
  readonly options: Ort.InferenceSession.SessionOptions;
}

export const figure: Figure = {
  title: 'a fitted model over the network alone, one thread, run by run in turn on the same photographs',
  async measure({ root, note }) {
    ortWasm.env.wasm.numThreads = 1;
    const native = createRequire(`${root}bench/peers/package.json`)('onnxruntime-node') as typeof Ort;
    const runtimes: readonly Runtime[] = [
      { name: 'WASM', ort: ortWasm, options: { executionProviders: ['wasm'] } },
      { name: 'native', ort: native, options: { intraOpNumThreads: 1, interOpNumThreads: 1 } },
    ];
    const measurements: Measurement[] = [];
    for (const { name, file, options } of cases) {
      const bytes = await sharedModel(file);
      if (!bytes) {
        note(`${name}: left out, as ../shared/data/models/${file} is not at hand`);
        continue;
      }
      const fitted = fitModel(bytes, { options: options ?? {} });
      const frames = await Promise.all(photographs.map(sharedPhotograph));
      for (const runtime of runtimes) {
        // The native runtime's package does not accept float16 tensors from JavaScript.
        if (runtime.name === 'native' && file.includes('fp16')) continue;
        const { alone, whole } = await inTurn(runtime, withConstantWeights(bytes), fitted, frames);
        const least = Math.min(...whole) / Math.min(...alone);
        note(
          `${name}, ${runtime.name}: ${median(alone).toFixed(1)} → ${median(whole).toFixed(1)} ms in the middle, least ${Math.min(...alone).toFixed(1)} → ${Math.min(...whole).toFixed(1)} ms (${least.toFixed(3)})`,
        );
        const isPadded = options?.['letterbox'] === 'pad';
        measurements.push({
          name: `${name}, ${runtime.name}`,
          value: medianRatio(whole, alone),
          unit: '×',
          // A model with padding also does work of the host. In the native runtime that is over 10 % of a small network, so no bound applies.
          ...(isPadded && runtime.name === 'native' ? {} : { atMost: 1.1 }),
        });
      }
    }
    return measurements;
  },
};

/**
 * Makes weights constant. Old files also list them as inputs, so that runtimes cannot fold them: a fitted model would be
 * faster for that reason alone.
 */
function withConstantWeights(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const model = decodeModel(bytes);
  const weights = new Set(model.graph.initializer.map(({ name }) => name));
  model.graph.input = model.graph.input.filter(({ name }) => !weights.has(name));
  if (model.irVersion < 4n) model.irVersion = 4n;
  return encodeModel(model);
}

/** Milliseconds of each run; the two models alternate. */
async function inTurn(
  { ort, options }: Runtime,
  network: Uint8Array,
  { model, preprocessing, inputSize }: FittedModel,
  frames: readonly Frame[],
) {
  const open = (bytes: Uint8Array) => ort.InferenceSession.create(bytes, { logSeverityLevel: 3, ...options });
  const [bare, fitted] = [await open(network), await open(model)];
  const { inputs } = readModel(network);
  const { dtype, shape } = readModel(model).inputs[0]!;
  const seenFrom = (frame: Frame, to: 'float32' | 'uint8', { widthPx, heightPx } = inputSize) => {
    const { mean, stdDev, colour } = preprocessing;
    const packed = { dtype: to, layout: 'nchw', bgr: colour === 'bgr', mean, stdDev } as const;
    return packTensor(stretch(frame, widthPx, heightPx), widthPx, heightPx, packed);
  };
  const feeds = frames.map((frame) => {
    const seen = seenFrom(frame, dtype as 'float32' | 'uint8', shape[2] === -1 ? wholeFrame : inputSize);
    const raw = inputs.map((input, k) => {
      if (k > 0) return [input.name, new ort.Tensor('int64', BigInt64Array.of(1n, 1n), [1, 2])] as const;
      const { data, shape: size } = seenFrom(frame, 'float32');
      if (input.dtype !== 'float16') return [input.name, new ort.Tensor('float32', data, size)] as const;
      const halves = new Uint16Array(Float16Array.from(data as Float32Array).buffer);
      return [input.name, new ort.Tensor('float16', halves, size)] as const;
    });
    return { bare: Object.fromEntries(raw), fitted: { image: new ort.Tensor(seen.dtype, seen.data, seen.shape) } };
  });
  const timeOf = async (session: Ort.InferenceSession, given: Ort.InferenceSession.FeedsType) => {
    const startMs = performance.now();
    await session.run(given);
    return performance.now() - startMs;
  };
  const [alone, whole]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds + warmUp; round++) {
    for (const given of feeds) {
      const times = [await timeOf(bare, given.bare), await timeOf(fitted, given.fitted)] as const;
      if (round < warmUp) continue;
      alone.push(times[0]);
      whole.push(times[1]);
    }
  }
  await bare.release();
  await fitted.release();
  return { alone, whole };
}
