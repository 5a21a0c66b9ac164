import type { MachineConfig } from '../../src/config/machine-config.ts';
import type { ModuleFinding } from '../../src/fit/modules/module-finding.ts';
import type { ReadingEdits } from '../../src/fit/readings/reading-edits.ts';
import type { InputReading } from '../../src/fit/readings/reading.ts';
import type { Cure } from '../../src/fit/solver/cure.ts';
import type { DrawnBox } from '../../src/fit/solver/drawn-box.ts';
import type { Change } from '../../src/fit/solver/hypothesis.ts';
import type { Symptom } from '../../src/fit/solver/symptom.ts';
import type { Verdict } from '../../src/fit/readings/verdict.ts';
import type { RawClassifications, RawDetections } from '../../src/vision/detections.ts';
import type { Backend, TensorTraffic } from '../../src/ports/inference-runtime.ts';
import type { Placement } from '../../src/vision/placement.ts';
import type { PictureSize } from '../../src/vision/trace.ts';
import type { FrameDifference } from '../../src/vision/compare-frames.ts';
import type { FrameInfo } from '../../src/vision/frame-info.ts';
import type { ModelFormat, ModelSummary } from '../../src/vision/inference/model-summary.ts';
import type { StatedFeeding } from '../../src/vision/inference/stated-feeding.ts';

/** What crosses between the page and the vision worker. Everything here survives structured cloning. */

export type BackendChoice = Backend | 'auto';

export interface LoadProgress {
  readonly phase: 'asking' | 'reading' | 'hashing' | 'compiling' | 'warming-up' | 'storing';
  /** 0..1, or null where the phase has no measure */
  readonly fraction: number | null;
}

/** Everything the inspector shows of a loaded model. */
export interface ModelDescription extends Omit<ModelSummary, 'operators' | 'parameterCount' | 'format'> {
  /** handle of the loaded session; equals the SHA-256 of the bytes, in hex, where there are bytes */
  readonly modelId: string;
  /** null = its file was never seen here: a live machine runs it */
  readonly format: ModelFormat | null;
  /** of a live machine's model the name of its service */
  readonly fileName: string;
  /** '' = not known */
  readonly sha256: string;
  readonly backend: Backend | 'live';
  /** why it does not run on WebGPU although that was asked for, or ran there before; '' = neither */
  readonly gpuRefusal: string;
  /** address of the live machine that runs it; '' = it runs here */
  readonly runsAt: string;
  /** filled by "auto": the same frame on both backends; null until the first frame was seen, then announced */
  readonly comparison: BackendComparison | null;
  /** null until the first frame was seen, then announced */
  readonly warmRunMs: number | null;
  /** kept in browser storage for the next visit; if not, why */
  readonly stored: boolean;
  readonly storedReason: string;
  /** what the machine's module for files of this format makes of it */
  readonly moduleFindings: readonly ModuleFinding[];
}

export interface BackendComparison {
  readonly wasmMs: number;
  readonly webgpuMs: number | null;
  readonly largestDifference: number | null;
  readonly reason: string;
}

/** One frame run both ways, on the GPU and on the CPU alone: the largest difference at each station of its way. */
export interface GpuParity {
  /** of the picture that the model sees, of 255 */
  readonly pixelLevels: number;
  /** of the numbers that the model is given; 0 = the same to the bit, Infinity = another size, or no number */
  readonly tensor: number;
  /** of the numbers that it gives; null = other shapes */
  readonly outputs: number | null;
  /** after the service's filter; null = the service finds no boxes */
  readonly boxes: {
    readonly onGpu: number;
    readonly onCpu: number;
    /** of one label on both; the differences are theirs */
    readonly paired: number;
    readonly largestShiftPx: number;
    readonly largestScore: number;
  } | null;
  /** of the scores of classes; null = the service is no classifier */
  readonly scores: number | null;
}

/** What the worker runs on every frame from now on. */
export interface BenchPlan {
  readonly config: MachineConfig;
  /** the vision service being tuned, null = pictures only */
  readonly visionName: string | null;
  /** the camera it looks through, null = the bare source */
  readonly cameraName: string | null;
  /** by vision service name */
  readonly models: Readonly<Record<string, ModelAssignment>>;
  /** show the last stage undistorted (never fed to the model: the machine does not do it) */
  readonly undistortPreview: boolean;
  /** which picture the stage shows: -1 = source, k = after step k, null = after all steps */
  readonly shownStage: number | null;
  readonly thumbnails: boolean;
}

