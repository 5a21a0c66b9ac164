import type { InferenceAnswer, InferenceJob } from './native-worker.ts';

const warmUpRuns = 10;

/** Opens a model in a worker that only calls session.run; returns a function that measures a number of runs in ms. */
export async function openBareInference(modelPath: string, threads: number) {
  const worker = new Worker(new URL('./native-worker.ts', import.meta.url), { type: 'module' });
  const ask = (message: InferenceJob | number): Promise<readonly number[]> =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<InferenceAnswer>) =>
        'times' in data ? resolve(data.times) : reject(new Error(data.failure));
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(message);
    });
  await ask({ modelUrl: new URL(modelPath, document.baseURI).href, threads });
  await ask(warmUpRuns);
  return ask;
}
