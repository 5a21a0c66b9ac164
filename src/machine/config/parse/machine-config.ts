import type { colorDetectorFields, filteredCameraFields, filterServiceFields } from './attribute-fields.ts';
import type { StepRefusal } from './define-step.ts';
import type { Attributes } from './parse-attributes.ts';
import type { StepType, stepRecords } from './transform-steps.ts';

/** The parts of a machine configuration that decide what happens to a frame, parsed. Everything else stays in the JSON text. */
export interface MachineConfig {
  readonly cameras: readonly CameraConfig[];
  readonly visionServices: readonly VisionServiceConfig[];
  /** ML model services, which decide from which file a vision service's model comes; absent: none */
  readonly modelServices?: readonly ModelServiceConfig[];
}

/** An ML model service. Its module decodes the attributes by itself, so they stay as they are. */
export interface ModelServiceConfig {
  readonly name: string;
  /** such as `viam:mlmodel:onnx-cpu` */
  readonly model: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export type CameraConfig = TransformCameraConfig | FilteredCameraConfig | SourceCameraConfig;

/** Any other camera: in Sightglass the frame source stands in for it. */
export interface SourceCameraConfig {
  readonly kind: 'source';
  readonly name: string;
  /** a webcam of the runtime itself: transform cameras read its frames without an odd last column and row */
  readonly builtIn?: true;
}

export interface TransformCameraConfig {
  readonly kind: 'transform';
  readonly name: string;
  /** name of the camera that the frames come from */
  readonly source: string;
  readonly pipeline: readonly TransformStep[];
  readonly intrinsics: CameraIntrinsics | null;
  readonly distortion: CameraDistortion | null;
}

/** A camera of the module viam:filtered-camera. It passes frames on unchanged, but to the data manager only some. */
export interface FilteredCameraConfig {
  readonly kind: 'filtered';
  readonly name: string;
  /** name of the camera that the frames come from */
  readonly source: string;
}

/** The attributes of a filtered camera, decoded: 0 and '' where missing, null for a list or map that is missing. */
export type FilteredCameraAttributes = MayBeMissing<
  Omit<Attributes<typeof filteredCameraFields>, 'vision_services'>,
  'classifications' | 'objects'
> & { readonly vision_services: readonly FilterServiceAttributes[] | null };

/** One of its `vision_services`. */
export type FilterServiceAttributes = MayBeMissing<
  Attributes<typeof filterServiceFields>,
  'classifications' | 'objects'
>;

type MayBeMissing<T, K extends keyof T> = Omit<T, K> & { readonly [Key in K]: T[Key] | null };

/** One step of a transform camera: one that passes the frame on unchanged, or one of a type that has a record. */
export type TransformStep =
  { readonly type: '' } | Exclude<ReturnType<(typeof stepRecords)[StepType]['parse']>, StepRefusal>;

export interface CameraIntrinsics {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fx: number;
  readonly fy: number;
  readonly ppx: number;
  readonly ppy: number;
}

/** Modified Brown–Conrady coefficients. */
export interface CameraDistortion {
  readonly rk1: number;
  readonly rk2: number;
  readonly rk3: number;
  readonly tp1: number;
  readonly tp2: number;
}

/** An `mlmodel` vision service (viamrobotics/rdk, services/vision/mlvision/ml_model.go). */
export interface VisionServiceConfig {
  readonly name: string;
  readonly mlModelName: string;
  /** default camera of the …FromCamera operations, '' = none */
  readonly cameraName: string;
  /** model's tensor name → required name */
  readonly remapInputNames: Readonly<Record<string, string>>;
  readonly remapOutputNames: Readonly<Record<string, string>>;
  /** position p holds coordinate boxOrder[p] (0 xmin, 1 ymin, 2 xmax, 3 ymax); null = not given */
  readonly boxOrder: readonly [number, number, number, number] | null;
  /** at least 3 numbers, by output channel */
  readonly meanValue: readonly number[];
  readonly stdDev: readonly number[];
  readonly bgr: boolean;
  /** 0 = off */
  readonly defaultMinimumConfidence: number;
  /** non-empty: it alone decides, and labels that it lacks are dropped */
  readonly labelConfidences: Readonly<Record<string, number>>;
  readonly labelPath: string;
  /** attributes of a `color_detector`, 0 and '' where missing; those above, except name and camera, then describe no model */
  readonly color?: Attributes<typeof colorDetectorFields>;
}

/** What a resource of the configuration could not be built for. */
export interface ConfigProblem {
  /** resource name, as the configuration gives it */
  readonly resource: string;
  readonly code: string;
  readonly message: string;
  /** the machine refuses the whole configuration for it, not this resource alone */
  readonly refusesAll?: true;
}
