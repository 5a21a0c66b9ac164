import type { BenchPlan, Problem, StageInfo } from '../protocol.ts';
import { checkLens, keptUndistortionMap, type Lens, undistort } from '../../../src/machine/vision/face/cameras.ts';
import type { Frame, FrameSize } from '../../../src/machine/vision/face/frames.ts';
import {
  type AnyFrame,
  type DrawnPictures,
  longestSideWithin,
  type Look,
  offGpu,
  pixelsOf,
  takePicture,
} from '../../../src/machine/vision/face/runs.ts';
import type { Stage } from '../../../src/machine/vision/face/results.ts';
import type { PictureIo } from '../../../src/platform/ports/picture-io.ts';
import type { PictureSize } from '../../../src/machine/vision/face/traces.ts';

const thumbnailLongestSidePx = 160;
const previewLongestSidePx = 480;

export interface Projection {
  /** the receiver closes it */
  readonly picture: ImageBitmap;
  /** the picture is smaller than the frame that it shows */
  readonly isReduced: boolean;
  readonly problems: readonly Problem[];
}

/**
 * The frame that the plan shows on the stage, before distortion is removed; the last frame if that step was not
 * reached.
 */
export function shownFrame(stages: readonly Stage[], { shownStage }: BenchPlan): AnyFrame {
  const last = stages.at(-1)!;
  return (stages.find(({ step }) => step === shownStage) ?? last).frame;
}

/** Draws a frame's picture for the stage, with the problems to report about it. */
export async function projected({ widthPx, heightPx }: FrameSize, drawing: Promise<ImageBitmap>): Promise<Projection> {
  const picture = await drawing;
  return { picture, isReduced: picture.width < widthPx || picture.height < heightPx, problems: [] };
}

/** Awaits all pictures of a run. If one fails, the others are closed, and the promise rejects with that error. */
export async function allDrawn(
  describing: readonly Promise<StageInfo>[],
  showing: Promise<Projection>,
): Promise<[StageInfo[], Projection]> {
  try {
    return await Promise.all([Promise.all(describing), showing]);
  } catch (error) {
    const unshown = [
      ...describing.map(async (stage) => (await stage).thumbnail),
      showing.then(({ picture }) => picture),
    ];
    for (const drawing of unshown)
      drawing.then(
        (picture) => picture?.close(),
        () => undefined, // the first that failed is enough
      );
    throw error;
  }
}

/** The frame that is shown on the stage. */
interface Staged {
  readonly frame: AnyFrame;
  /** the lens whose distortion is removed from the picture */
  readonly lens?: Lens;
  readonly problems: readonly Problem[];
}

/** The look for a picture of the stage's size. */
function lookAt({ problems: _, ...staged }: Staged, within: PictureSize | null): Look {
  return { ...staged, longestSidePx: longestSideWithin(staged.frame, within) };
}

/** Draws the pictures that a person sees; none of them reaches a model. */
export class Projector {
  readonly #pictures: PictureIo;
  readonly #mapOf = keptUndistortionMap();

  constructor(pictures: PictureIo) {
    this.#pictures = pictures;
  }

  /**
   * The looks that show a run's stages, the stage's own no larger than `within`; the GPU draws those of frames that
   * it holds.
   */
  looks(
    plan: BenchPlan,
    within: PictureSize | null,
    withThumbnails: boolean,
  ): (stages: readonly Stage[]) => readonly Look[] {
    return (stages) => [
      lookAt(this.#staged(stages, plan), within),
      ...(withThumbnails ? stages.map(({ frame }) => ({ frame, longestSidePx: thumbnailLongestSidePx })) : []),
    ];
  }

  /** Takes the thumbnail out of `drawn` if it is there, otherwise draws it. */
  async thumbnail(frame: AnyFrame, drawn?: DrawnPictures): Promise<ImageBitmap> {
    const picture = takePicture(drawn, { frame, longestSidePx: thumbnailLongestSidePx }) as ImageBitmap | null;
    return picture ?? this.#pictures.thumbnail(offGpu(frame), thumbnailLongestSidePx);
  }

  /** A picture to draw interpretations over. */
  preview(frame: Frame): Promise<ImageBitmap> {
    return this.#pictures.thumbnail(frame, previewLongestSidePx);
  }

  /**
   * The picture for the stage, taken out of `drawn` if it is there, no larger than `within`. If the lens's
   * distortion cannot be removed, that is a problem, and the frame is shown unchanged.
   */
  async show(
    stages: readonly Stage[],
    plan: BenchPlan,
    within: PictureSize | null,
    drawn?: DrawnPictures,
  ): Promise<Projection> {
    const staged = this.#staged(stages, plan);
    const { frame, lens, problems } = staged;
    const drawing = async () => {
      const picture = takePicture(drawn, lookAt(staged, within)) as ImageBitmap | null;
      const shown = () => (lens ? undistort(pixelsOf(frame), this.#mapOf(lens)) : offGpu(frame));
      return picture ?? this.#pictures.picture(shown(), within);
    };
    return { ...(await projected(frame, drawing())), problems };
  }

  #staged(stages: readonly Stage[], plan: BenchPlan): Staged {
    const frame = shownFrame(stages, plan);
    const lens = frame === stages.at(-1)!.frame ? lensOf(plan) : null;
    if (!lens) return { frame, problems: [] };
    try {
      checkLens(frame, lens);
      return { frame, lens, problems: [] };
    } catch (error) {
      const { code = 'failed', message } = error as { code?: string; message: string };
      return { frame, problems: [{ code, message, where: plan.cameraName ?? '' }] };
    }
  }
}

/** The lens whose distortion is removed from the last stage's picture; null: it is shown unchanged. */
function lensOf({ undistortPreview, config, cameraName }: BenchPlan): Lens | null {
  const camera = undistortPreview && config.cameras.find(({ name }) => name === cameraName);
  if (!camera || camera.kind !== 'transform' || !camera.intrinsics || !camera.distortion) return null;
  return { intrinsics: camera.intrinsics, distortion: camera.distortion };
}