export interface ModelAssignment {
  readonly modelId: string;
  /** content of the label file that the machine reads; null = index numbers */
  readonly labels: readonly string[] | null;
  /** the service's list of labels leaves the first one out: what means "background" is not shown */
  readonly dropsFirstLabel?: boolean;
}

/** How the tuned service fits its model: the probe of the machine, in words. */
export interface PlanReport {
  readonly detector: AbilityReport;
  readonly classifier: AbilityReport;
  readonly problems: readonly Problem[];
}

export interface AbilityReport {
  readonly able: boolean;
  /** machine's role → model's tensor, with the rule that decided */
  readonly tensors: readonly { readonly role: string; readonly tensor: string; readonly why: string }[];
  readonly warnings: readonly string[];
  /** why not, when not able, and the code of the error that says so ("raw-head") */
  readonly reason: string;
  readonly code: string;
}

export interface Problem {
  readonly code: string;
  readonly message: string;
  /** resource or step that it concerns, '' = all */
  readonly where: string;
}

/** Whether what the tuned service says of a frame can be right; null = it says nothing of the kind. */
export interface RunVerdicts {
  readonly detector: Verdict | null;
  readonly classifier: Verdict | null;
}

/** Which part of a model is read in other ways: its outputs, or what it is fed. */
export type ReadingSide = 'outputs' | 'input';

/** Ways to read the tuned service's model, on the frame of the stage. */
export interface FoundReadings {
  /** the frame as the model sees it, small; transferred, the receiver closes it. null where there are no readings */
  readonly picture: ImageBitmap | null;
  /** best first, without those that cannot be right; [] where no two outputs are boxes and scores */
  readonly readings: readonly FoundReading[];
  /** how many of them, from the first, the frame leaves possible */
  readonly left: number;
}

export interface FoundReading {
  /** what it supposes, in words that follow "if" */
  readonly why: string;
  /** 0..1; how readings compare on one frame, no probability */
  readonly plausibility: number;
  readonly verdict: Verdict;
  /** the configuration says it already */
  readonly isPresent: boolean;
  readonly boxes: readonly ReadBox[];
  readonly edits: ReadingEdits;
}

/** What is put behind the tuned service's model, to be tried on the frame of the stage. */
export interface DecodingTrial {
  /** an ONNX model: inputs "output 0" …, outputs `location`, `category` and `score` */
  readonly decoding: Uint8Array<ArrayBuffer>;
  /** the tuned service's model's outputs for those inputs */
  readonly reads: readonly string[];
  /** how frames are fed, and the size of the input */
  readonly input: InputReading;
  readonly widthPx: number;
  readonly heightPx: number;
  /** null = index numbers */
  readonly labels: readonly string[] | null;
}

/** What came of it. */
export interface TriedDecoding {
  /** the frame as the model sees it, small; transferred, the receiver closes it */
  readonly picture: ImageBitmap;
  readonly boxes: readonly ReadBox[];
  readonly verdict: Verdict;
}

/** What may be wrong with the tuned service, on the frame of the stage. */
export interface FoundCauses {
  /** the frame as the model sees it, small; transferred, the receiver closes it. null where there are no causes */
  readonly picture: ImageBitmap | null;
  /** best first, at most four; [] where the model's outputs are neither boxes nor classes */
  readonly causes: readonly FoundCause[];
}

export interface FoundCause {
  /** what it supposes: "Boxes are x, y, x, y" */
  readonly title: string;
  /** one sentence, with what was seen */
  readonly why: string;
  readonly changes: readonly Change[];
  /** ≥ 0; how causes compare on the same frames */
  readonly quality: number;
  /** the service as it is */
  readonly isPresent: boolean;
  /** what the service would show */
  readonly boxes: readonly ReadBox[];
  /** a classifier's first three */
  readonly classes: readonly { readonly label: string; readonly score: number }[];
  readonly cure: Cure;
}

/** What a person says of a wrong result. */
export interface SymptomReport {
  readonly symptom: Symptom;
  /** of the frame as the model sees it */
  readonly drawn: readonly DrawnBox[];
  /** names that the model file carries */
  readonly ownLabels: readonly string[] | null;
  /** what the model file, or its family, says of how it is fed; null = nothing */
  readonly statedFeeding: StatedFeeding | null;
}

