import { readModelSettings, withChanges, type ModelSettings } from '../../../config/model-settings.ts';
import { sameJson } from '../../../config/json-patch.ts';
import { modelPathOf } from '../../../config/label-file.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { LabelFile } from '../config/label-files.svelte.ts';
import type { LabelsState } from './labels-state.svelte.ts';

interface AskedState {
  readonly modelId: string;
  /** as imported: another one is about another question */
  readonly importedText: string;
  readonly path: string;
  readonly settings: ModelSettings;
  readonly list: LabelFile | null;
}

/**
 * By service, what a configuration said when it was asked whose it is. What was set or dropped since then was set with
 * the model on the stage in view, and goes with it.
 */
export class AskedStates {
  readonly #bench: { readonly config: ConfigState; readonly labels: LabelsState };
  readonly #states: Record<string, AskedState> = {};

  constructor(bench: { readonly config: ConfigState; readonly labels: LabelsState }) {
    this.#bench = bench;
  }

  /** A model came for which the configuration is not. */
  ask(service: string, { modelId }: ModelDescription): void {
    this.#states[service] = this.#now(service, modelId);
  }

  /** Like `ask`, unless it is the same question still. */
  goOnAsking(service: string, model: ModelDescription): void {
    if (!this.#of(service, model)) this.ask(service, model);
  }

  /** They answered that what is set is for the model that is named. */
  forget(service: string): void {
    delete this.#states[service];
  }

  /** What a model is described by, with what was set since the question, and the list that was given since; null: none. */
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
