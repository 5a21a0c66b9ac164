import { untrack } from 'svelte';
import { nameLabelFile } from '../../../machine/config/face/edits.ts';
import {
  besideModel,
  labelFileName,
  labelFileOf,
  type NamedLabelFile,
} from '../../../machine/config/face/machine-config.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { LabelFile } from '../config/label-files.svelte.ts';
import { BUILTIN_NAMES, type ModelsState } from './models-state.svelte.ts';

/** Where the labels of a service come from. */
export type LabelSource =
  | { readonly kind: 'numbers' } // no label file is named
  // one is named whose content is not here; `isOfSample`: it is that of a model of the app, and the service runs another
  | { readonly kind: 'missing'; readonly named: NamedLabelFile; readonly isOfSample: boolean }
  | { readonly kind: 'file'; readonly named: NamedLabelFile; readonly file: LabelFile };

/** How a list is given. */
interface Giving {
  /** name of the label file where the configuration names none; default: after the model */
  readonly fileName?: string | undefined;
  /** part of the undo step before it */
  readonly joins?: boolean;
}

/** A list that is taken only if a person says so. */
export interface DoubtfulList {
  readonly service: string;
  readonly modelId: string | undefined;
  readonly labels: readonly string[];
  readonly from: string;
  readonly fileName?: string | undefined;
  /** what does not seem to fit, in sentences */
  readonly doubt: string;
  /** whether there is a list that stays in force otherwise */
  readonly hasFormer: boolean;
}

/**
 * The example's configuration names the label file of its own model: labels for another model do not belong in it.
 */
const builtinFiles = Object.keys(BUILTIN_NAMES).map((id) => labelFileName(`${id}.onnx`));

/**
 * The labels that the machine will use: those of the label file in the configuration, otherwise index numbers. File
 * contents are stored here by path. The names inside a model file are only suggestions until someone makes a label
 * file of them; that file is named after the model, so a file of that name has this content unless another was
 * given.
 */
export class LabelsState {
  readonly #config: ConfigState;
  readonly #models: ModelsState;
  /** a list that a person gave and that does not seem to fit; null: none waits for an answer */
  #doubtful = $state.raw<DoubtfulList | null>(null);

  constructor(config: ConfigState, models: ModelsState) {
    this.#config = config;
    this.#models = models;
  }

