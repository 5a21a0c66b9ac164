import type { FrameInfo } from '../../machine/vision/face/frames.ts';

/** Ports of the page to where frames come from. Implemented in platform/browser, handed to the app by main.ts. */

export interface CameraDevice {
  readonly deviceId: string;
  /** '' until permission is given */
  readonly label: string;
}

export interface CameraRequest {
  readonly deviceId?: string;
  readonly widthPx?: number;
  readonly heightPx?: number;
}

export interface OpenCamera {
  readonly label: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly frameRate: number;
  /** transfer it to the worker */
  readonly frames: ReadableStream<VideoFrame>;
  /** Called when the device goes away (unplugged, taken). */
  onEnded(listener: () => void): void;
  /** Releases the device: its light goes out. */
  stop(): void;
}

export interface CameraPort {
  devices(): Promise<readonly CameraDevice[]>;
  /** @throws SourceError */
  open(request: CameraRequest): Promise<OpenCamera>;
}

/** A video file: plays, steps and seeks; every shown frame is delivered once. */
export interface OpenVideo {
  readonly name: string;
  readonly durationMs: number;
  readonly widthPx: number;
  readonly heightPx: number;
  loop: boolean;
  readonly playing: boolean;
  readonly positionMs: number;
  play(): Promise<void>;
  pause(): void;
  /** Moves by whole frames, forwards or backwards. */
  step(frames: number): Promise<void>;
  seek(positionMs: number): Promise<void>;
  /** The receiver owns the frame. */
  onFrame(listener: (frame: VideoFrame | ImageBitmap, info: FrameInfo) => void): void;
  onStateChange(listener: () => void): void;
  close(): void;
}

export interface VideoPort {
  /** @throws SourceError */
  open(file: Blob, name: string): Promise<OpenVideo>;
}

/** One still, opened only when it is shown: a folder of thousands costs nothing until then. */
export interface StillFrame {
  readonly name: string;
  blob(): Promise<Blob>;
}

/** The subject of the photographs that come with the app; a built-in detector finds it. */
export type SampleKind = 'faces' | 'things';

export interface StillPort {
  /** The photographs that come with the app. */
  builtin(kind: SampleKind): Promise<readonly StillFrame[]>;
  /** @throws SourceError */
  fromUrl(url: string): Promise<StillFrame>;
}

export type SourceErrorCode =
  | 'not-allowed'
  | 'not-found'
  | 'not-readable'
  | 'overconstrained'
  | 'insecure-page'
  | 'unsupported' // no such API in this browser, or no decoder for this file
  | 'network'
  | 'aborted';

/** Says what failed, what was received and the cure, in words for the person at the page. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly code: SourceErrorCode;
  readonly cure: string;
  constructor(code: SourceErrorCode, message: string, cure: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.cure = cure;
  }
}
