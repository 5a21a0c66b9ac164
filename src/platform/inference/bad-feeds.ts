import { InferenceError } from '../../machine/vision/face/errors.ts';
import type { Tensor, TensorInfo } from '../../machine/vision/face/feeding.ts';

/** Runtimes name a missing or foreign feed in their own terms; say it in the model's. @throws InferenceError shape-mismatch */
export function refuseBadFeeds(inputs: readonly TensorInfo[], feeds: Readonly<Record<string, Tensor>>): void {
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
