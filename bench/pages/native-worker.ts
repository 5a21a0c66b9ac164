import * as ort from 'onnxruntime-web/wasm';
import { fedShape } from '../input-shape.ts';

/** The first message: opens a model. Each further message is the number of runs. */
export interface InferenceJob {
  readonly modelUrl: string;
  readonly threads: number;
}
export type InferenceAnswer = { readonly times: readonly number[] } | { readonly failure: string };

let job: Promise<() => Promise<number>> | undefined;

// ONNX Runtime starts its threads with this same file, under the name "em-pthread".
if (!self.name.startsWith('em-pthread')) {
  self.onmessage = ({ data }: MessageEvent<InferenceJob | number>) => {
    const answering = typeof data === 'number' ? run(data) : (job = open(data)).then(() => []);
    void answering.then(
      (times) => self.postMessage({ times }),
      (error: Error) => self.postMessage({ failure: error.message }),
    );
  };
}

async function open({ modelUrl, threads }: InferenceJob): Promise<() => Promise<number>> {
  if (threads > 1 && !crossOriginIsolated) throw new Error('No threads: the page is not cross-origin isolated.');
  ort.env.wasm.numThreads = threads;
  const session = await ort.InferenceSession.create(modelUrl, { executionProviders: ['wasm'] });
  const [input] = session.inputMetadata;
  if (!input?.isTensor) throw new Error('The model has no tensor input.');
  const shape = fedShape(input.shape);
  const data = new Float32Array(shape.reduce((product, size) => product * size, 1)).map((_, i) => (i % 255) / 255);
  return async () => {
    const startMs = performance.now();
    await session.run({ [input.name]: new ort.Tensor('float32', data, shape) });
    return performance.now() - startMs;
  };
}

async function run(rounds: number): Promise<number[]> {
  const runOnce = await job!;
  const times: number[] = [];
  while (times.length < rounds) times.push(await runOnce());
  return times;
}
