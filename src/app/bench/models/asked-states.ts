import {
  modelPathOf,
  type ModelSettings,
  readModelSettings,
  withChanges,
} from '../../../machine/config/face/machine-config.ts';
import { sameJson } from '../../../machine/config/face/json.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { LabelFile } from '../config/label-files.svelte.ts';
import type { LabelsState } from './labels-state.svelte.ts';

interface AskedState {
  readonly modelId: string;
  /** text of the import; after another import the question is a new one */
  readonly importedText: string;
  readonly path: string;
  readonly settings: ModelSettings;
  readonly list: LabelFile | null;
}

/**
 * The settings of each service when the page asked which model its configuration describes. Whatever a person set or
 * dropped after that question was meant for the model on the stage, so it goes with that model.
 */
export class AskedStates {
  readonly #bench: { readonly config: ConfigState; readonly labels: LabelsState };
  readonly #states: Record<string, AskedState> = {};

  constructor(bench: { readonly config: ConfigState; readonly labels: LabelsState }) {
    this.#bench = bench;
  }

  /** Notes the settings: the configuration describes another model than the one that came to the stage. */
  ask(service: string, { modelId }: ModelDescription): void {
    this.#states[service] = this.#now(service, modelId);
  }

  /** Like `ask`, but keeps the settings noted before while the question is still the same. */
  goOnAsking(service: string, model: ModelDescription): void {
    if (!this.#of(service, model)) this.ask(service, model);
  }

  /** The person answered that the settings belong to the model that the configuration names. */
  forget(service: string): void {
    delete this.#states[service];
  }

  /** Adds to a model's settings what was set since the question. `list`: the label list that was given since; null: none. */
  addTo(service: string, model: ModelDescription, settings: ModelSettings) {
    const asked = this.#of(service, model);
    if (!asked) return { settings, list: null };
    const now = this.#now(service, model.modelId);
    return {
      settings: withChanges(settings, asked.settings, now.settings),
      list: sameJson(asked.list, now.list) ? null : now.list,
    };
  }

  #of(service: string, { modelId }: ModelDescription): AskedState | null {
    const { config } = this.#bench;
    const asked = this.#states[service];
    const isOfNow =
      asked?.modelId === modelId &&
      asked.importedText === config.importedText &&
      asked.path === modelPathOf(config.parsed.entries, service);
    return isOfNow ? asked : null;
  }

  #now(service: string, modelId: string): AskedState {
    const { config, labels } = this.#bench;
    const source = labels.sourceOf(service);
    return {
      modelId,
      importedText: config.importedText,
      path: modelPathOf(config.parsed.entries, service),
      settings: readModelSettings(config.text, service),
      list: source.kind === 'file' ? source.file : null,
    };
  }
}
