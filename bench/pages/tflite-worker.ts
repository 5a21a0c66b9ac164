import { createLiteRt } from '../../src/platform/browser/litert/litert.ts';
import type { InferenceSession } from '../../src/machine/vision/inference/inference-session.ts';
import type { Tensor } from '../../src/machine/vision/tensor/tensor.ts';

/** The first message: opens a model. Each further message is the number of runs. */
export interface TfliteJob {
  readonly modelUrl: string;
  readonly threads: number;
}
export type TfliteAnswer = { readonly times: readonly number[] } | { readonly failure: string };

let session: InferenceSession;

self.onmessage = ({ data }: MessageEvent<TfliteJob | number>) => {
  const answering = typeof data === 'number' ? run(data) : open(data);
  void answering.then(
    (times) => self.postMessage({ times }),
    (error: Error) => self.postMessage({ failure: error.message }),
  );
};

async function open({ modelUrl, threads }: TfliteJob): Promise<readonly number[]> {
  if (threads > 1 && !crossOriginIsolated) throw new Error('No threads: the page is not cross-origin isolated.');
  const bytes = new Uint8Array(await (await fetch(modelUrl)).arrayBuffer());
  session = await createLiteRt(threads).open(bytes, 'wasm');
  return [];
}

async function run(rounds: number): Promise<readonly number[]> {
  const [{ name, shape, dtype }] = session.inputs as [InferenceSession['inputs'][number]];
  const bytes = new Uint8Array(shape.reduce((product, size) => product * size, 1)).map((_, i) => i);
  const image: Tensor =
    dtype === 'uint8' ? { dtype, shape, data: bytes } : { dtype: 'float32', shape, data: Float32Array.from(bytes) };
  const times: number[] = [];
  while (times.length < rounds) {
    const startMs = performance.now();
    await session.run({ [name]: image });
    times.push(performance.now() - startMs);
  }
  return times;
}
