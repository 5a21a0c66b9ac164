import type { RawResults } from '../../vision/sighting.ts';
import type { Capture } from '../capture.ts';

/** Everything that a bench's results follow from, and the results: one file. */
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

/** On what it ran. */
export interface BenchEnvironment {
  /** of Sightglass */
  readonly version: string;
  /** browser or Node, as it names itself */
  readonly host: string;
  readonly backend: 'wasm' | 'webgpu' | 'native' | 'live' | null;
}

export interface SavedModel {
  readonly serviceName: string;
  readonly fileName: string;
  readonly sha256: string;
  /** the label file's, as it was given; null = none, so that index numbers are said, as on the machine */
  readonly labels: readonly string[] | null;
  /** null = too large or not wanted in the file: the hash names it */
  readonly bytes: Uint8Array<ArrayBuffer> | null;
}

export interface SavedFrame {
  readonly capture: Capture;
  readonly image: Uint8Array<ArrayBuffer>;
  readonly raw: RawResults;
  /** what `raw` was made of: these very bytes, or the live frame before it was encoded, whose results differ a little */
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
