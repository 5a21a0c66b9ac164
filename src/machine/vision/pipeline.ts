import type { TransformStep } from '../config/face/machine-config.ts';
import type { ClassificationsAttributes, DetectionsAttributes } from '../config/face/cameras.ts';
import { assertNever } from './errors/assert-never.ts';
import { detectColors } from './color-detector/detect-colors.ts';
import { decodeClassifications } from './decode/decode-classifications.ts';
import { decodeDetections } from './decode/decode-detections.ts';
import type { Outputs } from './decode/outputs.ts';
import type { DetectionTensorNames, TensorChoice } from './decode/tensor-choice.ts';
import type { Classification, Detection, RawClassifications, RawDetections } from './results/detections.ts';
import { errorMessage } from './errors/error-message.ts';
import { filterStepClassifications } from './filter/filter-classifications.ts';
import { detectionsAt, filterDetections, rowsOf } from './filter/filter-detections.ts';
import { stepThresholds } from './filter/thresholds.ts';
import type { Frame, FrameSize } from './frame/frame.ts';
import { isGpuFrame, offGpu, pixelsOf, toGpu, withStep, type AnyFrame, type GpuFrame } from './gpu/gpu-frame.ts';
import { closePictures, lookDuring, type Look } from './gpu/looks.ts';
import type { FrameIntake } from './inference/inference-session.ts';
import type { Turn } from '../../base/schedule/one-at-a-time.ts';
import { refuseUnfilledInputs } from './inference/unfilled-inputs.ts';
import { classificationOverlay } from './overlay/classification-overlay.ts';
import { cropBoxOverlay } from './overlay/crop-box-overlay.ts';
import { detectionOverlay } from './overlay/detection-overlay.ts';
import type { TextFace } from './overlay/font/text-face.ts';
import { paint } from './overlay/paint.ts';
import { write } from './overlay/write.ts';
import { afterRun, allOnCpu, placeRun, type Placed, type Placement } from './placement.ts';
import type { StretchKernel } from './preprocess/stretch-kernel.ts';
import type { Inference, RawResults, RunResult, Stage } from './run-result.ts';
import { StepError } from './errors/step-error.ts';
import { refuseDepthOverlay } from './transforms/depth-picture.ts';
import { applyPixelStep, isPixelStep } from './transforms/pixel-step.ts';
import type { Tensor } from './tensor/tensor.ts';
import type { ReadFrame } from './yuv/yuv-frame.ts';
import {
  hasModel,
  requireClassifier,
  requireDetector,
  type ProbedService,
  type RunnableService,
  type VisionService,
} from './vision-service.ts';

// The path of a frame from the camera to the boxes, in the order of this file:
//   source frame → transform steps → preprocess → inference → decode → filter → overlay
// A colour detector (color-detector) has no model: it takes the place of preprocess, inference and decode.
// `runFrame` runs the path up to decode and returns raw results, which stay in memory. The filter of a vision service
// (`service.filter`, made in filter/service-filter.ts) is called in two places: here, for what a step draws and for what
// the command line prints (`detect`, `classify`); and by the page, for what it shows and captures (app/bench/results,
// app/bench/capture). So a moved threshold filters the same raw results again, without another inference.
//
// A frame is either pixels in memory or a frame for the GPU (gpu-frame.ts). For the latter, the GPU computes steps,
// stretch and packing, and the model reads the result there. placement.ts decides what runs where. If the GPU fails,
// the CPU runs the same frame.

/** What the pipeline needs from outside: a font, a kernel, a queue and a clock. */
export interface PipelinePorts {
  readonly stretchKernel: StretchKernel;
  /** for what the machine writes on a frame */
  readonly font: TextFace;
  /** One queue for everything that uses the same kernel or sessions. */
  readonly turn: Turn;
  /** milliseconds of any steady clock */
  readonly nowMs: () => number;
}

/** The ports that packing and inference need. */
export type InferencePorts = Omit<PipelinePorts, 'font'>;

/** The work to do on one frame. */
export interface FramePlan {
  /** the steps of all transform cameras between source and vision service, in the order of execution */
  readonly steps: readonly TransformStep[];
  /** null: only the steps are run */
  readonly vision: RunnableService | null;
  /** finds the vision services that `detections` and `classifications` steps name */
  readonly serviceNamed: (name: string) => Promise<RunnableService>;
  /** the pictures that a person will look at: those of a frame on the GPU are drawn during the run */
  readonly looks?: (stages: readonly Stage[]) => readonly Look[];
}

/**
 * Takes one frame from its source to raw results: transform steps, preprocess, inference, decode.
 * Stages are also appended to `stages` as they come, so that a caller sees how far a failing frame got.
 * @throws StepError from a transform step; InferenceError, DecodeError
 */
