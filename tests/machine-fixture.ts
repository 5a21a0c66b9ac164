import { fixedSession, float32, imageInput } from './fixed-session.ts';
import { visionServiceConfig } from './machine-configs.ts';
import type {
  CameraConfig,
  MachineConfig,
  SourceCameraConfig,
  TransformStep,
  VisionServiceConfig,
} from '../src/machine/config/parse/machine-config.ts';
import type { EightBitFrame } from '../src/machine/vision/frame/frame.ts';
import { createMachine, type MachineOptions } from '../src/machine/vision/machine.ts';
import type { TextFace } from '../src/machine/vision/overlay/font/text-face.ts';
import { patternFrame } from '../src/machine/vision/frame/pattern-frame.ts';
import type { Tensor } from '../src/machine/vision/tensor/tensor.ts';
import type { VisionModel } from '../src/machine/vision/vision-service.ts';

export const blankFont: TextFace = {
  advanceOf: () => 500,
  maskOf: () => ({ leftPx: 0, topPx: 0, widthPx: 0, heightPx: 0, alpha: new Uint8Array() }),
};

export const cat = { location: [0.1, 0.2, 0.5, 0.6], category: 0, score: 0.75 };

const dog = { location: [0, 0, 1, 1], category: 1, score: 0.25 };

export function boxes(...rows: (typeof cat)[]): Record<string, Tensor> {
  return {
    location: float32(
      [1, rows.length, 4],
      rows.flatMap(({ location }) => location),
    ),
    category: float32(
      [1, rows.length],
      rows.map(({ category }) => category),
    ),
    score: float32(
      [1, rows.length],
      rows.map(({ score }) => score),
    ),
  };
}

/** A detector that finds a cat and a dog in every frame. */
export const detector = (labels: readonly string[] | null = ['cat', 'dog']): VisionModel => ({
  session: fixedSession(imageInput([1, 4, 4, 3]), boxes(cat, dog)),
  labels,
});

/** A classifier that gives "face" a score of 0.75. */
export const classifier = (labels: readonly string[] | null = ['no face', 'face']): VisionModel => ({
  session: fixedSession(imageInput([1, 3, 4, 4], 'float32'), { probability: float32([1, 2], [0.25, 0.75]) }),
  labels,
});

export const webcam: SourceCameraConfig = { kind: 'source', name: 'webcam' };

export const rotate = (angleDegs: number): TransformStep => ({ type: 'rotate', attributes: { angleDegs } });

export const resize = (widthPx: number, heightPx: number): TransformStep => ({
  type: 'resize',
  attributes: { widthPx, heightPx },
});

export const config = (visionServices: VisionServiceConfig[], ...cameras: CameraConfig[]): MachineConfig => ({
  cameras: [webcam, ...cameras],
  visionServices,
});

/** A machine whose overlays draw no text. */
export function machine(
  machineConfig: MachineConfig,
  models: Record<string, VisionModel>,
  options: Partial<MachineOptions> = {},
) {
  return createMachine(machineConfig, models, { font: blankFont, ...options });
}

/** One vision service, `vision`. */
export const one = (attributes: Partial<VisionServiceConfig> = {}) => config([visionServiceConfig(attributes)]);

export const frame = patternFrame('rgba8', 21, 11);

export const black = (widthPx: number, heightPx: number): EightBitFrame => ({
  format: 'rgba8',
  widthPx,
  heightPx,
  samples: Uint8ClampedArray.from({ length: 4 * widthPx * heightPx }, (_, i) => (i % 4 === 3 ? 255 : 0)),
});
