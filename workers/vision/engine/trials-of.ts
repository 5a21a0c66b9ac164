import type { Frame } from '../../../src/machine/vision/face/frames.ts';
import type { ModelSummary } from '../../../src/machine/vision/face/inference.ts';
import type { StretchKernel } from '../../../src/machine/vision/face/feeding.ts';
import type { PictureSize } from '../../../src/machine/vision/face/traces.ts';
import type { Trial } from './gpu-trial.ts';
import { trialSizes } from './trial-sizes.ts';
import { trialFeeds, trialInput } from './warm-up.ts';

/**
 * The trials of a model: a copy of the frame (later frames may overwrite its memory) at each size that the model
 * may accept.
 */
export function trialsOf(
  summary: Pick<ModelSummary, 'inputs' | 'metadata'>,
  shown: Frame,
  kernel: StretchKernel,
): Trial[] {
  const frame = { ...shown, samples: shown.samples.slice() } as Frame;
  return trialSizes(summary, frame).map((size) => ({
    size,
    feeds: () => trialFeeds(summary.inputs, frame, kernel, size),
    picture: trialPicture(summary, frame, size),
  }));
}

function trialPicture({ inputs }: Pick<ModelSummary, 'inputs'>, frame: Frame, size: PictureSize): Trial['picture'] {
  const [image, another] = inputs;
  const input = image && !another ? trialInput(image, size) : null;
  return input && { frame, input };
}
