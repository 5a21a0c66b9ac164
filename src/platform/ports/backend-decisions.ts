import type { Backend } from './inference-runtime.ts';

// Port of the vision worker to what was measured on earlier visits. Implemented in platform/browser, handed over by workers/vision/entry.ts.

/** Which backend runs a model faster on a GPU adapter, and what that was decided by. */
export interface BackendDecision {
  /** SHA-256 of the model's bytes, in hex */
  readonly sha256: string;
  readonly adapter: string;
  readonly backend: Backend;
  /** time of the whole path */
  readonly wasmMs: number;
  readonly webgpuMs: number;
  readonly largestDifference: number;
}

/** Where storage is blocked nothing is known, and nothing is kept: no call rejects. */
export interface BackendDecisions {
  /** Those of a model, one an adapter. */
  of(sha256: string): Promise<readonly BackendDecision[]>;
  keep(decision: BackendDecision): Promise<void>;
  /** So that the model is measured again. */
  forget(sha256: string): Promise<void>;
}
