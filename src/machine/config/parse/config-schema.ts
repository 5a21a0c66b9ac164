import {
  colorDetectorFields,
  distortionFields,
  conditionalCameraFields,
  filteredCameraFields,
  filterServiceFields,
  intrinsicFields,
  mlmodelFields,
  stepFields,
  transformCameraFields,
} from './attribute-fields.ts';
import type { AttributeSchema, ObjectSchema } from './attribute-schema.ts';
import type { AttributeFields } from './parse-attributes.ts';
import { stepTypes } from './transform-steps.ts';

type Description = Omit<AttributeSchema, 'key' | 'type' | 'required'> & { readonly required?: boolean };

function objectSchema<F extends AttributeFields>(
  title: string,
  fields: F,
  descriptions: { readonly [K in keyof F]: Description },
): ObjectSchema {
  const attributes = Object.entries(fields).map(([key, type]): AttributeSchema => {
    const description = descriptions[key as keyof F];
    return { key, type, required: false, ...description };
  });
  return { title, attributes };
}

export const mlmodelSchema = objectSchema('mlmodel vision service', mlmodelFields, {
  mlmodel_name: {
    required: true,
    absent: 'refused',
    doc: 'Name of the ML model service that holds the model.',
    examples: [''],
  },
  camera_name: {
    absent: 'none: every request must name its camera',
    doc: 'Camera that requests without a camera use. Not one that already draws detections or classifications.',
    examples: [''],
  },
  remap_input_names: {
    absent: 'the input keeps its name',
    doc: "Model's input name → the name the machine fills. Only `image` has a meaning.",
    examples: [{ input: 'image' }],
  },
  remap_output_names: {
    absent: 'literal names, else guessed from shapes',
    doc: "Model's output name → the name the machine reads: `location`, `category`, `score` for detectors, `probability` for classifiers.",
    examples: [{ boxes: 'location', classes: 'category', scores: 'score' }],
  },
  xmin_ymin_xmax_ymax_order: {
    absent: '[1, 0, 3, 2]: ymin, xmin, ymax, xmax',
    doc: 'Which coordinate stands at each position of a box: 0 xmin, 1 ymin, 2 xmax, 3 ymax, each once.',
    examples: [
      [0, 1, 2, 3],
      [1, 0, 3, 2],
    ],
  },
  input_image_mean_value: {
    absent: '[0.5, 0.5, 0.5]',
    doc: 'Subtracted from each channel after pixels are divided by 255; float32 models only. In BGR mode the first is for blue.',
    minimum: 0,
    maximum: 1,
    examples: [
      [0.5, 0.5, 0.5],
      [0, 0, 0],
      [0.485, 0.456, 0.406],
    ],
  },
  input_image_std_dev: {
    absent: '[0.5, 0.5, 0.5]',
    doc: 'Divides each channel after the mean is subtracted; float32 models only. Never 0.',
    minimum: 0,
    maximum: 1,
    examples: [
      [0.5, 0.5, 0.5],
      [1, 1, 1],
      [0.229, 0.224, 0.225],
    ],
  },
  input_image_bgr: {
    absent: 'false',
    doc: 'Swaps red and blue before the model, for models trained on BGR images.',
    examples: [true, false],
  },
  default_minimum_confidence: {
    absent: '0: no filter',
    doc: 'Results with a lower score are dropped. Switched off by any `label_confidences`.',
    minimum: 0,
    maximum: 1,
    examples: [0.5],
  },
  label_confidences: {
    absent: 'the default decides',
    doc: 'Lowest score by label, without regard to case. Once it lists anything, labels that it lacks are dropped.',
    minimum: 0,
    maximum: 1,
    examples: [{}],
  },
  label_path: {
    absent: "the ML model service's label_path, else index numbers",
    doc: 'Label file on the machine, one label a line. The bench cannot read it: give the same file under Labels. Labels inside the model file are never read.',
    examples: [''],
  },
});

