import type { ModelDescription } from '../../../../workers/vision/protocol.ts';

/** Classes that a file counts for its detection operator, without a background; null: it does not say. */
export function detectionCountOf(model: Pick<ModelDescription, 'format'> | null): number | null {
  return (model?.format?.name === 'tflite' && model.format.classCount) || null;
}
