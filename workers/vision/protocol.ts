import type { MachineConfig } from '../../src/machine/config/face/machine-config.ts';
import type { ModuleFinding } from '../../src/models/fit/modules/module-finding.ts';
import type { InterpretationEdits } from '../../src/models/fit/interpretations/interpretation-edits.ts';
import type { InputInterpretation } from '../../src/models/fit/interpretations/interpretation.ts';
import type { Cure } from '../../src/models/fit/solver/cure.ts';
import type { KnownAnswer } from '../../src/models/fit/solver/known-answer.ts';
import type { DrawnBox } from '../../src/models/fit/solver/drawn-box.ts';
import type { Change } from '../../src/models/fit/solver/hypothesis.ts';
import type { Symptom } from '../../src/models/fit/solver/symptom.ts';
import type { Verdict } from '../../src/models/fit/interpretations/verdict.ts';
import type {
  Classification,
  Detection,
  DetectionDetails,
  RawClassifications,
  RawDetections,
} from '../../src/machine/vision/face/results.ts';
import type { Admission } from '../../src/platform/ports/backend-decisions.ts';
import type { Backend, TensorTraffic } from '../../src/platform/ports/inference-runtime.ts';
import type { Placement } from '../../src/machine/vision/face/runs.ts';
import type { PictureSize } from '../../src/machine/vision/face/traces.ts';
import type { FrameDifference, FrameInfo } from '../../src/machine/vision/face/frames.ts';
import type { ModelFormat, ModelSummary, StatedFeeding } from '../../src/machine/vision/face/inference.ts';

/** The data that the page and the vision worker exchange; all of it survives structured cloning. */

/** The results drawn of a frame: those that pass a filter, boxes in pixels of the frame that the service saw. */
export interface DrawnResults {
  readonly detections: readonly Detection[];
  readonly classifications: readonly Classification[];
}

export type BackendChoice = Backend | 'auto';

export interface LoadProgress {
  readonly phase: 'asking' | 'reading' | 'hashing' | 'compiling' | 'warming-up' | 'storing';
  /** 0..1; null: the phase's progress is unknown */
  readonly fraction: number | null;
}

/** Everything the inspector shows of a loaded model. */
export interface ModelDescription extends Omit<ModelSummary, 'operators' | 'parameterCount' | 'format'> {
  /** handle of the loaded session: the SHA-256 of the bytes in hex, if its bytes are here */
  readonly modelId: string;
  /** null: its file is not here, a live machine runs it */
  readonly format: ModelFormat | null;
  /** for a live machine's model, the name of its model service */
  readonly fileName: string;
  /** '': unknown */
  readonly sha256: string;
  readonly backend: Backend | 'live';
  /** why it does not run on WebGPU although that was chosen, or worked before; '': no such refusal */
  readonly gpuRefusal: string;
  /** what the last comparison of its results on the GPU with the CPU's decided, on this visit or before; null: none with these versions */
  readonly admission: Admission | null;
  /** address of the live machine that runs it; '': it runs here */
  readonly runsAt: string;
  /**
   * filled in by "auto": the same frame on both backends; null until it was measured after the first frame, then
   * announced
   */
  readonly comparison: BackendComparison | null;
  /** null until it was measured after the first frame, then announced */
  readonly warmRunMs: number | null;
  /** whether it is stored in the browser for the next visit; if not, why */
  readonly stored: boolean;
  readonly storedReason: string;
  /** problems that the machine's module for this file format has with it */
  readonly moduleFindings: readonly ModuleFinding[];
}

export interface BackendComparison {
  readonly wasmMs: number;
  readonly webgpuMs: number | null;
  readonly largestDifference: number | null;
  readonly reason: string;
}

/** The same frame on the GPU and on the CPU alone: the largest difference at each stage of its path. */
export interface GpuParity {
  /** difference of the model's input picture, in levels of 255 */
  readonly pixelLevels: number;
  /** difference of the input tensor; 0: bit-identical, Infinity: another size, or a value that is not a number */
  readonly tensor: number;
  /** difference of the output tensors; null: their shapes differ */
  readonly outputs: number | null;
  /** after the service's filter; null: the service finds no boxes */
  readonly boxes: {
    readonly onGpu: number;
    readonly onCpu: number;
    /** number of boxes that both runs have with the same label; the differences are between these */
    readonly paired: number;
    readonly largestShiftPx: number;
    readonly largestScore: number;
  } | null;
  /** difference of the class scores; null: the service is no classifier */
  readonly scores: number | null;
}

