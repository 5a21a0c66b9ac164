import type { BackendDecisions } from '../../../src/platform/ports/backend-decisions.ts';
import type { ModelStore } from '../../../src/platform/ports/model-store.ts';
import type { Frame } from '../../../src/machine/vision/face/frames.ts';
import type { StretchKernel } from '../../../src/machine/vision/face/feeding.ts';
import type { ThreadedRuntime } from '../../inference/client.ts';
import type { ModelDescription } from '../protocol.ts';

/** What the loaded models need from outside. */
export interface LoadedModelsPorts {
  readonly runtime: ThreadedRuntime;
  readonly store: ModelStore;
  readonly decisions: BackendDecisions;
  /** versions of all that computes: what was decided with others counts for nothing */
  readonly runtimeVersion: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>;
  readonly kernel: StretchKernel;
  readonly nowMs: () => number;
  readonly documentBase: string;
  /** the picture that models are tried on */
  readonly trialFrame: () => Frame;
  /** Resolves when nothing runs on an unloaded model any more. */
  readonly whenUnused: () => Promise<void>;
  /** Called when a model failed on a GPU that still works, and continues on the CPU. */
  readonly onGpuLeft: (fileName: string, reason: string) => void;
  /** Called when the description of a loaded model changed. */
  readonly onDescribed: (model: ModelDescription) => void;
}
