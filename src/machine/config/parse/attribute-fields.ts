import type { AttributeFields } from './parse-attributes.ts';

/**
 * The attribute keys and their types as the machine's runtime declares them
 * (docs.viam.com/reference/services/vision/mlmodel and /reference/components/camera with its models).
 */
export const mlmodelFields = {
  mlmodel_name: 'string',
  camera_name: 'string',
  remap_input_names: 'map[string]string',
  remap_output_names: 'map[string]string',
  xmin_ymin_xmax_ymax_order: '[]int',
  input_image_mean_value: '[]float32',
  input_image_std_dev: '[]float32',
  input_image_bgr: 'bool',
  default_minimum_confidence: 'float64',
  label_confidences: 'map[string]float64',
  label_path: 'string',
} as const satisfies AttributeFields;

export const colorDetectorFields = {
  detect_color: 'string',
  hue_tolerance_pct: 'float64',
  saturation_cutoff_pct: 'float64',
  value_cutoff_pct: 'float64',
  segment_size_px: 'int',
  label: 'string',
  camera_name: 'string',
} as const satisfies AttributeFields;

export const transformCameraFields = {
  source: 'string',
  pipeline: '[]struct',
  intrinsic_parameters: 'struct',
  distortion_parameters: 'struct',
} as const satisfies AttributeFields;

/** The attributes of the module viam:filtered-camera (github.com/viam-modules/filtered_camera at 279e5e2, cam.go). */
export const filteredCameraFields = {
  camera: 'string',
  vision: 'string',
  vision_services: '[]struct',
  window_seconds: 'int',
  image_frequency: 'float64',
  window_seconds_before: 'int',
  window_seconds_after: 'int',
  cooldown_s: 'int',
  debug: 'bool',
  classifications: 'map[string]float64',
  objects: 'map[string]float64',
} as const satisfies AttributeFields;

/** The attributes of its conditional camera (conditional_camera/conditional_cam.go). */
export const conditionalCameraFields = {
  camera: 'string',
  filter_service: 'string',
  window_seconds: 'int',
  image_frequency: 'float64',
  window_seconds_before: 'int',
  window_seconds_after: 'int',
  cooldown_s: 'int',
  debug: 'bool',
} as const satisfies AttributeFields;

export const filterServiceFields = {
  vision: 'string',
  objects: 'map[string]float64',
  classifications: 'map[string]float64',
  inhibit: 'bool',
} as const satisfies AttributeFields;

export const intrinsicFields = {
  width_px: 'int',
  height_px: 'int',
  fx: 'float64',
  fy: 'float64',
  ppx: 'float64',
  ppy: 'float64',
} as const satisfies AttributeFields;

export const distortionFields = {
  rk1: 'float64',
  rk2: 'float64',
  rk3: 'float64',
  tp1: 'float64',
  tp2: 'float64',
} as const satisfies AttributeFields;

export const webcamFields = {
  video_path: 'string',
  width_px: 'int',
  height_px: 'int',
  frame_rate: 'float64',
  format: 'string',
} as const satisfies AttributeFields;

export const fakeCameraFields = { width: 'int', height: 'int', animated: 'bool' } as const satisfies AttributeFields;

export const imageFileFields = { color_image_file_path: 'string' } as const satisfies AttributeFields;

export const stepFields = { type: 'string', attributes: 'struct' } as const satisfies AttributeFields;
