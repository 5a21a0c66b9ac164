import { firstPicture } from './first-picture.ts';
import type { LiveImage, LiveMachine } from './live-machine.ts';
import { sameBytes } from './same-bytes.ts';

export interface BothPictures {
  readonly source: LiveImage;
  readonly output: LiveImage;
  /** the source, once more after the output */
  readonly after: LiveImage;
  /** the source gave the same bytes before and after, so the output was made of just that picture */
  readonly isOneFrame: boolean;
}

/** A camera of one still, or of a scene that stands still, shows it at the first try; a moving one at none. */
const mostTries = 3;

/**
 * A picture of a camera, and what a transform camera made of it. Two calls give two frames: the source is asked before and
 * after, and again where it changed meanwhile. Rejects with LinkError.
 */
export async function captureBoth(
  machine: LiveMachine,
  sourceName: string,
  cameraName: string,
  signal: AbortSignal,
): Promise<BothPictures> {
  const pictureOf = async (name: string): Promise<LiveImage> => firstPicture(await machine.images(name, signal), name);
  let source = await pictureOf(sourceName);
  for (let tries = 1; ; tries++) {
    const output = await pictureOf(cameraName);
    const after = await pictureOf(sourceName);
    const isOneFrame = sameBytes(source.bytes, after.bytes);
    if (isOneFrame || tries === mostTries) return { source, output, after, isOneFrame };
    source = after;
  }
}

/** Whether what came was encoded without loss. */
export const areLossless = ({ source, output }: BothPictures): boolean =>
  [source, output].every(({ mediaType }) => mediaType === 'image/png');