export const colorDetectorSchema = objectSchema('color_detector vision service', colorDetectorFields, {
  detect_color: {
    required: true,
    absent: 'refused',
    doc: 'The colour to find, as `#RRGGBB`. Only its hue counts. Not black, white or grey, nor paler or darker than the cut-offs.',
    examples: ['#336699', '#ff0000', '#ffff00', '#00ff00'],
  },
  hue_tolerance_pct: {
    required: true,
    absent: 'refused',
    doc: 'Share of all hues that passes, half of it on either side of the colour: 0.1 is 18° each way, 1 is every hue. Above 0.',
    minimum: 0,
    maximum: 1,
    examples: [0.1, 0.05, 0.3],
  },
  saturation_cutoff_pct: {
    absent: '0.2, for 0 too',
    doc: 'Paler pixels do not count.',
    minimum: 0,
    maximum: 1,
    examples: [0.2],
  },
  value_cutoff_pct: {
    absent: '0.3, for 0 too',
    doc: 'Darker pixels do not count.',
    minimum: 0,
    maximum: 1,
    examples: [0.3],
  },
  segment_size_px: {
    absent: '5000, for 0 too',
    doc: 'Lowest area of a box in px², not of its pixels: last minus first column, by last minus first row.',
    examples: [5000, 500, 100],
  },
  label: { absent: 'the name of its hue, such as `light-blue`', doc: 'What every box is called.', examples: [''] },
  camera_name: {
    absent: 'none: every request must name its camera',
    doc: 'Camera that requests without a camera use. Not one that already draws detections or classifications.',
    examples: [''],
  },
});

export const transformCameraSchema = objectSchema('transform camera', transformCameraFields, {
  source: { required: true, absent: 'refused', doc: 'Name of the camera that the frames come from.', examples: [''] },
  pipeline: {
    required: true,
    absent: 'refused',
    doc: 'The steps, applied in this order. At least one.',
    examples: [[{ type: 'resize', attributes: { width_px: 640, height_px: 480 } }]],
  },
  intrinsic_parameters: {
    absent: 'none reported',
    doc: 'Reported as the camera model. Changes no pixel on the machine.',
    examples: [{ width_px: 1280, height_px: 720, fx: 900, fy: 900, ppx: 640, ppy: 360 }],
  },
  distortion_parameters: {
    absent: 'none reported',
    doc: 'Modified Brown–Conrady coefficients, reported as they are. Change no pixel on the machine.',
    examples: [{ rk1: 0, rk2: 0, rk3: 0, tp1: 0, tp2: 0 }],
  },
});

export const filteredCameraSchema = objectSchema('filtered camera', filteredCameraFields, {
  camera: { required: true, absent: 'refused', doc: 'Name of the camera whose images are filtered.', examples: [''] },
  vision_services: {
    required: true,
    absent: 'refused',
    doc: 'The vision services that decide, and the labels that each lets through. An empty list lets every image through.',
    examples: [[{ vision: '', objects: { '*': 0.5 } }]],
  },
  window_seconds_before: {
    absent: '0',
    doc: 'How long before a trigger images are kept, in whole seconds. One of the windows must be above 0.',
    minimum: 0,
    examples: [5],
  },
  window_seconds_after: {
    absent: '0',
    doc: 'How long after a trigger images are kept, in whole seconds.',
    minimum: 0,
    examples: [5],
  },
  image_frequency: {
    absent: '1, for 0 too',
    doc: 'How many images a second go into the buffer, from which the time before a trigger is kept. At most 1000.',
    minimum: 0,
    maximum: 1000,
    examples: [1, 5],
  },
  cooldown_s: {
    absent: '0: none',
    doc: 'How long after a window nothing triggers, in whole seconds.',
    minimum: 0,
    examples: [30],
  },
  debug: { absent: 'false', doc: 'Logs each decision.', examples: [true, false] },
  vision: { absent: 'see vision_services', doc: 'Deprecated: write it into `vision_services`.', examples: [''] },
  classifications: {
    absent: 'none',
    doc: 'Deprecated: beside `vision` only. Write it into `vision_services`.',
    examples: [{}],
  },
  objects: {
    absent: 'none',
    doc: 'Deprecated: beside `vision` only. Write it into `vision_services`.',
    examples: [{}],
  },
  window_seconds: {
    absent: '0',
    doc: 'Deprecated: both windows at once. Write `window_seconds_before` and `window_seconds_after`.',
    minimum: 0,
    examples: [5],
  },
});

