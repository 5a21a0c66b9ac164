import type { TransformCameraConfig } from '../config/machine-config.ts';
import type { BenchPlan, Problem } from '../rpc/vision-protocol.ts';
import { undistort, undistortionMap, type UndistortionMap } from '../vision/camera-model/undistort.ts';
import type { Frame } from '../vision/frame.ts';
import { stretch } from '../vision/preprocess/stretch.ts';
import type { Stage } from '../vision/sighting.ts';
import type { ProbedService } from '../vision/vision-service.ts';
import type { PictureIo } from './ports.ts';

const thumbnailLongestSidePx = 160;

export interface Projection {
  /** the receiver closes it */
  readonly picture: ImageBitmap;
  readonly problems: readonly Problem[];
}

/** Whether the plan puts the source on the stage, whatever its steps are. */
export function showsSource({ shownStage, undistortPreview }: BenchPlan): boolean {
  return shownStage === -1 && !undistortPreview;
}

/** Makes the pictures that a person looks at; nothing here reaches a model. */
export class Projector {
  readonly #pictures: PictureIo;
  #undistortion: { readonly camera: TransformCameraConfig; readonly map: UndistortionMap } | null = null;

  constructor(pictures: PictureIo) {
    this.#pictures = pictures;
  }

  thumbnail(frame: Frame): Promise<ImageBitmap> {
    return this.#pictures.thumbnail(frame, thumbnailLongestSidePx);
  }

  /** The picture that the plan puts on the stage; what cannot be shown is a problem, and the last stage shown instead. */
  async show(stages: readonly Stage[], plan: BenchPlan, service: ProbedService | null): Promise<Projection> {
    const last = stages.at(-1)!;
    const { shownStage } = plan;
    if (shownStage === null) return this.#project(service ? asModelSees(last.frame, service) : last.frame);
    const shown = stages.find(({ step }) => step === shownStage) ?? last;
    if (!plan.undistortPreview || shown !== last) return this.#project(shown.frame);
    try {
      return await this.#project(this.#undistorted(shown.frame, plan));
    } catch (error) {
      const { code = 'failed', message } = error as { code?: string; message: string };
      const problem = { code, message, where: plan.cameraName ?? '' };
      return { ...(await this.#project(shown.frame)), problems: [problem] };
    }
  }

  async #project(frame: Frame): Promise<Projection> {
    return { picture: await this.#pictures.picture(frame), problems: [] };
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

/** The frame stretched to the model's input, before numbers are made of it. */
function asModelSees(frame: Frame, { service }: ProbedService): Frame {
  const widthPx = service.input.widthPx ?? frame.widthPx;
  const heightPx = service.input.heightPx ?? frame.heightPx;
  const rgb = stretch(frame, widthPx, heightPx);
  const samples = new Uint8ClampedArray(4 * widthPx * heightPx);
  for (let i = 0, o = 0; i < rgb.length; i += 3, o += 4) {
    samples[o] = rgb[i]!;
    samples[o + 1] = rgb[i + 1]!;
    samples[o + 2] = rgb[i + 2]!;
    samples[o + 3] = 255;
  }
  return { format: 'rgba8', widthPx, heightPx, samples };
}
