import type { TransformCameraConfig } from '../../../src/config/machine-config.ts';
import type { BenchPlan, Problem } from '../protocol.ts';
import { undistort, undistortionMap, type UndistortionMap } from '../../../src/vision/camera-model/undistort.ts';
import type { Frame, FrameSize } from '../../../src/vision/frame.ts';
import { pixelsOf, type AnyFrame } from '../../../src/vision/gpu-frame.ts';
import { longestSideWithin, takePicture, type DrawnPictures, type Look } from '../../../src/vision/looks.ts';
import type { Stage } from '../../../src/vision/sighting.ts';
import type { PictureIo } from '../../../src/ports/picture-io.ts';
import type { PictureSize } from '../../../src/vision/trace.ts';

const thumbnailLongestSidePx = 160;
const previewLongestSidePx = 480;

export interface Projection {
  /** the receiver closes it */
  readonly picture: ImageBitmap;
  /** it is smaller than the frame that it shows */
  readonly isReduced: boolean;
  readonly problems: readonly Problem[];
}

/** The picture that the plan puts on the stage, before it is undistorted: the last one where that step was not reached. */
export function shownFrame(stages: readonly Stage[], { shownStage }: BenchPlan): AnyFrame {
  const last = stages.at(-1)!;
  return (stages.find(({ step }) => step === shownStage) ?? last).frame;
}

/** A frame's picture for the stage, with what is to be said of it. */
export async function projected({ widthPx }: FrameSize, drawing: Promise<ImageBitmap>): Promise<Projection> {
  const picture = await drawing;
  return { picture, isReduced: picture.width < widthPx, problems: [] };
}

/** The picture that the stage has room for. */
function stageLook(frame: AnyFrame, within: PictureSize | null): Look {
  return { frame, longestSidePx: longestSideWithin(frame, within) };
}

/** Makes the pictures that a person looks at; nothing here reaches a model. */
export class Projector {
  readonly #pictures: PictureIo;
  #undistortion: { readonly camera: TransformCameraConfig; readonly map: UndistortionMap } | null = null;

  constructor(pictures: PictureIo) {
    this.#pictures = pictures;
  }

  /** What is shown of a run's stages, on the stage no larger than `within`: so much of it as lies on the GPU is drawn there. */
  looks(
    plan: BenchPlan,
    within: PictureSize | null,
    withThumbnails: boolean,
  ): (stages: readonly Stage[]) => readonly Look[] {
    return (stages) => [
      ...(plan.undistortPreview ? [] : [stageLook(shownFrame(stages, plan), within)]),
      ...(withThumbnails ? stages.map(({ frame }) => ({ frame, longestSidePx: thumbnailLongestSidePx })) : []),
    ];
  }

  /** Out of `drawn`, if it is there. */
  async thumbnail(frame: AnyFrame, drawn?: DrawnPictures): Promise<ImageBitmap> {
    const picture = takePicture(drawn, frame, thumbnailLongestSidePx) as ImageBitmap | null;
    return picture ?? this.#pictures.thumbnail(pixelsOf(frame), thumbnailLongestSidePx);
  }

  /** A picture to draw readings over. */
  preview(frame: Frame): Promise<ImageBitmap> {
    return this.#pictures.thumbnail(frame, previewLongestSidePx);
  }

  /**
   * The picture that the plan puts on the stage, out of `drawn` if it is there; else it need not be larger than `within`. What cannot be
   * shown is a problem, and the last stage shown instead.
   */
  async show(
    stages: readonly Stage[],
    plan: BenchPlan,
    within: PictureSize | null,
    drawn?: DrawnPictures,
  ): Promise<Projection> {
    const shown = shownFrame(stages, plan);
    const { longestSidePx } = stageLook(shown, within);
    const picture = plan.undistortPreview ? null : (takePicture(drawn, shown, longestSidePx) as ImageBitmap | null);
    if (picture) return projected(shown, Promise.resolve(picture));
    const project = (frame: AnyFrame) => projected(frame, this.#pictures.picture(pixelsOf(frame), within));
    if (!plan.undistortPreview || shown !== stages.at(-1)!.frame) return project(shown);
    try {
      return await project(this.#undistorted(pixelsOf(shown), plan));
    } catch (error) {
      const { code = 'failed', message } = error as { code?: string; message: string };
      const problem = { code, message, where: plan.cameraName ?? '' };
      return { ...(await project(shown)), problems: [problem] };
    }
  }

  /** @throws CameraModelError */
  #undistorted(frame: Frame, { config, cameraName }: BenchPlan): Frame {
    const camera = config.cameras.find(({ name }) => name === cameraName);
    if (camera?.kind !== 'transform' || !camera.intrinsics || !camera.distortion) return frame;
    if (this.#undistortion?.camera !== camera) {
      this.#undistortion = { camera, map: undistortionMap(camera.intrinsics, camera.distortion) };
    }
    return undistort(frame, this.#undistortion.map);
  }
}