export async function runFrame(
  source: ReadFrame,
  plan: FramePlan,
  ports: PipelinePorts,
  stages: Stage[] = [],
): Promise<RunResult> {
  const startMs = ports.nowMs();
  const { vision } = plan;
  const model = vision && hasModel(vision) ? vision : null;
  const placement = placeRun(source, plan.steps, model?.service.session ?? null);
  const seen = await applySteps(source, plan, ports, stages, placement);
  const transformMs = ports.nowMs() - startMs;

  const looks = plan.looks?.(stages) ?? [];
  const inference = model ? await infer(placed(seen, placement.packing), model.service, ports, looks) : null;
  const inferredMs = ports.nowMs();

  const results =
    model && inference
      ? readResults(inference, model, seen)
      : {
          ...noResults,
          ...(vision?.service.color && {
            detections: detectColors(pixelsOf(seen), vision.service.color, ports.stretchKernel.markPixels),
          }),
        };
  const endMs = ports.nowMs();

  const { preprocessMs, inferenceMs } = inference ?? { preprocessMs: 0, inferenceMs: 0 };
  const postprocessMs = endMs - inferredMs;
  return {
    stages,
    ...results,
    inference,
    placement: inference ? afterRun(placement, inference) : placement,
    timings: { transformMs, preprocessMs, inferenceMs, postprocessMs, totalMs: endMs - startMs },
  };
}

const noResults: RawResults = { detections: null, classifications: null };

// ---- transform steps ------------------------------------------------------------------------------------------------

/** Applies the steps one after the other and returns the last picture; each step sees the frame as the one before left it. */
export async function applySteps(
  source: ReadFrame,
  plan: Omit<FramePlan, 'vision'>,
  ports: PipelinePorts,
  stages: Stage[] = [],
  placement: Placement = allOnCpu(plan.steps, 'no model sees the picture'),
): Promise<AnyFrame> {
  stages.push({ step: -1, type: '', frame: source });
  let frame: AnyFrame = source;
  for (const [index, step] of plan.steps.entries()) {
    try {
      frame = await applyStep(placed(frame, placement.steps[index]!), step, plan, ports);
    } catch (cause) {
      throw new StepError(index, step.type, cause);
    }
    stages.push({ step: index, type: step.type, frame });
  }
  return frame;
}

/** Moves the frame to where the next part of its path runs. */
function placed(frame: AnyFrame, { where }: Placed): AnyFrame {
  return where === 'gpu' ? toGpu(frame) : offGpu(frame);
}

function applyStep(
  frame: AnyFrame,
  step: TransformStep,
  plan: Omit<FramePlan, 'vision'>,
  ports: PipelinePorts,
): AnyFrame | Promise<AnyFrame> {
  if (isGpuFrame(frame) && isPixelStep(step)) return withStep(frame, step);
  if (step.type === '') return frame; // and asks for no colours of a camera's planes
  if (isPixelStep(step)) return applyPixelStep(pixelsOf(frame), step);
  const pixels = pixelsOf(frame);
  switch (step.type) {
    case 'crop':
      refuseDepthOverlay(pixels);
      return paint(pixels, cropBoxOverlay(step.attributes, pixels), ports.font);
    case 'detections':
      return drawDetections(pixels, step.attributes, plan, ports);
    case 'classifications':
      return drawClassifications(pixels, step.attributes, plan, ports);
    default:
      return assertNever(step);
  }
}

async function drawDetections(
  frame: Frame,
  attributes: DetectionsAttributes,
  { serviceNamed }: Omit<FramePlan, 'vision'>,
  ports: PipelinePorts,
): Promise<Frame> {
  const detected = await detect(frame, await serviceNamed(attributes.serviceName), ports);
  const { kept } = filterDetections(detected, stepThresholds(detected.labels, attributes));
  return paint(frame, detectionOverlay(detectionsAt(detected, kept), frame), ports.font);
}

async function drawClassifications(
  frame: Frame,
  attributes: ClassificationsAttributes,
  { serviceNamed }: Omit<FramePlan, 'vision'>,
  ports: PipelinePorts,
): Promise<Frame> {
  const n = attributes.maxClassifications === 0 ? 1 : attributes.maxClassifications;
  const classified = await classify(frame, await serviceNamed(attributes.serviceName), n, ports);
  return write(frame, classificationOverlay(filterStepClassifications(classified, attributes)), ports.font);
}

// ---- preprocess and inference ---------------------------------------------------------------------------------------

/** A model and how it is fed. */
type FedModel = Pick<VisionService, 'session' | 'input'>;

