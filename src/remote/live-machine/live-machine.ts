import type { Classification, Detection } from '../../machine/vision/face/results.ts';
import type { Tensor } from '../../machine/vision/face/feeding.ts';

/** A real machine that answers over the network. Every call rejects with a LinkError. */
export interface LiveMachine {
  /** The route of its answers; null: there is no connection at the moment. */
  route(): Promise<LinkRoute | null>;
  /** Closes the connection; later calls fail. */
  close(): void;
  /** Name of the BroadcastChannel by which workers call it, if only the page can; absent: they call its address. */
  readonly channel?: string;
  /** Which server it runs. */
  version(signal: AbortSignal): Promise<MachineVersion>;
  resources(signal: AbortSignal): Promise<readonly LiveResource[]>;
  health(signal: AbortSignal): Promise<MachineHealth>;
  /** The part of an account that it is; null where it has its configuration from a file, or does not say. */
  partId(signal: AbortSignal): Promise<string | null>;
  /** The next images of a camera, one a source of it. */
  images(cameraName: string, signal: AbortSignal): Promise<readonly LiveImage[]>;
  visionAbilities(visionName: string, signal: AbortSignal): Promise<VisionAbilities>;
  /**
   * A frame, and what a vision service says of it. A camera that hands out pixels (a webcam, a file, a transform) has its
   * frame encoded for the answer: the service then saw what the bytes were made of, and `answerTo` says what it makes of them.
   */
  captureAll(request: CaptureRequest, signal: AbortSignal): Promise<LiveCapture>;
  /** What a vision service says of an image that is sent to it, a JPEG or a PNG. */
  answerTo(image: LiveImage, request: AnswerRequest, signal: AbortSignal): Promise<FrameAnswer>;
  modelMetadata(modelName: string, signal: AbortSignal): Promise<LiveModelMetadata>;
  /** Runs a model there. Tensors are keyed by the names that the machine has of them. */
  infer(
    modelName: string,
    tensors: Readonly<Record<string, Tensor>>,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, Tensor>>>;
}

/** The calls that running a model on a machine needs. */
export type ModelHost = Pick<LiveMachine, 'health' | 'modelMetadata' | 'infer' | 'close'>;

/** The route to a machine: HTTP, or WebRTC within the local network, directly between networks, or by a relay. */
export interface LinkRoute {
  readonly kind: 'http' | 'local' | 'direct' | 'relayed';
  /** ms; null: not measured */
  readonly roundTripMs: number | null;
  /** bytes received since the connection opened; null: not measured */
  readonly receivedBytes: number | null;
}

/** What an attempt to connect by WebRTC waits for: the signalling service, the machine, a working route. */
export type DialStep = 'asking' | 'calling' | 'connecting';

export interface MachineVersion {
  /** "rdk" */
  readonly platform: string;
  /** "v0.85.0", or words of a build that was never released */
  readonly version: string;
  readonly apiVersion: string;
}

export interface LiveResource {
  /** "rdk:component:camera" */
  readonly api: string;
  readonly name: string;
}

/** The kinds of resources that the app asks for. */
export const resourceApis = {
  camera: 'rdk:component:camera',
  vision: 'rdk:service:vision',
  mlmodel: 'rdk:service:mlmodel',
} as const;

export interface MachineHealth {
  readonly isRunning: boolean;
  /** a name of the configuration that it has; '' where it says none */
  readonly revision: string;
  readonly resources: readonly ResourceHealth[];
}

export interface ResourceHealth extends LiveResource {
  readonly isReady: boolean;
  /** when its state changed last, ms since 1970 by the machine's clock; null where it does not say */
  readonly updatedAtMs: number | null;
  /** revision of the configuration that the resource was built from */
  readonly revision: string;
  /** '' when it is well */
  readonly error: string;
}

export interface LiveImage {
  /** '' where the camera has one source */
  readonly sourceName: string;
  /** the type as the machine says it: image/jpeg, image/png, image/vnd.viam.rgba, image/vnd.viam.dep */
  readonly mediaType: string;
  /** just what the machine sent */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** ms since 1970; null where the machine does not say */
  readonly capturedAtMs: number | null;
}

export interface VisionAbilities {
  readonly classifies: boolean;
  readonly detects: boolean;
  /** the service's camera_name; '' where it has none */
  readonly defaultCamera: string;
}

export interface AnswerRequest {
  readonly visionName: string;
  readonly abilities: VisionAbilities;
}

export interface CaptureRequest extends AnswerRequest {
  /** '' = the service's own */
  readonly cameraName: string;
}

/** What a machine says of one frame, in its own order. */
export interface FrameAnswer {
  /** null = the service is no detector */
  readonly detections: readonly Detection[] | null;
  /** null = the service is no classifier */
  readonly classifications: readonly Classification[] | null;
}

/** What the same frame gives here. */
export interface AnswerHere extends FrameAnswer {
  /** width of the frame */
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface LiveCapture extends FrameAnswer {
  readonly image: LiveImage;
}

export interface LiveModelMetadata {
  readonly name: string;
  readonly type: string;
  readonly inputs: readonly LiveTensorInfo[];
  readonly outputs: readonly LiveTensorInfo[];
}

export interface LiveTensorInfo {
  readonly name: string;
  /** "float32" and the like, as its module says */
  readonly dataType: string;
  /** -1 = any */
  readonly shape: readonly number[];
  /** names of files that say its labels */
  readonly labelFiles: readonly string[];
}