/** What the worker runs on every frame from now on. */
export interface BenchPlan {
  readonly config: MachineConfig;
  /** the vision service that is tuned; null: pictures only */
  readonly visionName: string | null;
  /** the camera that feeds it; null: the bare source */
  readonly cameraName: string | null;
  /** by vision service name */
  readonly models: Readonly<Record<string, ModelAssignment>>;
  /** runs on every frame of the stage beside the tuned service; absent or null: none */
  readonly beside?: ServiceBeside | null;
  /** show the last stage without lens distortion (never fed to the model: the machine does not undistort) */
  readonly undistortPreview: boolean;
  /** which picture the stage shows: -1: the source, k: after step k, null: after all steps */
  readonly shownStage: number | null;
  readonly thumbnails: boolean;
  /** read what the tuned service's model says of its detections beyond boxes; absent: no */
  readonly details?: boolean;
}

/** A second vision service, by which the tuned one is compared on the same frames. */
export interface ServiceBeside {
  readonly visionName: string;
  /** the camera that feeds it; null: the bare source */
  readonly cameraName: string | null;
  readonly model: ModelAssignment;
}

export interface ModelAssignment {
  readonly modelId: string;
  /** content of the label file that the machine reads; null: index numbers are used */
  readonly labels: readonly string[] | null;
  /** the service hides its first label: a "background" class there is not shown */
  readonly dropsFirstLabel?: boolean;
}

/** What the probe found out about the tuned service, in words. */
export interface PlanReport {
  readonly detector: AbilityReport;
  readonly classifier: AbilityReport;
  readonly problems: readonly Problem[];
}

export interface AbilityReport {
  readonly able: boolean;
  /** the machine's role → the model's tensor, with the rule that decided */
  readonly tensors: readonly { readonly role: string; readonly tensor: string; readonly why: string }[];
  readonly warnings: readonly string[];
  /** why the service is not able, and the error's code ("raw-head"); of one that is able, "no-classes": its values are no classes */
  readonly reason: string;
  readonly code: string;
}

export interface Problem {
  readonly code: string;
  readonly message: string;
  /** the resource or step that has the problem; '': all */
  readonly where: string;
}

/** Whether the tuned service's results for a frame can be right; null: it gives no results of that kind. */
export interface RunVerdicts {
  readonly detector: Verdict | null;
  readonly classifier: Verdict | null;
}

/** Which side of a model is read in other ways: its outputs or its input. */
export type InterpretationSide = 'outputs' | 'input';

/** Ways to read the tuned service's model, on the frame of the stage. */
export interface FoundInterpretations {
  /** the model's input frame, made smaller; transferred, the receiver closes it. null: there are no interpretations */
  readonly picture: ImageBitmap | null;
  /** best first, without the impossible ones; [] if no two outputs are boxes and scores */
  readonly interpretations: readonly FoundInterpretation[];
  /** how many of them, from the first, are still possible after this frame */
  readonly left: number;
}

export interface FoundInterpretation {
  /** the assumption, in words that follow "if" */
  readonly why: string;
  /** 0..1; compares interpretations on one frame, and is no probability */
  readonly plausibility: number;
  readonly verdict: Verdict;
  /** the configuration already reads the model so */
  readonly isPresent: boolean;
  readonly boxes: readonly ReadBox[];
  readonly edits: InterpretationEdits;
}

/** A decoding to put behind the tuned service's model, tried on the frame of the stage. */
export interface DecodingTrial {
  /** an ONNX model: inputs "output 0" …, outputs `location`, `category` and `score` */
  readonly decoding: Uint8Array<ArrayBuffer>;
  /** the outputs of the tuned service's model that feed those inputs */
  readonly reads: readonly string[];
  /** how frames are fed, and the size of the model's input */
  readonly input: InputInterpretation;
  readonly widthPx: number;
  readonly heightPx: number;
  /** null: index numbers */
  readonly labels: readonly string[] | null;
}

