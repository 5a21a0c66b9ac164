import type { ClassificationsAttributes, DetectionsAttributes, TransformStep } from '../config/machine-config.ts';
import { assertNever } from './assert-never.ts';
import { decodeClassifications } from './decode/decode-classifications.ts';
import { decodeDetections } from './decode/decode-detections.ts';
import type { Outputs } from './decode/outputs.ts';
import type { DetectionTensorNames, TensorChoice } from './decode/tensor-names.ts';
import type { Classification, Detection, RawClassifications, RawDetections } from './detections.ts';
import {
  filterClassifications,
  filterStepClassifications,
  topClassifications,
} from './filter/filter-classifications.ts';
import { detectionsAt, filterDetections, rowsOf, type FilteredRows } from './filter/filter-detections.ts';
import { stepThresholds } from './filter/thresholds.ts';
import type { Frame } from './frame.ts';
import { InferenceError } from './inference/inference-session.ts';
import type { Turn } from './inference/one-at-a-time.ts';
import { classificationOverlay } from './overlay/classification-overlay.ts';
import { cropBoxOverlay } from './overlay/crop-box-overlay.ts';
import { detectionOverlay } from './overlay/detection-overlay.ts';
import type { OutlineFont } from './overlay/outline-font.ts';
import { paint } from './overlay/paint.ts';
import type { StretchKernel } from './preprocess/stretch-kernel.ts';
import { crop } from './transforms/crop.ts';
import { resizeNearest } from './transforms/resize.ts';
import { rotate } from './transforms/rotate.ts';
import { requireClassifier, requireDetector, type ProbedService, type VisionService } from './vision-service.ts';

// A frame's way from the camera to the boxes, top to bottom:
//   source frame → transform steps → preprocess → inference → decode (raw, kept) → filter → overlay

/** What the path needs from outside: pixels, models, time. */
export interface PipelinePorts {
  readonly stretchKernel: StretchKernel;
  /** for what the machine writes on a frame */
  readonly font: OutlineFont;
  /** One queue for everything that uses the same kernel or sessions. */
  readonly turn: Turn;
  /** milliseconds of any steady clock */
  readonly nowMs: () => number;
}

/** What to do with a frame. */
export interface Look {
  /** steps of the transform cameras between source and vision service, in the order of execution */
  readonly steps: readonly TransformStep[];
  /** null = transform only */
  readonly vision: ProbedService | null;
  /** looks a vision service up for `detections` and `classifications` steps */
  readonly serviceNamed: (name: string) => Promise<ProbedService>;
}

/** The picture after one step. */
export interface Stage {
  /** position in the list of steps, -1 = source */
  readonly step: number;
  /** '' for the source and for a pass-through step */
  readonly type: TransformStep['type'];
  readonly frame: Frame;
}

/** Everything that one look at a frame yields. */
export interface Sighting {
  /** the source first, then one a step */
  readonly stages: readonly Stage[];
  /** before any filter, kept so that thresholds filter again without inference; null = the service is no detector */
  readonly rawDetections: RawDetections | null;
  readonly detectionRows: FilteredRows | null;
  readonly detections: readonly Detection[] | null;
  /** null = the service is no classifier */
  readonly rawClassifications: RawClassifications | null;
  /** filtered, in label order */
  readonly classifications: readonly Classification[] | null;
  readonly timings: SightingTimings;
}

export interface SightingTimings {
  readonly transformMs: number;
  readonly preprocessMs: number;
  readonly inferenceMs: number;
  /** decode and filter */
  readonly postprocessMs: number;
  readonly totalMs: number;
}

/**
 * Takes one frame the whole way. Stages are also appended to `stages` as they come, so that a caller sees how far a
 * failing frame got. Throws what the failing step throws, as a StepError if it was a transform step.
 */
