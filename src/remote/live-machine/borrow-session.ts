import { InferenceError } from '../../machine/vision/face/errors.ts';
import type { InferenceSession } from '../../machine/vision/face/inference.ts';
import type { TensorDtype, TensorInfo } from '../../machine/vision/face/feeding.ts';
import { LinkError, mayComeBack } from './link-error.ts';
import { resourceApis, type LiveTensorInfo, type ModelHost } from './live-machine.ts';

/** So long after the last look a run looks again whether the service is the same; nobody waits for more than the slower of both. */
const lookEveryMs = 5_000;
/** A machine that does not answer is not asked by every frame of a camera. */
const restMs = 1_000;

/**
 * A model that runs there, behind the same port as one that runs here: tensors are made and read by the exact path, and only
 * they cross the network. Runs reject with `no-answer` where the machine does not give one, and with `model-changed` once it
 * has built the service anew: its results would be another model's, under the name of this one. `release` ends calls that
 * are under way. Rejects with InferenceError, also where the machine does not say which tensors the model has.
 */
export async function borrowSession(
  machine: ModelHost,
  modelName: string,
  nowMs = () => performance.now(),
): Promise<InferenceSession> {
  const end = new AbortController();
  const { signal } = end;
  const [{ inputs, outputs }, builtAs] = await inferenceErrors(
    Promise.all([machine.modelMetadata(modelName, signal), buildOf(machine, modelName, signal)]),
  );
  if (inputs.length === 0) {
    throw new InferenceError(
      'runtime',
      `Model service "${modelName}" of the machine does not say which tensors it takes, so none can be made here.`,
    );
  }
  let lookedAtMs = nowMs();
  let isOther = false;
  let resting: { readonly error: unknown; readonly untilMs: number } | null = null;

  async function look(): Promise<void> {
    lookedAtMs = Infinity; // one look at a time
    const builtNow = await buildOf(machine, modelName, signal).catch(() => builtAs); // the runs say that it is lost
    isOther ||= builtNow !== builtAs;
    lookedAtMs = nowMs();
  }

  return {
    inputs: inputs.map(toTensorInfo),
    outputs: outputs.map(toTensorInfo),
    async run(feeds) {
      if (resting && nowMs() < resting.untilMs) throw resting.error;
      const looking = nowMs() - lookedAtMs > lookEveryMs ? look() : null;
      try {
        const results = await inferenceErrors(machine.infer(modelName, feeds, signal));
        await looking;
        if (!isOther) return results;
      } catch (error) {
        if (isLost(error)) resting = { error, untilMs: nowMs() + restMs };
        throw error;
      }
      throw new InferenceError(
        'model-changed',
        `The machine has rebuilt its model service "${modelName}" since it was chosen: it may run another model. Choose it again.`,
      );
    },
    async release() {
      end.abort();
      machine.close();
    },
  };
}

/** Words that change whenever the machine builds the service anew; '' where it does not say. */
async function buildOf(machine: ModelHost, modelName: string, signal: AbortSignal): Promise<string> {
  try {
    const { resources } = await machine.health(signal);
    const service = resources.find(({ api, name }) => api === resourceApis.mlmodel && name === modelName);
    return service ? JSON.stringify([service.updatedAtMs, service.isReady]) : '';
  } catch (error) {
    if (error instanceof LinkError && error.code === 'too-old') return '';
    throw error;
  }
}

/** What the link says, as whoever runs models is told it. */
async function inferenceErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    throw new InferenceError('no-answer', `${error.message} ${error.cure}`, { cause: error });
  }
}

const isLost = (error: unknown): boolean =>
  error instanceof InferenceError && error.cause instanceof LinkError && mayComeBack(error.cause);

const dtypes: readonly TensorDtype[] = [
  'float32',
  'float64',
  'uint8',
  'int8',
  'uint16',
  'int16',
  'uint32',
  'int32',
  'uint64',
  'int64',
];

/** What a module says of a tensor; modules write "float32", "FLOAT32" or "float". */
function toTensorInfo({ name, dataType, shape }: LiveTensorInfo): TensorInfo {
  const said = dataType.toLowerCase();
  const dtype = said === 'float' ? 'float32' : said === 'double' ? 'float64' : dtypes.find((known) => known === said);
  if (!dtype)
    throw new InferenceError(
      'unsupported-dtype',
      `Tensor "${name}" is of "${dataType}", which no step here makes or reads.`,
    );
  return { name, dtype, shape, symbols: shape.map(() => null) };
}