/**
 * Stretches the frame into the model's input and runs the model. A frame for the GPU is stretched there, and the looks
 * are drawn during the run. If the GPU fails, the CPU packs the same frame, and `gpuFault` says why.
 * @param frame the picture after the transform steps
 * @param service the model's session, and how the model is fed
 * @param ports kernel, queue and clock
 * @param looks pictures that a person will look at
 * @returns the outputs by tensor name in the model's order, with times in milliseconds
 * @throws InferenceError
 * @example
 * import { patternFrame } from './frame/pattern-frame.ts';
 * import { oneAtATime } from '../../base/schedule/one-at-a-time.ts';
 * import { referenceStretchKernel } from './preprocess/preprocess.ts';
 * import { inputSpec } from './preprocess/input-spec.ts';
 * const inputs = [{ name: 'image', dtype: 'uint8', shape: [1, 4, 6, 3], symbols: [] }];
 * const input = inputSpec(inputs, { remapInputNames: {}, meanValue: [0.5, 0.5, 0.5], stdDev: [0.5, 0.5, 0.5], bgr: false });
 * const session = { inputs, outputs: [{ name: 'score' }], run: async ({ image }) => ({ score: image }) };
 * const ports = { stretchKernel: referenceStretchKernel, turn: oneAtATime(), nowMs: () => 0 };
 * const { outputs, inputWidthPx, inputHeightPx } = await infer(patternFrame('rgba8', 9, 7), { session, input }, ports);
 * [inputWidthPx, inputHeightPx]; // => [6, 4]
 * outputs.get('score').shape; // => [1, 4, 6, 3]
 */
export function infer(
  frame: AnyFrame,
  service: FedModel,
  ports: InferencePorts,
  looks: readonly Look[] = [],
): Promise<Inference> {
  const { session, input } = service;
  return ports.turn(async () => {
    refuseUnfilledInputs(session, input.tensorName);
    if (!isGpuFrame(frame) || !session.gpu) return inferOnCpu(offGpu(frame), service, ports);
    try {
      return await inferOnGpu(frame, session.gpu, service, ports, looks);
    } catch (error) {
      const gpuFault = `the GPU failed on this frame: ${errorMessage(error)}`;
      return { ...(await inferOnCpu(offGpu(frame), service, ports)), gpuFault };
    }
  });
}

async function inferOnCpu(frame: ReadFrame, service: FedModel, ports: InferencePorts): Promise<Inference> {
  const { session, input } = service;
  const startMs = ports.nowMs();
  const tensor = ports.stretchKernel.stretchToTensor(frame, input);
  const packedMs = ports.nowMs();
  const results = await session.run({ [input.tensorName]: tensor });
  const timings = { preprocessMs: packedMs - startMs, inferenceMs: ports.nowMs() - packedMs };
  return inferenceOf(service, results, tensor.shape, timings);
}

async function inferOnGpu(
  frame: GpuFrame,
  gpu: FrameIntake,
  service: FedModel,
  ports: InferencePorts,
  looks: readonly Look[],
): Promise<Inference> {
  const startMs = ports.nowMs();
  const drawn = looks.flatMap((look) => {
    const gpuLook = lookDuring(look, frame);
    return gpuLook ? [{ look, gpuLook }] : [];
  });
  const ran = await gpu.run(
    frame,
    service.input,
    drawn.map(({ gpuLook }) => gpuLook),
  );
  const inferenceMs = ports.nowMs() - startMs - ran.packMs;
  const pictures = new Map(ran.pictures.map((picture, at) => [drawn[at]!.look, picture]));
  const inference = inferenceOf(service, ran.results, ran.shape, { preprocessMs: ran.packMs, inferenceMs });
  return { ...inference, pictures, notCaptured: ran.notCaptured, ...(ran.onGpu && { onGpu: ran.onGpu }) };
}

function inferenceOf(
  { session, input }: FedModel,
  results: Readonly<Record<string, Tensor>>,
  shape: readonly number[],
  timings: Pick<Inference, 'preprocessMs' | 'inferenceMs'>,
): Inference {
  const [height, width] = input.layout === 'nchw' ? [shape[2], shape[3]] : [shape[1], shape[2]];
  return {
    outputs: new Map(session.outputs.flatMap(({ name }) => (results[name] ? [[name, results[name]]] : []))),
    inputWidthPx: width!,
    inputHeightPx: height!,
    ...timings,
  };
}

// ---- decode ---------------------------------------------------------------------------------------------------------

/** Decodes the outputs of an inference. */
function readResults(inference: Inference, vision: ProbedService, seen: FrameSize): RawResults {
  try {
    return {
      detections: readDetections(inference, vision, seen),
      classifications: readClassifications(inference, vision),
    };
  } catch (error) {
    closePictures(inference.pictures);
    throw error;
  }
}

function readDetections(inference: Inference, { service, abilities }: ProbedService, frame: FrameSize) {
  return abilities.detector.names && decodeFrameDetections(inference, service, abilities.detector.names, frame);
}

