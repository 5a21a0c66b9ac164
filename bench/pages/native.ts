import type { InferenceJob } from './native-worker.ts';

function measure(modelPath: string, threads: number, rounds: number): Promise<number[]> {
  const job: InferenceJob = { modelUrl: new URL(modelPath, document.baseURI).href, threads, rounds };
  const worker = new Worker(new URL('./native-worker.ts', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<{ times?: number[]; failure?: string }>) =>
      data.times ? resolve(data.times) : reject(new Error(data.failure));
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(job);
  });
}

Object.assign(globalThis, { measure });
