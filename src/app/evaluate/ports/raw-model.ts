import type { RawImage } from '../../../platform/ports/raw-image.ts';

/** A model by its names. */
export interface NamedModel {
  readonly serviceName: string;
  /** file name of the model; '': none is loaded */
  readonly modelName: string;
}

/** A vision service with its model, camera and steps, ready to run on images. */
export interface ReadyModel extends NamedModel {
  /**
   * Equal for equal results but for the names of their classes: it covers the model's bytes, where it runs, and all of the configuration
   * that decides them.
   */
  readonly key: string;
  /** hash of the model's bytes, in hex; '': unknown */
  readonly sha256: string;
  /** the camera of the configuration that images go through; null: none */
  readonly cameraName: string | null;
  /** files of the service and of those that its camera's steps draw, its own first */
  readonly models: readonly { readonly service: string; readonly name: string; readonly sha256: string }[];
  /** every score is 1, as of a colour detector: no threshold changes anything; absent: they differ */
  readonly scoresAreOne?: boolean;
  /** where it runs, in words: "WASM", "WebGPU", or a machine's host */
  readonly backend: string;
  /** the configuration as it is written: the one in force as long as it gives equal results, then the last that did */
  readonly configText: string;
  /** What would run now gives equal results; false: the bench has another model or setup since. */
  readonly isInForce: boolean;
  /** what would run now */
  readonly onBench: NamedModel;
  /** equal while the service, its labels and its camera's steps are; shorter than `key`, and without other services */
  readonly setup: string;
  /** Results that were kept under the same key, with their classes named as they would be now; null: the image has to be run again. */
  rename(kept: RawImage): RawImage | null;
  /** Rejects with a ModelRunError, or with the decoder's error for an image that cannot be read. */
  run(image: Blob, name: string): Promise<RawImage>;
}

/** Loads what is configured. Rejects with a ModelRunError that says what is missing. */
export type PrepareModel = () => Promise<ReadyModel>;
