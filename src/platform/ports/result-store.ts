import type { RawImage } from './raw-image.ts';

// Port of the page to the raw results of evaluations. Implemented in platform/browser, handed over by main.ts.

/** A run that reached its end: what made the results that are kept under its key. */
export interface RunRecord {
  /** key of the `ReadyModel` that made the results */
  readonly key: string;
  readonly datasetId: string;
  readonly serviceName: string;
  /** file name of the model */
  readonly modelName: string;
  /** digest of the model's bytes, in hex; '': unknown */
  readonly sha256: string;
  /** where the model ran, in words: "WASM", "WebGPU", or a machine's host */
  readonly backend: string;
  /** the configuration, without its secrets; the thresholds of the service are in it */
  readonly configText: string;
  /** how many images have results */
  readonly imageCount: number;
  /** ms since 1970 */
  readonly endedMs: number;
}

/**
 * Raw results by model and image, so that neither a threshold nor another visit runs a model again. They can all be
 * made again: a store that fails loses nothing, and finds nothing.
 */
export interface ResultStore {
  /** @param key of the `ReadyModel` that made them */
  find(key: string, imageIds: readonly string[]): Promise<ReadonlyMap<string, RawImage>>;
  /** Resolves to false where it could not be kept, as on a full disk. */
  put(key: string, imageId: string, result: RawImage): Promise<boolean>;
  /** The runs of a dataset whose results are kept, the latest first. */
  records(datasetId: string): Promise<readonly RunRecord[]>;
  /** Notes a run, in place of the one of the same key and dataset. Resolves to false where it could not be kept. */
  note(record: RunRecord): Promise<boolean>;
}
