import type * as Ort from 'onnxruntime-web';
import { InferenceError, type InferenceSession } from '../vision/inference/inference-session.ts';
import type { Tensor, TensorInfo } from '../vision/tensor.ts';
import { inferenceErrorOf } from './onnxruntime-error.ts';
import { fromOrtTensor, tensorInfoOf, toOrtTensor } from './onnxruntime-tensor.ts';

/** Compiles a model with whichever build of ONNX Runtime the host loaded. @throws InferenceError */
export async function openOrtSession(
  ort: typeof Ort,
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

/** ONNX Runtime names a missing or foreign feed in its own terms; say it in the model's. */
function refuseBadFeeds(inputs: readonly TensorInfo[], feeds: Readonly<Record<string, Tensor>>): void {
  const names = inputs.map(({ name }) => `"${name}"`).join(', ');
  const missing = inputs.filter(({ name }) => !(name in feeds)).map(({ name }) => `"${name}"`);
  const foreign = Object.keys(feeds).filter((fed) => !inputs.some(({ name }) => name === fed));
  if (foreign.length > 0) {
    throw new InferenceError(
      'shape-mismatch',
      `The model has no input "${foreign.join('", "')}"; its inputs are ${names}.`,
    );
  }
  if (missing.length > 0) {
    throw new InferenceError('shape-mismatch', `The model needs ${missing.join(', ')} as well, which nothing fills.`);
  }
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
