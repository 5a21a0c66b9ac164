import type { ModelAttributes } from '../../../machine/config/face/edits.ts';
import type { VisionServiceConfig } from '../../../machine/config/face/machine-config.ts';
import {
  type BoxOrder,
  machineBoxOrder,
  nameDetectionTensors,
  type Outputs,
} from '../../../machine/vision/face/results.ts';
import { fitOptionsOf } from './fit-options.ts';
import type { DetectionInterpretation, InputInterpretation, Interpretation } from './interpretation.ts';

/** What makes the machine read a model in a certain way. */
export interface InterpretationEdits {
  /** attributes of the vision service that differ from what is there */
  readonly attributes: ModelAttributes;
  /** replaces `label_confidences`: the classes that are shown, without the background; null = stays */
  readonly labelConfidences: Readonly<Record<string, number>> | null;
  /** what no configuration says and only another graph would do, in words; [] = these edits suffice */
  readonly needs: readonly string[];
  /** what a machine-ready export is to be set to for it, by the names of its options; {} where these edits suffice */
  readonly fitOptions: Readonly<Record<string, string>>;
}

type Service = Pick<
  VisionServiceConfig,
  'remapOutputNames' | 'boxOrder' | 'bgr' | 'meanValue' | 'stdDev' | 'defaultMinimumConfidence'
>;

/**
 * Says an interpretation as configuration: the edits of what a service has now.
 * @param interpretation what is fed, and what the outputs mean
 * @param service the attributes that the service has now
 * @param outputs of one run, by tensor name
 * @param labels of the service, by category; null: index numbers
 * @returns attributes to set, and in `needs` what no configuration can say
 * @example
 * const service = { remapOutputNames: {}, boxOrder: null, bgr: false, meanValue: [0, 0, 0], stdDev: [1, 1, 1], defaultMinimumConfidence: 0 };
 * const input = { bgr: true, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' };
 * const output = { kind: 'classifications', probability: 'scores', activation: 'none', classBase: 0 };
 * const { attributes, needs } = editsOf({ input, output, why: 'blue comes first' }, service, new Map(), null);
 * attributes; // => { bgr: true }
 * needs; // => []
 */
export function editsOf(
  { input, output }: Interpretation,
  service: Service,
  outputs: Outputs,
  labels: readonly string[] | null,
): InterpretationEdits {
  const detection = output.kind === 'detections' ? output : null;
  const needs = needsOf(input, detection);
  const remap = detection && remapFor(detection, outputs, service.remapOutputNames);
  return {
    attributes: {
      ...(remap && { remapOutputNames: remap }),
      ...(detection && orderEdit(detection, service.boxOrder)),
      ...inputEdits(input, service),
    },
    labelConfidences: detection ? withoutBackground(detection, outputs, labels, service) : null,
    needs,
    fitOptions: needs.length > 0 && detection ? fitOptionsOf(input, detection, outputs) : {},
  };
}

/** null where the machine finds these tensors as it is. */
function remapFor(
  interpretation: DetectionInterpretation,
  outputs: Outputs,
  present: Readonly<Record<string, string>>,
) {
  if (finds(interpretation, outputs, present)) return null;
  if (finds(interpretation, outputs, {})) return {};
  const { location, category, score } = interpretation;
  return { [location]: 'location', ...(category !== null && { [category]: 'category' }), [score]: 'score' };
}

function finds(
  interpretation: DetectionInterpretation,
  outputs: Outputs,
  remap: Readonly<Record<string, string>>,
): boolean {
  try {
    const { location, category, score, warnings } = nameDetectionTensors(outputs, remap);
    const isSame =
      location === interpretation.location && category === interpretation.category && score === interpretation.score;
    return isSame && warnings.length === 0; // a warning is a guess that the machine makes at random
  } catch {
    return false;
  }
}

function orderEdit({ boxOrder }: DetectionInterpretation, present: Service['boxOrder']): ModelAttributes {
  if (isSameOrder(boxOrder, present ?? machineBoxOrder)) return {};
  return { boxOrder: isSameOrder(boxOrder, machineBoxOrder) ? null : boxOrder };
}

/** The machine turns a box's two x, or its two y, round where they need it. */
function isSameOrder(a: BoxOrder, b: BoxOrder): boolean {
  return a.every((coordinate, at) => coordinate % 2 === b[at]! % 2);
}

function inputEdits({ bgr, meanValue, stdDev }: InputInterpretation, service: Service): ModelAttributes {
  return {
    ...(bgr !== service.bgr && { bgr }),
    ...(!(same(meanValue, service.meanValue) && same(stdDev, service.stdDev)) && { meanValue, stdDev }),
  };
}

/** Labels that are not on the list are dropped by the machine: that is how a background class is kept from the boxes. */
function withoutBackground(
  interpretation: DetectionInterpretation,
  outputs: Outputs,
  labels: readonly string[] | null,
  { defaultMinimumConfidence }: Service,
): InterpretationEdits['labelConfidences'] {
  if (interpretation.classBase !== 'background-first') return null;
  const classes = outputs.get(interpretation.score)!.shape.at(-1)!;
  const names = labels ?? Array.from({ length: classes }, (_, number) => String(number));
  return Object.fromEntries(names.slice(1).map((name) => [name, defaultMinimumConfidence || 0.5]));
}

function needsOf(input: InputInterpretation, detection: DetectionInterpretation | null): string[] {
  return [
    input.fit === 'letterbox' &&
      'The machine stretches frames and cannot keep their shape: the margin must be made inside the graph.',
    detection &&
      detection.boxForm !== 'two corners' &&
      `The machine reads two corners: a ${detection.boxForm} must be made into them inside the graph.`,
    detection &&
      detection.activation !== 'none' &&
      `The machine applies no ${detection.activation} to a detector’s scores: that must be done inside the graph.`,
    detection &&
      detection.space !== 'machine' &&
      'The machine takes the first box to decide whether boxes are parts or pixels, and decides wrongly here: divide or multiply them inside the graph.',
  ].filter((words) => typeof words === 'string');
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, at) => Math.fround(value) === Math.fround(b[at]!));
}