/** The result of trying a decoding. */
export interface TriedDecoding {
  /** the model's input frame, made smaller; transferred, the receiver closes it */
  readonly picture: ImageBitmap;
  readonly boxes: readonly ReadBox[];
  readonly verdict: Verdict;
}

/** A picture of which a person says what is on it, to be fed to a model in every usual way. */
export interface LabelledPicture {
  /** the bytes of a model whose graph has none of its feeding */
  readonly model: Blob;
  readonly kind: 'detections' | 'classifications';
  /** how it would be fed without the picture */
  readonly present: InputInterpretation;
  /** options say how it is fed, which know fewer ranges */
  readonly isFedByOptions: boolean;
  /** the picture as the camera's source gives it: it goes through the camera's steps */
  readonly picture: Blob;
  readonly answer: KnownAnswer;
}

/** Possible causes of wrong results of the tuned service, tried on the frame of the stage. */
export interface FoundCauses {
  /** the model's input frame, made smaller; transferred, the receiver closes it. null: there are no causes */
  readonly picture: ImageBitmap | null;
  /** best first, at most four; [] where the model's outputs are neither boxes nor classes */
  readonly causes: readonly FoundCause[];
}

export interface FoundCause {
  /** the assumption: "Boxes are x, y, x, y" */
  readonly title: string;
  /** one sentence with the evidence */
  readonly why: string;
  readonly changes: readonly Change[];
  /** ≥ 0; compares causes on the same frames */
  readonly quality: number;
  /** the service as it is configured now */
  readonly isPresent: boolean;
  /** the frames decide for it: no other cause comes near */
  readonly isSure: boolean;
  /** the boxes that the service would show */
  readonly boxes: readonly ReadBox[];
  /** for a classifier, the first three classes */
  readonly classes: readonly { readonly label: string; readonly score: number }[];
  readonly cure: Cure;
}

/** What a person reports about a wrong result. */
export interface SymptomReport {
  readonly symptom: Symptom;
  /** in fractions of the model's input frame */
  readonly drawn: readonly DrawnBox[];
  /** labels inside the model file */
  readonly ownLabels: readonly string[] | null;
  /** what the model file, or its family, says of how it is fed; null: nothing */
  readonly statedFeeding: StatedFeeding | null;
}

/** A box to draw, in fractions of the frame, not clamped. */
export interface ReadBox {
  readonly box: readonly [xMin: number, yMin: number, xMax: number, yMax: number];
  readonly score: number;
  readonly label: string;
}

/**
 * A transform camera's picture here beside the machine's own. The pictures are small and transferred; the receiver
 * closes them.
 */
export interface CameraComparison {
  readonly here: ImageBitmap;
  readonly there: ImageBitmap;
  readonly hereSize: PictureSize;
  readonly thereSize: PictureSize;
  /** null: the sizes differ */
  readonly difference: (Omit<FrameDifference, 'picture'> & { readonly picture: ImageBitmap }) | null;
  /** how far the source moved meanwhile, behind the steps, over blocks; null: by its size */
  readonly stirLevels: number | null;
}

/** How a live frame is encoded to be kept. A file keeps its own bytes. */
export type FrameEncoding =
  { readonly mediaType: 'image/jpeg'; /** 0..1 */ readonly quality: number } | { readonly mediaType: 'image/png' };

/** A source frame as a file. */
export interface KeptFrame {
  readonly info: FrameInfo;
  readonly content: Blob;
  /** a small JPEG; null: none could be made */
  readonly thumbnail: Blob | null;
  readonly widthPx: number;
  readonly heightPx: number;
  /** hash of the content, in hex */
  readonly sha256: string;
  /** 'original': the file's own bytes; otherwise encoded with a quality (null: lossless) */
  readonly encoding: 'original' | { readonly quality: number | null };
  /** grey levels of a 16×16 picture */
  readonly grey: Uint8Array;
}

