import type { CameraConfig, TransformStep, VisionServiceConfig } from '../src/machine/config/parse/machine-config.ts';

/** A vision service configuration with the given attributes, and defaults for all others. */
export function visionServiceConfig(attributes: Partial<VisionServiceConfig> = {}): VisionServiceConfig {
  return {
    name: 'vision',
    mlModelName: 'model',
    cameraName: '',
    remapInputNames: {},
    remapOutputNames: {},
    boxOrder: null,
    meanValue: [0.5, 0.5, 0.5],
    stdDev: [0.5, 0.5, 0.5],
    bgr: false,
    defaultMinimumConfidence: 0,
    labelConfidences: {},
    labelPath: '',
    ...attributes,
  };
}

/** A transform camera without a camera model. */
export function transformCamera(name: string, source: string, ...pipeline: TransformStep[]): CameraConfig {
  return { kind: 'transform', name, source, pipeline, intrinsics: null, distortion: null };
}
