import type * as Ort from 'onnxruntime-web';
import { InferenceError } from '../../machine/vision/face/errors.ts';
import type { InferenceSession } from '../../machine/vision/face/inference.ts';
import { refuseBadFeeds } from '../inference/bad-feeds.ts';
import { inferenceErrorOf } from './onnxruntime-error.ts';
import { fromOrtTensor, tensorInfoOf, toOrtTensor } from './onnxruntime-tensor.ts';

/** A build of ONNX Runtime, as a host loads it. */
export type OrtBuild = typeof Ort;

/** Compiles a model with whichever build of ONNX Runtime the host loaded. @throws InferenceError */
export async function openOrtSession(
  ort: OrtBuild,
  model: Uint8Array<ArrayBuffer>,
  options: Ort.InferenceSession.SessionOptions,
): Promise<InferenceSession> {
  let session: Ort.InferenceSession | null;
  try {
    // Severity 3: what an exporter left behind in a file is no error of whoever opens it.
    session = await ort.InferenceSession.create(model, { logSeverityLevel: 3, ...options });
  } catch (error) {
    throw inferenceErrorOf(error, 'load');
  }
  const inputs = session.inputMetadata.map(tensorInfoOf);
  const outputs = session.outputMetadata.map(tensorInfoOf);
  return {
    inputs,
    outputs,
    async run(feeds) {
      if (!session) throw new InferenceError('runtime', 'The model was unloaded.');
      refuseBadFeeds(inputs, feeds);
      try {
        const results = await session.run(mapValues(feeds, (tensor) => toOrtTensor(ort, tensor)));
        return mapValues(results, fromOrtTensor);
      } catch (error) {
        throw inferenceErrorOf(error, 'run');
      }
    },
    async release() {
      const released = session;
      session = null;
      await released?.release();
    },
  };
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