  sourceOf(service: string): LabelSource {
    const named = labelFileOf(this.#config.parsed.entries, service);
    if (!named) return { kind: 'numbers' };
    const file = this.#config.labelFiles.at(named.path) ?? this.#ownFile(service, named.path);
    if (file) return { kind: 'file', named, file };
    return { kind: 'missing', named, isOfSample: builtinFiles.includes(baseName(named.path)) };
  }

  /** The machine's labels; null: index numbers, or a label file whose content is not here. */
  of(service: string): readonly string[] | null {
    const labels = this.byService[service];
    return labels && labels.length > 0 ? labels : null;
  }

  /** Names inside the model file, if the machine uses numbers; null: none. */
  offered(service: string): readonly string[] | null {
    return this.of(service) === null ? (this.#models.of(service)?.labels ?? null) : null;
  }

  /** The name that the model file suggests for the machine's number; '': none. */
  offeredName(service: string, label: string): string {
    return (/^\d+$/.test(label) && this.offered(service)?.[Number(label)]) || '';
  }

  /** The text shown for a label: the machine's label, and after a number the model file's suggestion. */
  nameOf(service: string, label: string): string {
    const offered = this.offeredName(service, label);
    return offered ? `${label} (${offered}?)` : label;
  }

  readonly #paths: string = $derived.by(() =>
    JSON.stringify(
      this.#config.visionNames.map((service) => labelFileOf(this.#config.parsed.entries, service)?.path ?? null),
    ),
  );

  /** By vision service; a new object only if labels changed, so that a threshold does not change the plan. */
  readonly byService: Readonly<Record<string, readonly string[] | null>> = $derived.by(() => {
    void this.#paths;
    void this.#config.labelFiles.given;
    void this.#models.inMemory;
    void this.#models.assigned;
    return untrack(() => Object.fromEntries(this.#config.visionNames.map((name) => [name, this.#contentOf(name)])));
  });

  /** Like `of`, but [] for an empty file: a file that the vision service names must exist, even if it is empty. */
  #contentOf(service: string): readonly string[] | null {
    const source = this.sourceOf(service);
    return source.kind === 'file' ? source.file.labels : null;
  }

  /**
   * Sets the content of the service's label file in one undo step, and names a file in the configuration if it names
   * none. An empty list removes the content. false: the configuration cannot be read, so that nothing of it changes.
   */
  give(service: string, labels: readonly string[], from: string, { fileName, joins }: Giving = {}): boolean {
    this.#doubtful = null;
    const source = this.sourceOf(service);
    const isOfBuiltin = source.kind === 'missing' && source.isOfSample;
    const title = labels.length > 0 ? `Label list ${fileName ?? from}` : 'Remove the label list';
    if (source.kind !== 'numbers' && !isOfBuiltin) {
      const { path } = source.named;
      const file = labels.length > 0 ? { labels, from } : null;
      if (sameFile(file, this.#config.labelFiles.at(path))) return true;
      return this.#config.edit(title, (json) => json, { labelFiles: { [path]: file }, joins });
    }
    if (labels.length === 0 || !this.#config.visionNames.includes(service)) return true;
    const name = fileName ?? labelFileName(this.#modelFileName(service));
    const path = besideModel(this.#config.parsed.entries, service, name);
    const labelFiles = { [path]: { labels, from } };
    return this.#config.edit(title, (json) => nameLabelFile(json, service, path), { labelFiles, joins });
  }

  /** A list that waits for the person's answer; null: none, or its model or service is no longer tuned. */
  get doubtful(): DoubtfulList | null {
    const doubtful = this.#doubtful;
    const isOfNow =
      doubtful?.service === (this.#config.visionName ?? '') &&
      doubtful.modelId === this.#models.of(doubtful.service)?.modelId;
    return isOfNow ? doubtful : null;
  }

  /** Asks whether a list is to be taken all the same. */
  ask(doubtful: Omit<DoubtfulList, 'modelId'>): void {
    this.#doubtful = { ...doubtful, modelId: this.#models.of(doubtful.service)?.modelId };
  }

  /** The answer: take the list that was asked about, or keep what there is. */
  answer(isTaken: boolean): void {
    const { doubtful } = this;
    this.#doubtful = null;
    if (isTaken && doubtful) this.give(doubtful.service, doubtful.labels, doubtful.from, doubtful);
  }

  /** Makes a label file of the names inside the model file, and names it in the configuration. */
  useOffered(service: string): void {
    const model = this.#models.of(service);
    if (!model?.labels || !this.#config.visionNames.includes(service)) return;
    const path = besideModel(this.#config.parsed.entries, service, labelFileName(model.fileName));
    const labelFiles = { [path]: null };
    this.#config.edit('Labels of the model', (json) => nameLabelFile(json, service, path), { labelFiles });
  }

  /** Removes the label file from the configuration: index numbers are used. */
  useNumbers(service: string): void {
    this.#config.edit('Remove the label file', (json) => nameLabelFile(json, service, ''));
  }

  #modelFileName(service: string): string {
    return this.#models.of(service)?.fileName ?? 'model.onnx';
  }

  #ownFile(service: string, path: string): LabelFile | null {
    const model = this.#models.of(service);
    if (!model?.labels || baseName(path) !== labelFileName(model.fileName)) return null;
    return { labels: model.labels, from: 'the model’s own names' };
  }
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const sameFile = (a: LabelFile | null, b: LabelFile | null): boolean =>
  a === b || (a?.from === b?.from && JSON.stringify(a?.labels) === JSON.stringify(b?.labels));
