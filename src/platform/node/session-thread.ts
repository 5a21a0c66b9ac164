import { parentPort, workerData } from 'node:worker_threads';
import type { InferenceSession } from '../../machine/vision/face/inference.ts';
import { openNodeSession, useThreads } from './onnxruntime.ts';
import type { FromSessionThread, ToSessionThread } from './session-in-thread.ts';

// The entry of the thread that `session-in-thread.ts` starts: an ONNX Runtime of its own, with its own number of threads.
useThreads((workerData as { threads: number }).threads);
const sessions = new Map<number, InferenceSession>();
const answer = (message: FromSessionThread): void => parentPort!.postMessage(message);

parentPort!.on('message', (message: ToSessionThread) => {
  handle(message).then(answer, (error: Error & { code?: string }) =>
    answer({ id: message.id, error: { code: error.code ?? 'runtime', message: error.message } }),
  );
});

async function handle(message: ToSessionThread): Promise<FromSessionThread> {
  const { id, session } = message;
  if ('model' in message) {
    const opened = await openNodeSession(message.model);
    sessions.set(session, opened);
    return { id, opened: { inputs: opened.inputs, outputs: opened.outputs } };
  }
  if ('feeds' in message) return { id, results: await sessions.get(session)!.run(message.feeds) };
  await sessions.get(session)?.release();
  sessions.delete(session);
  return { id };
}