/**
 * Decodes the outputs of an inference as boxes on the frame that the model saw.
 * @param inference one run of the model
 * @param service label table and box order
 * @param names the tensors that hold location, category and score
 * @param frame size of the frame after the steps, in pixels
 * @returns all rows, unfiltered, with boxes in whole pixels of the frame
 * @throws DecodeError
 * @example
 * import { labelTable } from './decode/labels.ts';
 * import { machineBoxOrder } from './decode/box-order.ts';
 * const tensor = (shape: number[], values: number[]) => ({ dtype: 'float32', shape, data: Float32Array.from(values) });
 * const outputs = new Map([['location', tensor([1, 1, 4], [0, 0.5, 1, 1])], ['category', tensor([1, 1], [1])], ['score', tensor([1, 1], [0.75])]]);
 * const service = { labelTable: labelTable(['cat', 'dog']), boxOrder: machineBoxOrder };
 * const names = { location: 'location', category: 'category', score: 'score' };
 * const { box, labels, labelIndex } = decodeFrameDetections({ outputs, inputWidthPx: 4, inputHeightPx: 4 }, service, names, { widthPx: 20, heightPx: 10 });
 * [...box]; // => [9, 0, 19, 9]
 * labels[labelIndex[0]]; // => 'dog'
 */
export function decodeFrameDetections(
  { outputs, inputWidthPx, inputHeightPx }: Inference,
  service: VisionService,
  names: DetectionTensorNames,
  { widthPx: frameWidthPx, heightPx: frameHeightPx }: FrameSize,
): RawDetections {
  return decodeDetections(outputs, {
    names,
    labels: service.labelTable,
    boxOrder: service.boxOrder,
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

/**
 * Decodes the outputs of an inference as one score a label.
 * @param outputs of one run, by tensor name
 * @param service its labels; null: index numbers as text
 * @param choice the tensor that holds the scores
 * @returns all classes in label order, unfiltered
 * @throws DecodeError
 * @example
 * const outputs = new Map([['probability', { dtype: 'float32', shape: [1, 2], data: Float32Array.of(0.25, 0.75) }]]);
 * [...decodeFrameClassifications(outputs, { labels: ['cat', 'dog'] }, { tensor: 'probability' }).score]; // => [0.25, 0.75]
 */
export function decodeFrameClassifications(
  outputs: Outputs,
  service: VisionService,
  { tensor }: TensorChoice,
): RawClassifications {
  return decodeClassifications(outputs.get(tensor)!, service.labels);
}

// ---- filter ---------------------------------------------------------------------------------------------------------

/** Runs a detector on a frame, through the service's own filter. @throws MachineError not-a-detector, no-ability; InferenceError; DecodeError */
export async function detect(frame: ReadFrame, vision: RunnableService, ports: PipelinePorts): Promise<RawDetections> {
  requireDetector(vision);
  const raw = hasModel(vision)
    ? readDetections(await infer(frame, vision.service, ports), vision, frame)!
    : detectColors(pixelsOf(frame), vision.service.color, ports.stretchKernel.markPixels);
  return rowsOf(raw, vision.service.filter.rows(raw).kept);
}

/** Runs a classifier on a frame: its filter, then the top n (n <= 0: all, in label order). @throws as detect */
export async function classify(
  frame: Frame,
  vision: RunnableService,
  n: number,
  ports: PipelinePorts,
): Promise<Classification[]> {
  requireClassifier(vision);
  if (!hasModel(vision)) return []; // is refused above: no colour detector is a classifier
  const raw = readClassifications(await infer(frame, vision.service, ports), vision)!;
  return vision.service.filter.classes(raw, n);
}

// ---- overlay --------------------------------------------------------------------------------------------------------

/**
 * Draws results into a copy of the picture that the service saw, as the machine draws them.
 * @param seen the picture that the service saw
 * @param results filtered detections (boxes in pixels of `seen`) and classes; null: the service has no such ability
 * @param font the overlay's font, of `overlayFace`
 * @returns a new frame of the same size
 * @example
 * import { patternFrame } from './frame/pattern-frame.ts';
 * const seen = patternFrame('rgba8', 4, 2);
 * const font = { advanceOf: () => 0, maskOf: () => ({ leftPx: 0, topPx: 0, widthPx: 0, heightPx: 0, alpha: new Uint8Array() }) };
 * const drawn = drawResults(seen, { detections: [], classifications: null }, font);
 * [...drawn.samples]; // => [...seen.samples]
 */
export function drawResults(
  seen: Frame,
  results: {
    readonly detections: readonly Detection[] | null;
    readonly classifications: readonly Classification[] | null;
  },
  font: TextFace,
): Frame {
  const boxes = detectionOverlay(results.detections ?? [], seen);
  return write(paint(seen, boxes, font), classificationOverlay(results.classifications ?? []), font);
}
