import type { ModelDescription } from '../../../../workers/vision/protocol.ts';

/** Number of classes that a file states for its detection operator (`num_classes`), without a background; null: it states none. */
export function detectionCountOf(model: Pick<ModelDescription, 'format'> | null): number | null {
  return (model?.format?.name === 'tflite' && model.format.classCount) || null;
}

/** Number of values of a model's first output: the classes of a classifier. null: there is none, or a size is open. */
export function valueCountOf(model: Pick<ModelDescription, 'outputs'> | null): number | null {
  const shape = model?.outputs[0]?.shape ?? [];
  return shape.length > 0 && shape.every((size) => size > 0) ? shape.reduce((a, b) => a * b, 1) : null;
}
