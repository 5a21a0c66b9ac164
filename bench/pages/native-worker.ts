import * as ort from 'onnxruntime-web/wasm';

export interface InferenceJob {
  readonly modelUrl: string;
  readonly threads: number;
  readonly rounds: number;
}

// ONNX Runtime's threads run this file again, under a name of their own.
if (!self.name.startsWith('em-pthread')) {
  self.onmessage = ({ data }: MessageEvent<InferenceJob>) =>
    void time(data).then(
      (times) => self.postMessage({ times }),
      (error: Error) => self.postMessage({ failure: error.message }),
    );
}

async function time({ modelUrl, threads, rounds }: InferenceJob): Promise<number[]> {
  if (threads > 1 && !crossOriginIsolated) throw new Error('No threads: the page is not cross-origin isolated.');
  ort.env.wasm.numThreads = threads;
  const session = await ort.InferenceSession.create(modelUrl, { executionProviders: ['wasm'] });
  const [input] = session.inputMetadata;
  if (!input?.isTensor) throw new Error('The model has no tensor input.');
  const shape = input.shape.map((size) => (typeof size === 'number' ? size : 1));
  const data = new Float32Array(shape.reduce((product, size) => product * size, 1)).map((_, i) => (i % 255) / 255);
  const times: number[] = [];
  const warmUp = 10;
  for (let round = 0; round < rounds + warmUp; round++) {
    const startMs = performance.now();
    await session.run({ [input.name]: new ort.Tensor('float32', data, shape) });
    if (round >= warmUp) times.push(performance.now() - startMs);
  }
  return times;
}