/** A box to draw: parts of the frame, unclamped. */
export interface ReadBox {
  readonly box: readonly [xMin: number, yMin: number, xMax: number, yMax: number];
  readonly score: number;
  readonly label: string;
}

/** What a transform camera gives here, beside what a machine's own gave. Its pictures are small and transferred; the receiver closes them. */
export interface CameraComparison {
  readonly here: ImageBitmap;
  readonly there: ImageBitmap;
  readonly hereSize: PictureSize;
  readonly thereSize: PictureSize;
  /** null where the sizes differ */
  readonly difference: (Omit<FrameDifference, 'picture'> & { readonly picture: ImageBitmap }) | null;
}

/** How a live frame is encoded to be kept. A file is never encoded: its bytes are kept. */
export type FrameEncoding =
  { readonly mediaType: 'image/jpeg'; /** 0..1 */ readonly quality: number } | { readonly mediaType: 'image/png' };

/** A source frame as it is kept. */
export interface KeptFrame {
  readonly info: FrameInfo;
  readonly content: Blob;
  /** a small JPEG; null where none could be made */
  readonly thumbnail: Blob | null;
  readonly widthPx: number;
  readonly heightPx: number;
  /** of the content, in hex */
  readonly sha256: string;
  /** the file's own bytes, or encoded with a quality (null = lossless) */
  readonly encoding: 'original' | { readonly quality: number | null };
  /** grey levels of a 16×16 picture */
  readonly grey: Uint8Array;
}

export interface StageInfo {
  /** '' for the source, else the step's type */
  readonly type: string;
  /** position in the flattened list of steps, -1 = source */
  readonly step: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** the source's size before a built-in webcam's crop to even sizes, where that took something away */
  readonly uncut?: PictureSize;
  /** transferred; the receiver closes it */
  readonly thumbnail: ImageBitmap | null;
}

export interface FrameTimings {
  readonly decodeMs: number;
  readonly transformMs: number;
  readonly preprocessMs: number;
  readonly inferenceMs: number;
  readonly postprocessMs: number;
  /** of these; not what follows, which is no part of seeing it */
  readonly totalMs: number;
  /** the packed tensor waited for the model, which ran another frame */
  readonly modelWaitMs: number;
  /** the picture for the stage was made */
  readonly pictureMs: number;
  /** where the GPU took the frame: whether steps and packing are told apart from the inference, by its own clock */
  readonly isGpuTimed?: boolean;
}

export interface FrameResult {
  readonly frame: FrameInfo;
  readonly stages: readonly StageInfo[];
  readonly detections: RawDetections | null;
  readonly classifications: RawClassifications | null;
  readonly problems: readonly Problem[];
  readonly timings: FrameTimings;
  /** bytes of tensors that went to a live machine and came back; absent where the model runs here */
  readonly traffic?: TensorTraffic;
  /** what ran where; absent where the run failed */
  readonly placement?: Placement;
  /** whose pixels the source has: PNG and JPEG files are decoded here, as the machine does; all else is the browser's */
  readonly decodedBy?: 'sightglass' | 'browser';
  /** of a live frame: '' where its planes were read, else why colours were, in words that follow "because" */
  readonly whyColours?: string;
  /** of a still always, of a stream now and then */
  readonly verdicts?: RunVerdicts;
  /** grey levels of a 16×16 picture of the source, for rules that keep what differs */
  readonly grey?: Uint8Array;
  /** when the page got the result, ms since 1970; filled in by the client */
  readonly receivedAtMs?: number;
  /** when the frame came to the page, went to the worker and came back, ms of the page's own clock; filled in by the client */
  readonly offeredAtMs?: number;
  readonly givenAtMs?: number;
  readonly answeredAtMs?: number;
}

/** What the stage asks of the picture of a run. */
export interface PictureOrder {
  /** number of the run: later ones have higher ones */
  readonly runId: number;
  /** the picture need not be larger, px of the screen; null = in full */
  readonly within: PictureSize | null;
}

/** A frame's result with the picture for the stage; their bitmaps are transferred, the receiver closes them. */
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

/** A model was measured, by "auto" on both backends: it goes on under this description. */
export interface BackendDecided {
  readonly code: 'backend-decided';
  readonly model: ModelDescription;
}
