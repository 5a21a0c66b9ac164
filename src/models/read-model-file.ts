import { checkModel } from '../onnx/check-model.ts';
import { readModel } from '../onnx/read-model.ts';
import { checkTfliteModel } from '../tflite/check-model.ts';
import { readTfliteModel } from '../tflite/read-model.ts';
import { isTflite } from '../tflite/read-tflite.ts';
import type { ModelError } from '../vision/inference/model-error.ts';
import type { ModelSummary } from '../vision/inference/model-summary.ts';

/** What a model file says of itself, and what keeps it from running here or on the machine. */
export interface ModelReading {
  readonly summary: ModelSummary;
  /** in words with the cure; [] if nothing is known to */
  readonly refusals: readonly ModelError[];
}

/** Reads a model file of any format that opens here. The name is for what is said of a file that is none. @throws ModelError */
export function readModelFile(bytes: Uint8Array, fileName?: string): ModelReading {
  if (isTflite(bytes)) {
    const summary = readTfliteModel(bytes);
    return { summary, refusals: checkTfliteModel(summary) };
  }
  const summary = readModel(bytes, fileName);
  return { summary, refusals: checkModel(summary) };
}
