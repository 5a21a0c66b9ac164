import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import type * as Ort from 'onnxruntime-common';
import { median, type BenchTools, type Figure } from '../figure.ts';
import { fedShape } from '../input-shape.ts';

const rounds = 40;
const model = 'public/builtin/models/face-detector.onnx';

export const figure: Figure = {
  title: 'WASM over native onnxruntime-node, the built-in detector on a frame of 1280×720 (printed; 2.4–5 is usual)',
  async measure(tools) {
    const measurements = [];
    for (const threads of availableParallelism() > 1 ? [1, 2] : [1]) {
      const wasm = median(
        await tools.measureOnPage<number[]>('native', './builtin/models/face-detector.onnx', threads, rounds),
      );
      const native = median(await measureNative(tools, threads));
      const on = `${threads} thread${threads > 1 ? 's' : ''}`;
      measurements.push(
        { name: `onnxruntime-web, ${on}`, value: wasm, unit: 'ms' },
        { name: `onnxruntime-node, ${on}`, value: native, unit: 'ms' },
        { name: `WASM over native, ${on}`, value: wasm / native, unit: '×' },
      );
    }
    return measurements;
  },
};

async function measureNative({ root }: BenchTools, threads: number): Promise<number[]> {
  const ort = createRequire(`${root}bench/peers/package.json`)('onnxruntime-node') as typeof Ort;
  const session = await ort.InferenceSession.create(root + model, { intraOpNumThreads: threads, interOpNumThreads: 1 });
  const [input] = session.inputMetadata;
  if (!input?.isTensor) throw new Error('The model has no tensor input.');
  const shape = fedShape(input.shape);
  const data = new Float32Array(shape.reduce((product, size) => product * size, 1)).map((_, i) => (i % 255) / 255);
  const times: number[] = [];
  const warmUp = 10;
  for (let round = 0; round < rounds + warmUp; round++) {
    const startMs = performance.now();
    await session.run({ [input.name]: new ort.Tensor('float32', data, shape) });
    if (round >= warmUp) times.push(performance.now() - startMs);
  }
  await session.release();
  return times;
}
