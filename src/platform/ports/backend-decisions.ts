import type { Backend } from './inference-runtime.ts';

// Port of the vision worker to what was measured on earlier visits. Implemented in platform/browser, handed over by workers/vision/entry.ts.

/** Which backend runs a model faster on a GPU adapter, and what that was decided by. */
export interface BackendDecision {
  /** SHA-256 of the model's bytes, in hex */
  readonly sha256: string;
  readonly adapter: string;
  /** versions of all that computes; a decision made with others counts for nothing */
  readonly runtime: string;
  readonly backend: Backend;
  /** time of the whole path */
  readonly wasmMs: number;
  readonly webgpuMs: number;
  readonly largestDifference: number;
}

/** What the last comparison of a model's results on the GPU with the CPU's decided. */
export interface Admission {
  /** '': the same but for rounding; else what the GPU gave, as a sentence */
  readonly fault: string;
  /** ms since 1970 */
  readonly decidedAtMs: number;
  /** name of the frame that was compared */
  readonly frameName: string;
  readonly widthPx: number;
  readonly heightPx: number;
  /** versions of all that computes; an admission made with others counts for nothing */
  readonly runtime: string;
}

export interface KeptAdmission extends Admission {
  /** SHA-256 of the model's bytes, in hex */
  readonly sha256: string;
  readonly adapter: string;
}

/** Where storage is blocked nothing is known, and nothing is kept: no call rejects. */
export interface BackendDecisions {
  /** Those of a model, one an adapter. */
  of(sha256: string): Promise<readonly BackendDecision[]>;
  keep(decision: BackendDecision): Promise<void>;
  /** The last one of a model on each adapter. */
  admissionsOf(sha256: string): Promise<readonly KeptAdmission[]>;
  keepAdmission(admission: KeptAdmission): Promise<void>;
  /** So that the model is measured, and admitted, again. */
  forget(sha256: string): Promise<void>;
}
