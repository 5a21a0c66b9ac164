import type { ModelFile } from './fit/modules/file-findings.ts';
import { checkModel, readLoadFacts, readModel } from './onnx/face/model-files.ts';
import { checkTfliteModel } from './tflite/check-model.ts';
import { readTfliteModel } from './tflite/read-model.ts';
import { isTflite, readTflite } from './tflite/read-tflite.ts';
import type { ModelError } from '../machine/vision/face/errors.ts';
import type { ModelSummary } from '../machine/vision/face/inference.ts';

/** What a model file says of itself, and what keeps it from running here. */
export interface ModelReading {
  readonly summary: ModelSummary;
  /** facts by which the machine's modules decide */
  readonly facts: ModelFile;
  /** why it does not run here, in words with the cure; [] if nothing is known to keep it */
  readonly obstacles: readonly ModelError[];
}

/** Reads a model file of any format that opens here. The name is for what is said of a file that is none. @throws ModelError */
export function readModelFile(bytes: Uint8Array, fileName?: string): ModelReading {
  if (isTflite(bytes)) {
    const summary = readTfliteModel(bytes);
    return { summary, facts: { format: 'tflite', facts: summary.file }, obstacles: checkTfliteModel(summary) };
  }
  const summary = readModel(bytes, fileName);
  const facts = { format: 'onnx', facts: summary.loadFacts, filesBeside: null } as const;
  return { summary, facts, obstacles: checkModel(summary) };
}

/**
 * What the machine's modules decide on, of a file of either format: also of one that does not run here. `filesBeside` are
 * the paths of the files beside it. @throws ModelError, FlatbufferError
 */
export function readModelFacts(bytes: Uint8Array, fileName: string, filesBeside: readonly string[]): ModelFile {
  return isTflite(bytes)
    ? { format: 'tflite', facts: readTflite(bytes) }
    : { format: 'onnx', facts: readLoadFacts(bytes, fileName), filesBeside };
}
