import type { PictureIo, SourceImage } from '../../../src/platform/ports/picture-io.ts';
import type { DrawnResults } from '../protocol.ts';
import type { PlanRunner } from './plan-runner.ts';

/**
 * Draws results into the picture of an image that a service sees behind a camera, as the machine draws them. Takes over
 * what is no file, and closes it. `cameraName`: null, the service sees the image itself.
 * @throws ImageDecodeError; MachineError if the camera's steps cannot be run; TransformError where a box does not fit
 */
export async function drawAside(
  image: SourceImage,
  results: DrawnResults,
  cameraName: string | null,
  { pictures, runner }: { readonly pictures: PictureIo; readonly runner: PlanRunner },
): Promise<ImageBitmap> {
  try {
    const frame = await pictures.read(image);
    return await pictures.picture(await runner.drawn(frame, cameraName, results), null);
  } finally {
    if (!(image instanceof Blob)) image.close();
  }
}