/** A picture on a frame's path: which step made it, and its size. */
export interface PictureStage {
  /** '' for the source, otherwise the step's type */
  readonly type: string;
  /** position in the list of all steps; -1: the source */
  readonly step: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** the source's size before a built-in webcam's crop to even sizes, if that removed something */
  readonly uncut?: PictureSize;
}

export interface StageInfo extends PictureStage {
  /** transferred; the receiver closes it */
  readonly thumbnail: ImageBitmap | null;
}

/** What the service beside the tuned one gives for the very frame that the tuned one saw. */
export interface BesideResult {
  readonly visionName: string;
  readonly modelId: string;
  /** stages of the service's own camera */
  readonly stages: readonly PictureStage[];
  readonly detections: RawDetections | null;
  readonly classifications: RawClassifications | null;
  readonly problems: readonly Problem[];
}

export interface FrameTimings {
  readonly decodeMs: number;
  readonly transformMs: number;
  readonly preprocessMs: number;
  readonly inferenceMs: number;
  readonly postprocessMs: number;
  /** sum of the times above, without those below, which do not delay the result */
  readonly totalMs: number;
  /** how long the packed tensor waited for the model, which ran another frame */
  readonly modelWaitMs: number;
  /** drawing the picture for the stage */
  readonly pictureMs: number;
  /** for a frame that ran on the GPU: whether its own clock separates steps and packing from the inference */
  readonly isGpuTimed?: boolean;
}

export interface FrameResult {
  readonly frame: FrameInfo;
  readonly stages: readonly StageInfo[];
  readonly detections: RawDetections | null;
  readonly classifications: RawClassifications | null;
  readonly problems: readonly Problem[];
  /** by row of `detections`; absent: the plan reads none, or the model gives none */
  readonly details?: DetectionDetails;
  /** result of the service beside for the same frame; absent: no service runs beside */
  readonly beside?: BesideResult;
  /** steps and model of that service, which delay the result by so much */
  readonly besideMs?: number;
  readonly timings: FrameTimings;
  /** bytes of tensors sent to a live machine and received from it; absent if the model runs here */
  readonly traffic?: TensorTraffic;
  /** which part ran where; absent if the run failed */
  readonly placement?: Placement;
  /** PNG and JPEG files are decoded by Sightglass, as on the machine; all other images by the browser */
  readonly decodedBy?: 'sightglass' | 'browser';
  /**
   * for a live frame: '': its planes were read; otherwise why its colours were read instead, in words that follow
   * "because"
   */
  readonly whyColours?: string;
  /** always for a still, sometimes for a frame of a stream */
  readonly verdicts?: RunVerdicts;
  /** grey levels of a 16×16 picture of the source, for capture rules that compare frames */
  readonly grey?: Uint8Array;
  /** when the page got the result, ms since 1970; filled in by the client */
  readonly receivedAtMs?: number;
  /**
   * when the frame reached the page, was sent to the worker and came back, in ms of the page's clock; filled in by
   * the client
   */
  readonly offeredAtMs?: number;
  readonly givenAtMs?: number;
  readonly answeredAtMs?: number;
}

/** The size at which the stage wants the picture of a run. */
export interface PictureOrder {
  /** number of the run: later ones have higher ones */
  readonly runId: number;
  /** the size in screen px that the picture has to fill; null: full size */
  readonly within: PictureSize | null;
}

/** A frame's result with the picture for the stage; the bitmaps are transferred, the receiver closes them. */
export interface ShownFrame {
  readonly result: FrameResult;
  readonly picture: ImageBitmap;
  /** the picture is smaller than the frame that it shows */
  readonly isReduced: boolean;
}

/** Twice a second while a stream runs. */
export interface StreamStats {
  readonly sourceFps: number;
  readonly inferenceFps: number;
  readonly droppedFrames: number;
  /** median from frame arrival to result, ms */
  readonly latencyMs: number;
}

export interface Notice {
  readonly code: 'gpu-lost' | 'storage-full' | 'stream-ended' | 'worker-restarted';
  readonly message: string;
}

/** "auto" measured a model on both backends; the model now has this description. */
export interface BackendDecided {
  readonly code: 'backend-decided';
  readonly model: ModelDescription;
}
