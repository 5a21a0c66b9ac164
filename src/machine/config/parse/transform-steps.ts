import { defineStep } from './define-step.ts';

// The types of steps that a transform camera has, one record each (viamrobotics/rdk, components/camera/transformpipeline).

/** Pixels of the frame at that step if either max is above 1, else fractions of its size. */
export interface CropAttributes {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
  /** draw the window on the whole image instead of cutting it out */
  readonly overlayCropBox: boolean;
}

export interface ResizeAttributes {
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface RotateAttributes {
  /** clockwise */
  readonly angleDegs: number;
}

export interface DetectionsAttributes {
  readonly serviceName: string;
  readonly confidenceThreshold: number;
  /** empty = all */
  readonly validLabels: readonly string[];
}

export interface ClassificationsAttributes {
  readonly serviceName: string;
  readonly confidenceThreshold: number;
  /** 0 stands for 1 */
  readonly maxClassifications: number;
  readonly validLabels: readonly string[];
}

const cropEdge = (name: string, prefix: string, example: number) =>
  ({
    type: 'float64',
    absent: '0',
    doc: `${name} edge. Pixels if either max is above 1, else a fraction of the frame.`,
    minimum: 0,
    examples: [example],
    label: `${name} edge`,
    prefix,
  }) as const;

const crop = defineStep('crop', {
  attributes: {
    x_min_px: cropEdge('Left', 'x min', 0),
    y_min_px: cropEdge('Upper', 'y min', 0),
    x_max_px: cropEdge('Right', 'x max', 640),
    y_max_px: cropEdge('Lower', 'y max', 480),
    overlay_crop_box: {
      type: 'bool',
      absent: 'false',
      doc: 'Draws the window on the whole frame instead of cutting it out.',
      examples: [true, false],
      label: 'Draw only, keep all',
      hint: 'overlay_crop_box: draws the window on the whole frame instead of cutting it out',
    },
  },
  refusal({ x_min_px: xMin, y_min_px: yMin, x_max_px: xMax, y_max_px: yMax }) {
    if (xMin < 0 || yMin < 0) return 'cannot set x_min or y_min to a negative number';
    if (xMin >= xMax) return `cannot crop to 0 width: x_min_px ${xMin} is not below x_max_px ${xMax}`;
    if (yMin >= yMax) return `cannot crop to 0 height: y_min_px ${yMin} is not below y_max_px ${yMax}`;
    return '';
  },
  parse: (values): CropAttributes => ({
    xMin: values.x_min_px,
    yMin: values.y_min_px,
    xMax: values.x_max_px,
    yMax: values.y_max_px,
    overlayCropBox: values.overlay_crop_box,
  }),
  summary(values) {
    const corners = `${values.x_min_px}, ${values.y_min_px} – ${values.x_max_px}, ${values.y_max_px}`;
    return `${corners}${isRelative(values) ? '' : ' px'}${values.overlay_crop_box ? ', drawn' : ''}`;
  },
  first: () => ({ x_min_px: 0.1, y_min_px: 0.1, x_max_px: 0.9, y_max_px: 0.9 }),
});

/**
 * Tells whether the edges of a crop are fractions of the frame. The machine takes all four for pixels as soon as one
 * maximum is above 1.
 * @param edges both maxima
 * @returns false: they are pixels
 * @example
 * isRelative({ x_max_px: 0.5, y_max_px: 1 }); // => true
 * isRelative({ x_max_px: 0.5, y_max_px: 2 }); // => false
 */
export function isRelative(edges: { readonly x_max_px: number; readonly y_max_px: number }): boolean {
  return edges.x_max_px <= 1 && edges.y_max_px <= 1;
}

const side = (name: 'width' | 'height', example: number) =>
  ({
    type: 'int',
    required: true,
    absent: 'refused',
    doc: `New ${name}, px. Nearest sample.`,
    minimum: 1,
    examples: [example],
    label: `${name === 'width' ? 'Width' : 'Height'}, px`,
    prefix: name,
    unit: 'px',
  }) as const;

const resize = defineStep('resize', {
  attributes: { width_px: side('width', 640), height_px: side('height', 480) },
  refusal({ width_px, height_px }) {
    if (width_px <= 0) return `new width of a resize must be above 0, got ${width_px}`;
    if (height_px <= 0) return `new height of a resize must be above 0, got ${height_px}`;
    return '';
  },
  parse: (values): ResizeAttributes => ({ widthPx: values.width_px, heightPx: values.height_px }),
  summary: ({ width_px, height_px }) => `${width_px} × ${height_px} px`,
  first: ({ widthPx, heightPx }) => ({ width_px: widthPx, height_px: heightPx }),
  note: 'Nearest sample, stretched: the machine keeps no aspect ratio.',
});

const rotate = defineStep('rotate', {
  attributes: {
    angle_degs: {
      type: 'float64',
      absent: '180 (null: 0)',
      doc: 'Clockwise turn in degrees. The key must be spelt exactly so.',
      examples: [90, 180, 270],
      label: 'Angle in degrees, clockwise',
      unit: '° cw',
      choices: [0, 90, 180, 270].map((value) => ({ value, text: `${value}°` })),
    },
  },
  // The machine looks for the exact key when it decides on its default, so "Angle_Degs": 90 still turns by 180.
  readAs: ({ angle_degs }, raw) => ({ angle_degs: Object.hasOwn(raw, 'angle_degs') ? angle_degs : 180 }),
  parse: ({ angle_degs }): RotateAttributes => ({ angleDegs: angle_degs }),
  summary: ({ angle_degs }) => `${angle_degs}° clockwise`,
  first: () => ({ angle_degs: 90 }),
});

const service = (kind: 'detector' | 'classifier', doc: string) =>
  ({
    type: 'string',
    required: true,
    absent: 'every frame fails',
    doc,
    examples: [''],
    label: kind === 'detector' ? 'Detector' : 'Classifier',
    namesService: true,
  }) as const;

const confidenceThreshold = (done: 'drawn' | 'written') =>
  ({
    type: 'float64',
    absent: '0: all are drawn',
    doc: 'Results with a lower score are not drawn.',
    minimum: 0,
    maximum: 1,
    examples: [0.5],
    label: `Lowest score that is ${done}`,
    prefix: 'score ≥',
  }) as const;

const validLabels = (done: 'drawn' | 'written') =>
  ({
    type: '[]string',
    absent: 'all labels',
    doc: 'Only these labels are drawn, without regard to case.',
    examples: [[]],
    label: `Labels that are ${done}, separated by commas`,
    placeholder: 'all labels',
  }) as const;

const only = (labels: readonly string[]): string => (labels.length === 0 ? '' : `, only ${labels.join(', ')}`);

const detections = defineStep('detections', {
  draws: 'detector',
  attributes: {
    detector_name: service('detector', 'Vision service whose detections are drawn on the frame.'),
    confidence_threshold: confidenceThreshold('drawn'),
    valid_labels: validLabels('drawn'),
  },
  parse: (values): DetectionsAttributes => ({
    serviceName: values.detector_name,
    confidenceThreshold: values.confidence_threshold,
    validLabels: values.valid_labels,
  }),
  summary: (values) =>
    `${values.detector_name || 'no detector'} ≥ ${values.confidence_threshold}${only(values.valid_labels)}`,
  first: (context) => ({ detector_name: context.service, confidence_threshold: 0.5 }),
});

const classifications = defineStep('classifications', {
  draws: 'classifier',
  attributes: {
    classifier_name: service('classifier', 'Vision service whose classifications are written on the frame.'),
    confidence_threshold: confidenceThreshold('written'),
    max_classifications: {
      type: 'uint',
      absent: '1',
      doc: 'How many of the best are kept, before the other filters. 0 stands for 1.',
      minimum: 0,
      examples: [1, 3],
      label: 'How many are written',
      prefix: 'best',
      zeroMeans: 1,
    },
    valid_labels: validLabels('written'),
  },
  parse: (values): ClassificationsAttributes => ({
    serviceName: values.classifier_name,
    confidenceThreshold: values.confidence_threshold,
    maxClassifications: values.max_classifications,
    validLabels: values.valid_labels,
  }),
  summary: (values) =>
    `${values.classifier_name || 'no classifier'}, best ${values.max_classifications || 1}` +
    ` ≥ ${values.confidence_threshold}${only(values.valid_labels)}`,
  first: (context) => ({ classifier_name: context.service, confidence_threshold: 0.5, max_classifications: 1 }),
});

/** Every type of step, in the order in which the bench offers them. A step of type '' has no attributes and no record. */
export const stepRecords = { crop, resize, rotate, detections, classifications } as const;

export type StepType = keyof typeof stepRecords;

export const stepTypes = Object.keys(stepRecords) as readonly StepType[];

/**
 * Tells whether the machine knows a type of transform step.
 * @param type as in the JSON
 * @returns false also for '', the step that passes frames on
 * @example
 * ['crop', 'blur', ''].map(isStepType); // => [true, false, false]
 */
export function isStepType(type: string): type is StepType {
  return Object.hasOwn(stepRecords, type);
}

/** The types of steps that draw a vision service's results on the frame; the others only move pixels. */
export type DrawingType = { [T in StepType]: (typeof stepRecords)[T]['draws'] extends null ? never : T }[StepType];

/**
 * Tells whether a step draws the results of a vision service on the frame.
 * @param step parsed or as in the JSON
 * @returns false: it only moves pixels
 * @example
 * [{ type: 'detections' }, { type: 'crop' }].map(isDrawing); // => [true, false]
 */
export function isDrawing<S extends { readonly type: string }>(
  step: S,
): step is Extract<S, { readonly type: DrawingType }> | (S & { readonly type: DrawingType }) {
  return isStepType(step.type) && stepRecords[step.type].draws !== null;
}

/** The attribute of a drawing step that names the vision service. */
export function serviceKeyOf(type: DrawingType): string {
  return stepRecords[type].attributes.find(({ namesService }) => namesService)!.key;
}