export async function lookAt(source: Frame, look: Look, ports: PipelinePorts, stages: Stage[] = []): Promise<Sighting> {
  const startMs = ports.nowMs();
  const seen = await applySteps(source, look, ports, stages);
  const transformedMs = ports.nowMs();

  const inference = look.vision && (await infer(seen, look.vision.service, ports));
  const inferredMs = ports.nowMs();

  const rawDetections = look.vision && inference && readDetections(inference, look.vision, seen);
  const rawClassifications = look.vision && inference && readClassifications(inference, look.vision);
  const detectionRows =
    look.vision &&
    rawDetections &&
    filterDetections(rawDetections, look.vision.service.thresholds(rawDetections.labels));
  const classifications =
    look.vision &&
    rawClassifications &&
    filterClassifications(rawClassifications, look.vision.service.config, allLabels);
  const endMs = ports.nowMs();

  return {
    stages,
    rawDetections,
    detectionRows,
    detections: rawDetections && detectionRows && detectionsAt(rawDetections, detectionRows.kept),
    rawClassifications,
    classifications,
    timings: {
      transformMs: transformedMs - startMs,
      preprocessMs: inference?.preprocessMs ?? 0,
      inferenceMs: inference?.inferenceMs ?? 0,
      postprocessMs: endMs - inferredMs,
      totalMs: endMs - startMs,
    },
  };
}

const allLabels = 0;

// ---- transform steps -------------------------------------------------------------------------------------------------

/** Applies the steps one after the other and returns the last picture; each step sees the frame as the one before left it. */
export async function applySteps(source: Frame, look: Look, ports: PipelinePorts, stages: Stage[]): Promise<Frame> {
  stages.push({ step: -1, type: '', frame: source });
  let frame = source;
  for (const [index, step] of look.steps.entries()) {
    try {
      frame = await applyStep(frame, step, look, ports);
    } catch (cause) {
      throw new StepError(index, step.type, cause);
    }
    stages.push({ step: index, type: step.type, frame });
  }
  return frame;
}

function applyStep(frame: Frame, step: TransformStep, look: Look, ports: PipelinePorts): Frame | Promise<Frame> {
  switch (step.type) {
    case '':
      return frame;
    case 'crop':
      return step.attributes.overlayCropBox
        ? paint(frame, cropBoxOverlay(step.attributes, frame), ports.font)
        : crop(frame, step.attributes);
    case 'resize':
      return resizeNearest(frame, step.attributes);
    case 'rotate':
      return rotate(frame, step.attributes);
    case 'detections':
      return drawDetections(frame, step.attributes, look, ports);
    case 'classifications':
      return drawClassifications(frame, step.attributes, look, ports);
    default:
      return assertNever(step);
  }
}

async function drawDetections(
  frame: Frame,
  attributes: DetectionsAttributes,
  look: Look,
  ports: PipelinePorts,
): Promise<Frame> {
  const detected = await detect(frame, await look.serviceNamed(attributes.detectorName), ports);
  const { kept } = filterDetections(detected, stepThresholds(detected.labels, attributes));
  return paint(frame, detectionOverlay(detectionsAt(detected, kept), frame), ports.font);
}

async function drawClassifications(
  frame: Frame,
  attributes: ClassificationsAttributes,
  look: Look,
  ports: PipelinePorts,
): Promise<Frame> {
  const n = attributes.maxClassifications === 0 ? 1 : attributes.maxClassifications;
  const classified = await classify(frame, await look.serviceNamed(attributes.classifierName), n, ports);
  return paint(frame, classificationOverlay(filterStepClassifications(classified, attributes)), ports.font);
}

