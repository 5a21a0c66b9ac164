import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { BenchPlan } from '../../../../workers/vision/protocol.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { ModelShelf } from '../models/model-shelf.svelte.ts';
import type { ModelsState } from '../models/models-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import type { ViewState } from '../view/view-state.svelte.ts';
import type { BackendsPort } from './backends-port.ts';

/** What the parts in this folder use of the bench. */
export interface BackendsBench {
  readonly config: ConfigState;
  readonly models: ModelsState;
  readonly openBackends: () => Promise<BackendsPort>;
  readonly plan: BenchPlan;
  /** the tuned service */
  readonly serviceName: string;
  readonly session: SessionState;
  /** null: not loaded yet */
  readonly shelf: ModelShelf | null;
  readonly sources: SourcesState;
  readonly view: ViewState;
  readonly vision: VisionClient;
}
