// Port of the vision worker to the models that a browser keeps. Implemented in platform/browser, handed over by workers/vision/entry.ts.

export interface StoredModel {
  readonly sha256: string;
  readonly fileName: string;
  readonly byteLength: number;
  readonly storedAtMs: number;
}

export interface ModelStore {
  list(): Promise<readonly StoredModel[]>;
  /** null when it is not there */
  read(sha256: string): Promise<{ readonly blob: Blob; readonly fileName: string } | null>;
  /** @throws BrowserStoreError */
  write(model: StoredModel, blob: Blob): Promise<void>;
  remove(sha256: string): Promise<void>;
}
