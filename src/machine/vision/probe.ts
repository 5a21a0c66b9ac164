import { quote, type Outputs } from './decode/outputs.ts';
import { describeRawHead } from './decode/raw-head.ts';
import type { TensorChoice } from './decode/tensor-choice.ts';
import { nameClassificationTensor, nameDetectionTensors } from './decode/tensor-names.ts';
import { errorCode, errorMessage } from './errors/error-message.ts';
import type { EightBitFrame } from './frame/frame.ts';
import { InferenceError } from './errors/inference-error.ts';
import { shapeText } from './tensor/tensor-values.ts';
import { decodeFrameClassifications, decodeFrameDetections, infer, type PipelinePorts } from './pipeline.ts';
import type { Ability, ServiceAbilities, VisionService } from './vision-service.ts';

/**
 * Finds out what a model can do, as the machine does: it runs an all-black 5×5 picture through the whole path and
 * reads the outputs as classifications, then as detections. The machine runs the model once for each; here one run
 * serves both. A failure becomes the reason for a missing ability, unless it says nothing about the model.
 * @param service with its model, as `createVisionService` made it
 * @param ports that run the model
 * @returns whether it detects and classifies, and why not
 * @throws InferenceError device-lost, out-of-memory
 * @example
 * import { oneAtATime } from '../../base/schedule/one-at-a-time.ts';
 * import { referenceStretchKernel } from './preprocess/preprocess.ts';
 * import { inputSpec } from './preprocess/input-spec.ts';
 * const inputs = [{ name: 'image', dtype: 'uint8', shape: [1, 4, 6, 3], symbols: [] }];
 * const input = inputSpec(inputs, { remapInputNames: {}, meanValue: [0.5, 0.5, 0.5], stdDev: [0.5, 0.5, 0.5], bgr: false });
 * const probability = { dtype: 'float32', shape: [1, 2], data: Float32Array.of(0.25, 0.75) };
 * const session = { inputs, outputs: [{ name: 'probability' }], run: async () => ({ probability }) };
 * const ports = { stretchKernel: referenceStretchKernel, turn: oneAtATime(), nowMs: () => 0 };
 * const service = { config: { remapOutputNames: {} }, session, input, labels: ['cat', 'dog'] };
 * const { classifier, detector } = await probe(service, ports);
 * [classifier.able, detector.able]; // => [true, false]
 */
export async function probe(service: VisionService, ports: PipelinePorts): Promise<ServiceAbilities> {
  const frame = blackFrame(5, 5);
  const { remapOutputNames } = service.config;
  let inference;
  try {
    inference = await infer(frame, service, ports);
  } catch (error) {
    if (isPassing(error)) throw error;
    return { classifier: unable(error), detector: unable(error) };
  }
  const { outputs } = inference;
  return {
    classifier: attempt(() => {
      const names = nameClassificationTensor(outputs, remapOutputNames);
      decodeFrameClassifications(outputs, service, names);
      const nonsense = service.labels ? null : whyNoClasses(outputs, names.tensor);
      return { names, tensors: [names], warnings: nonsense ? [nonsense] : [], code: nonsense ? noClasses : '' };
    }),
    detector: attempt(() => {
      const names = nameDetectionTensors(outputs, remapOutputNames);
      decodeFrameDetections(inference, service, names, frame);
      return { names, tensors: names.choices, warnings: names.warnings };
    }),
  };
}

function attempt<Names>(
  read: () => { names: Names; tensors: readonly TensorChoice[]; warnings: readonly string[]; code?: string },
): Ability<Names> {
  try {
    return { able: true, code: '', ...read(), reason: '' };
  } catch (error) {
    return unable(error);
  }
}

/** The code of a classifier whose values are not those of classes, though the machine takes them so. */
const noClasses = 'no-classes';

/** The machine accepts any single tensor as classifications, even a raw detector head, without a warning. null: it may be one. */
function whyNoClasses(outputs: Outputs, tensor: string): string | null {
  const rawHead = describeRawHead(outputs);
  const nonsense = 'The machine takes this model for a classifier, and what it says is nonsense.';
  if (rawHead) return `${nonsense} ${rawHead.message}`;
  const { shape } = outputs.get(tensor)!;
  if (shape.filter((size) => size > 1).length < 2) return null;
  return `${nonsense} Classes are one row of values, and its output ${quote(tensor)} is ${shapeText(shape)}.`;
}

/** A lost device or full memory says nothing about the model: the next probe may succeed. */
function isPassing(error: unknown): boolean {
  return error instanceof InferenceError && (error.code === 'device-lost' || error.code === 'out-of-memory');
}

function unable(error: unknown): Ability<never> {
  return { able: false, names: null, tensors: [], warnings: [], reason: errorMessage(error), code: errorCode(error) };
}

function blackFrame(widthPx: number, heightPx: number): EightBitFrame {
  const samples = new Uint8ClampedArray(4 * widthPx * heightPx);
  for (let i = 3; i < samples.length; i += 4) samples[i] = 255;
  return { format: 'rgba8', widthPx, heightPx, samples };
}