/** A transform step failed; the frame goes no further. `cause` says why. */
export class StepError extends Error {
  override readonly name = 'StepError';
  readonly code = 'step-failed';
  readonly step: number;
  readonly type: TransformStep['type'];
  constructor(step: number, type: TransformStep['type'], cause: unknown) {
    super(`Step ${step + 1} (${type}): ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.step = step;
    this.type = type;
  }
}

// ---- a vision service on one frame -----------------------------------------------------------------------------------

/** Runs a detector on a frame, through the service's own filter. @throws MachineError not-a-detector, no-ability; InferenceError; DecodeError */
export async function detect(frame: Frame, vision: ProbedService, ports: PipelinePorts): Promise<RawDetections> {
  requireDetector(vision);
  const raw = readDetections(await infer(frame, vision.service, ports), vision, frame)!;
  return rowsOf(raw, filterDetections(raw, vision.service.thresholds(raw.labels)).kept);
}

/** Runs a classifier on a frame: its filter, then the top n (n <= 0: all, in label order). @throws as detect */
export async function classify(
  frame: Frame,
  vision: ProbedService,
  n: number,
  ports: PipelinePorts,
): Promise<Classification[]> {
  requireClassifier(vision);
  const raw = readClassifications(await infer(frame, vision.service, ports), vision)!;
  return filterClassifications(raw, vision.service.config, n);
}

/** What one run of a model gave. */
export interface Inference {
  readonly outputs: Outputs;
  /** size of the tensor that the model was given */
  readonly inputWidthPx: number;
  readonly inputHeightPx: number;
  readonly preprocessMs: number;
  readonly inferenceMs: number;
}

/** Stretches the frame into the model's input and runs the model. @throws InferenceError */
export function infer(frame: Frame, service: VisionService, ports: PipelinePorts): Promise<Inference> {
  const { session, input } = service;
  return ports.turn(async () => {
    refuseUnfilledInputs(service);
    const startMs = ports.nowMs();
    const tensor = ports.stretchKernel.stretchToTensor(frame, input);
    const packedMs = ports.nowMs();
    const results = await session.run({ [input.tensorName]: tensor });
    const endMs = ports.nowMs();
    const [height, width] =
      input.layout === 'nchw' ? [tensor.shape[2], tensor.shape[3]] : [tensor.shape[1], tensor.shape[2]];
    return {
      outputs: new Map(session.outputs.flatMap(({ name }) => (results[name] ? [[name, results[name]]] : []))),
      inputWidthPx: width!,
      inputHeightPx: height!,
      preprocessMs: packedMs - startMs,
      inferenceMs: endMs - packedMs,
    };
  });
}

function readDetections(inference: Inference, { service, abilities }: ProbedService, frame: Frame) {
  return abilities.detector.names && decodeFrameDetections(inference, service, abilities.detector.names, frame);
}

/** Decodes an inference as boxes on the frame that it was run on. */
export function decodeFrameDetections(
  { outputs, inputWidthPx, inputHeightPx }: Inference,
  service: VisionService,
  names: DetectionTensorNames,
  { widthPx: frameWidthPx, heightPx: frameHeightPx }: Frame,
): RawDetections {
  return decodeDetections(outputs, {
    names,
    labels: service.labelTable,
    boxOrder: service.boxOrder.order,
    inputWidthPx,
    inputHeightPx,
    frameWidthPx,
    frameHeightPx,
  });
}

function readClassifications({ outputs }: Inference, { service, abilities }: ProbedService) {
  const { names } = abilities.classifier;
  return names && decodeFrameClassifications(outputs, service, names);
}

export function decodeFrameClassifications(
  outputs: Outputs,
  service: VisionService,
  { tensor }: TensorChoice,
): RawClassifications {
  return decodeClassifications(outputs.get(tensor)!, service.labels);
}

/** The machine feeds one tensor, under one name. */
function refuseUnfilledInputs({ session, input }: VisionService): void {
  const names = session.inputs.map(({ name }) => name);
  const unfilled = names.filter((name) => name !== input.tensorName);
  if (unfilled.length === 0) return;
  const list = unfilled.map((name) => `"${name}"`).join(', ');
  throw new InferenceError(
    'unfilled-input',
    names.includes(input.tensorName)
      ? `The model has ${names.length} inputs and the machine fills only "${input.tensorName}": ${list} would stay empty. ` +
          'Make the others constants inside the graph.'
      : `The machine feeds an input named "${input.tensorName}", and the model has ${list}. ` +
          `Write remap_input_names {"${names[0]}": "image"}.`,
  );
}

// ---- overlay ---------------------------------------------------------------------------------------------------------

/** The picture that the vision service saw, with its results drawn as the machine draws them. */
export function drawSighting({ stages, detections, classifications }: Sighting, font: OutlineFont): Frame {
  const seen = stages.at(-1)!.frame;
  return paint(
    seen,
    [
      ...(detections ? detectionOverlay(detections, seen) : []),
      ...(classifications ? classificationOverlay(topClassifications(classifications, 1)) : []),
    ],
    font,
  );
}
