import { untrack } from 'svelte';
import { nameLabelFile } from '../../../config/edit-config.ts';
import { besideModel, labelFileName, labelFileOf, type NamedLabelFile } from '../../../config/label-file.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import { BUILTIN_NAMES, type ModelsState } from './models-state.svelte.ts';

/** The content of a label file of the machine. */
export interface LabelFile {
  readonly labels: readonly string[];
  /** "coco80.labels.txt", "typed here" or "the model’s own names" */
  readonly from: string;
}

/** Where the labels of a service come from. */
export type LabelSource =
  | { readonly kind: 'numbers' } // no label file is named
  // one is named whose content is not here; `isOfSample`: it is that of a model of the app, and the service runs another
  | { readonly kind: 'missing'; readonly named: NamedLabelFile; readonly isOfSample: boolean }
  | { readonly kind: 'file'; readonly named: NamedLabelFile; readonly file: LabelFile };

const MOST_REMEMBERED = 12;

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
  readonly #memory: MemoryPort;
  #given = $state.raw<Readonly<Record<string, LabelFile>>>({});

  constructor(config: ConfigState, models: ModelsState, memory: MemoryPort) {
    this.#config = config;
    this.#models = models;
    this.#memory = memory;
    this.#given = readRemembered(recall(memory, 'labels'));
  }

  sourceOf(service: string): LabelSource {
    const named = labelFileOf(this.#config.parsed.entries, service);
    if (!named) return { kind: 'numbers' };
    const file = this.#given[named.path] ?? this.#ownFile(service, named.path);
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
    void this.#given;
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
   * Sets the content of the service's label file, and names a file in the configuration if it names none. An empty
   * list removes the content. false: the configuration cannot be read, so that no file can be named.
   */
  give(
    service: string,
    labels: readonly string[],
    from: string,
    fileName = labelFileName(this.#modelFileName(service)),
  ): boolean {
    const source = this.sourceOf(service);
    const isOfBuiltin = source.kind === 'missing' && source.isOfSample;
    if (source.kind !== 'numbers' && !isOfBuiltin) {
      this.#keep(source.named.path, labels.length > 0 ? { labels, from } : null);
      return true;
    }
    if (labels.length === 0 || !this.#config.visionNames.includes(service)) return true;
    const path = besideModel(this.#config.parsed.entries, service, fileName);
    const isNamed = this.#config.edit(`Label file ${fileName}`, (json) => nameLabelFile(json, service, path));
    if (isNamed) this.#keep(path, { labels, from });
    return isNamed;
  }

  /** Makes a label file of the names inside the model file, and names it in the configuration. */
  useOffered(service: string): void {
    const model = this.#models.of(service);
    if (!model?.labels || !this.#config.visionNames.includes(service)) return;
    const path = besideModel(this.#config.parsed.entries, service, labelFileName(model.fileName));
    if (this.#config.edit('Labels of the model', (json) => nameLabelFile(json, service, path))) this.#keep(path, null);
  }

  /** Forgets the content for a path: a label file named after a model then has that model's own names. */
  forget(path: string): void {
    this.#keep(path, null);
  }

  /** Removes the label file from the configuration: index numbers are used. */
  useNumbers(service: string): void {
    this.#config.edit('No label file', (json) => nameLabelFile(json, service, ''));
  }

  #modelFileName(service: string): string {
    return this.#models.of(service)?.fileName ?? 'model.onnx';
  }

  #ownFile(service: string, path: string): LabelFile | null {
    const model = this.#models.of(service);
    if (!model?.labels || baseName(path) !== labelFileName(model.fileName)) return null;
    return { labels: model.labels, from: 'the model’s own names' };
  }

  #keep(path: string, file: LabelFile | null): void {
    const others = Object.entries(this.#given).filter(([other]) => other !== path);
    this.#given = Object.fromEntries(file ? [...others, [path, file]] : others);
    remember(this.#memory, 'labels', Object.fromEntries(Object.entries(this.#given).slice(-MOST_REMEMBERED)));
  }
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function readRemembered(value: unknown): Readonly<Record<string, LabelFile>> {
  if (typeof value !== 'object' || value === null) return {};
  const isFile = (file: Partial<LabelFile> | null): boolean =>
    typeof file?.from === 'string' &&
    Array.isArray(file.labels) &&
    file.labels.every((label) => typeof label === 'string');
  return Object.fromEntries(Object.entries(value).filter(([, file]) => isFile(file as Partial<LabelFile> | null)));
}
