import type { PictureIo } from '../../../src/platform/ports/picture-io.ts';
import { compareFrames } from '../../../src/machine/vision/face/frames.ts';
import type { CameraComparison } from '../protocol.ts';
import type { PlanRunner } from './plan-runner.ts';

const longestSidePx = 640;

/**
 * Compares what a transform camera of the plan makes of a source frame with what the machine's camera made of it.
 * @throws ImageDecodeError; MachineError if the steps cannot be run
 */
export async function compareCamera(
  source: Blob,
  theirs: Blob,
  cameraName: string,
  /** the source once more, where it gave other bytes; null: it gave the same */
  after: Blob | null,
  { pictures, runner }: { readonly pictures: PictureIo; readonly runner: PlanRunner },
): Promise<CameraComparison> {
  const [sourceFrame, theirFrame] = await Promise.all([pictures.read(source), pictures.read(theirs)]);
  const ourFrame = await runner.frameOf(sourceFrame, cameraName);
  const difference = compareFrames(ourFrame, theirFrame);
  const stirred = after && compareFrames(ourFrame, await runner.frameOf(await pictures.read(after), cameraName));
  const stirLevels = after ? (stirred?.blockLevels ?? null) : 0;
  const small = (frame: typeof ourFrame) => pictures.thumbnail(frame, longestSidePx);
  const [here, there] = await Promise.all([small(ourFrame), small(theirFrame)]);
  const sizes = {
    hereSize: { widthPx: ourFrame.widthPx, heightPx: ourFrame.heightPx },
    thereSize: { widthPx: theirFrame.widthPx, heightPx: theirFrame.heightPx },
  };
  if (!difference) return { here, there, ...sizes, difference: null, stirLevels };
  const { picture, ...figures } = difference;
  return { here, there, ...sizes, stirLevels, difference: { ...figures, picture: await small(picture) } };
}
