import type { TfliteAnswer, TfliteJob } from './tflite-worker.ts';

type Ask = (message: TfliteJob | number) => Promise<readonly number[]>;

let opened: Promise<Ask> | undefined;

/** Time in ms of each run of a model. The model stays open between calls. */
async function measure(modelUrl: string, threads: number, runs: number): Promise<readonly number[]> {
  opened ??= open({ modelUrl, threads });
  return (await opened)(runs);
}

async function open(job: TfliteJob): Promise<Ask> {
  const worker = new Worker(new URL('./tflite-worker.ts', import.meta.url), { type: 'module' });
  const ask: Ask = (message) =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<TfliteAnswer>) =>
        'times' in data ? resolve(data.times) : reject(new Error(data.failure));
      worker.onerror = ({ message: said }) => reject(new Error(said));
      worker.postMessage(message);
    });
  await ask(job);
  return ask;
}

Object.assign(globalThis, { measure });