export const conditionalCameraSchema = objectSchema('conditional camera', conditionalCameraFields, {
  camera: { required: true, absent: 'refused', doc: 'Name of the camera whose images are filtered.', examples: [''] },
  filter_service: {
    required: true,
    absent: 'refused',
    doc: 'Name of the generic service that decides: its `DoCommand` answers `{"result": true}` or `false`.',
    examples: [''],
  },
  window_seconds_before: {
    absent: '0',
    doc: 'How long before a trigger images are kept, in whole seconds: those that the data manager asked for.',
    minimum: 0,
    examples: [5],
  },
  window_seconds_after: {
    absent: '0',
    doc: 'How long after a trigger images are kept, in whole seconds.',
    minimum: 0,
    examples: [5],
  },
  window_seconds: {
    absent: '0',
    doc: 'Both windows at once; the two others must then be 0.',
    minimum: 0,
    examples: [5],
  },
  image_frequency: {
    absent: '1, for 0 too',
    doc: 'How many images the buffer has room for, a second of the windows, three times over.',
    minimum: 0,
    examples: [1],
  },
  cooldown_s: {
    absent: '0: none',
    doc: 'How long after a window nothing triggers, in whole seconds.',
    minimum: 0,
    examples: [30],
  },
  debug: { absent: 'false', doc: 'Logs each decision.', examples: [true, false] },
});

export const filterServiceSchema = objectSchema('vision service of a filtered camera', filterServiceFields, {
  vision: { required: true, absent: 'refused', doc: 'Name of the vision service.', examples: [''] },
  objects: {
    absent: 'no detections are asked for',
    doc: 'Score by label of detections, exceeded to trigger; `*` is every label. With its case.',
    minimum: 0,
    maximum: 1,
    examples: [{ '*': 0.5 }],
  },
  classifications: {
    absent: 'no classifications are asked for',
    doc: 'Score by label of classifications, exceeded to trigger; `*` is every label. With its case.',
    minimum: 0,
    maximum: 1,
    examples: [{ '*': 0.5 }],
  },
  inhibit: {
    absent: 'false',
    doc: 'What it finds holds the image back, whatever the others say.',
    examples: [true, false],
  },
});

export const intrinsicSchema = objectSchema('intrinsic parameters', intrinsicFields, {
  width_px: { absent: '0', doc: 'Width of the calibrated image, px.', minimum: 0, examples: [1280] },
  height_px: { absent: '0', doc: 'Height of the calibrated image, px.', minimum: 0, examples: [720] },
  fx: { absent: '0', doc: 'Focal length along x, px.', examples: [900] },
  fy: { absent: '0', doc: 'Focal length along y, px.', examples: [900] },
  ppx: { absent: '0', doc: 'Principal point, x in px.', examples: [640] },
  ppy: { absent: '0', doc: 'Principal point, y in px.', examples: [360] },
});

export const distortionSchema = objectSchema('distortion parameters', distortionFields, {
  rk1: { absent: '0', doc: 'First radial coefficient (r²).', examples: [0] },
  rk2: { absent: '0', doc: 'Second radial coefficient (r⁴).', examples: [0] },
  rk3: { absent: '0', doc: 'Third radial coefficient (r⁶).', examples: [0] },
  tp1: { absent: '0', doc: 'First tangential coefficient.', examples: [0] },
  tp2: { absent: '0', doc: 'Second tangential coefficient.', examples: [0] },
});

export const stepSchema = objectSchema('transform step', stepFields, {
  type: {
    absent: 'the frame passes unchanged',
    doc: `What the step does: ${stepTypes.join(', ')}.`,
    examples: stepTypes,
  },
  attributes: { absent: 'all at their defaults', doc: 'The attributes of that type.', examples: [{}] },
});
