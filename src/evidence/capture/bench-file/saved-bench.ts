import type { RawResults } from '../../../machine/vision/face/results.ts';
import type { Capture } from '../capture.ts';

/** A bench in one file: everything that its results depend on, and the results. */
export interface SavedBench {
  readonly savedAtMs: number;
  readonly environment: BenchEnvironment;
  /** the machine configuration as JSON text, without secrets */
  readonly configText: string;
  readonly serviceName: string | null;
  readonly cameraName: string | null;
  readonly models: readonly SavedModel[];
  readonly frames: readonly SavedFrame[];
}

/** What the bench ran on. */
export interface BenchEnvironment {
  /** version of Sightglass */
  readonly version: string;
  /** browser or Node, by its own name */
  readonly host: string;
  readonly backend: 'wasm' | 'webgpu' | 'native' | 'live' | null;
}

export interface SavedModel {
  readonly serviceName: string;
  readonly fileName: string;
  readonly sha256: string;
  /** lines of the label file; null: no file, so that index numbers are used, as on the machine */
  readonly labels: readonly string[] | null;
  /** null: too large, or left out on request; the hash identifies it */
  readonly bytes: Uint8Array<ArrayBuffer> | null;
}

export interface SavedFrame {
  readonly capture: Capture;
  readonly image: Uint8Array<ArrayBuffer>;
  readonly raw: RawResults;
  /**
   * what `raw` is the result of: this image's bytes, or the live frame before it was encoded, whose results differ
   * a little
   */
  readonly rawOf: 'image' | 'live-frame';
}

export type BenchFileErrorCode = 'not-a-bench' | 'newer-version' | 'damaged' | 'too-large';

export class BenchFileError extends Error {
  override readonly name = 'BenchFileError';
  readonly code: BenchFileErrorCode;
  constructor(code: BenchFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export const benchFileVersion = 1;
