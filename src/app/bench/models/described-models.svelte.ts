import {
  describesModel,
  listEntries,
  type MeantModel,
  type ModelMatch,
  modelPathOf,
  modelServiceOf,
  type ModelSettings,
  otherModelWords,
  readModelSettings,
} from '../../../machine/config/face/machine-config.ts';
import { parseDocument } from '../../../machine/config/face/json.ts';
import { sampleConfigText } from '../../../machine/config/face/edits.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import { BUILTIN_NAMES, type ModelsState } from './models-state.svelte.ts';
import type { ShelfRecords } from './shelf-records.svelte.ts';

/** The configuration of a service describes another model than the one that it runs here. */
export interface OtherModel {
  readonly service: string;
  readonly match: Extract<ModelMatch, { says: 'differs' }>;
  /** both, in a sentence */
  readonly words: string;
  /** the file that runs */
  readonly runs: string;
  /** a person said that the entry stays with the file that it names */
  readonly isKept: boolean;
  /** the file that is described, if this browser has it; null: it has not */
  readonly atHand: { readonly sha256: string; readonly fileName: string } | null;
}

type Entries = ReturnType<typeof listEntries>;

const samplePaths = new Set(Object.keys(BUILTIN_NAMES).map((id) => `${id}.onnx`));

/** Which model the configuration of each service describes, and whether it is the one that runs. */
export class DescribedModels {
  readonly #config: ConfigState;
  readonly #models: ModelsState;
  readonly #records: ShelfRecords;

  constructor(config: ConfigState, models: ModelsState, records: ShelfRecords) {
    this.#config = config;
    this.#models = models;
    this.#records = records;
  }

  // Compared as text, so that a threshold does not update the readers of paths.
  readonly #pathsText: string = $derived.by(() => {
    const config = this.#config;
    return JSON.stringify(config.visionNames.map((service) => [service, modelPathOf(config.parsed.entries, service)]));
  });
  readonly #paths = $derived(Object.fromEntries(JSON.parse(this.#pathsText) as readonly (readonly [string, string])[]));

  /** What the linter is told of the model behind the path that a service's configuration names; null: nothing is known. */
  meantBy(service: string): (MeantModel & { readonly path: string }) | null {
    const path = this.#paths[service] ?? '';
    const model = this.#models.of(service);
    const meaning = model && this.#meantFor(path, model);
    return meaning ? { ...meaning, path } : null;
  }

  #meantFor(path: string, { sha256 }: ModelDescription): MeantModel | null {
    const meaning = this.#records.meaningOf(path);
    if (!meaning) return null;
    if (meaning.by === 'person') return meaning.sha256 === sha256 ? { sha256 } : null;
    const record = this.#records.of(meaning.sha256);
    return { sha256: meaning.sha256, ...(record && { inputs: record.inputs, outputs: record.outputs }) };
  }

  /** Where the configuration describes another model than a service runs here. */
  readonly others: readonly OtherModel[] = $derived.by(() =>
    this.#config.visionNames.flatMap((service) => this.#otherOf(service) ?? []),
  );

  /** The one of a service; null: its configuration describes what it runs. */
  otherOf(service: string): OtherModel | null {
    return this.others.find((other) => other.service === service) ?? null;
  }

  #otherOf(service: string): OtherModel | null {
    const model = this.#models.of(service);
    if (!model) return null;
    const path = this.#paths[service] ?? '';
    const isKept = this.isKept(path, model);
    const match = this.#match(service, model, isKept ? null : this.#meantFor(path, model));
    if (match.says !== 'differs') return null;
    const meant = this.#records.meaningOf(path);
    const isFile = (stored: { readonly sha256: string; readonly fileName: string }): boolean =>
      meant && meant.by !== 'person' ? stored.sha256 === meant.sha256 : stored.fileName === match.meant;
    const atHand = this.#models.stored.find((stored) => stored.sha256 !== model.sha256 && isFile(stored)) ?? null;
    const where = service === this.#config.visionName ? 'on the stage is' : `${service} runs`;
    return { service, match, words: otherModelWords(match, where), runs: model.fileName, isKept, atHand };
  }

  #match(
    service: string,
    model: ModelDescription,
    meant: MeantModel | null,
    entries: Entries = this.#config.parsed.entries,
  ): ModelMatch {
    if (model.format) return describesModel(entries, service, model, meant ?? {});
    const name = modelServiceOf(entries, service)?.name ?? '';
    const isItsService = name === model.fileName;
    return isItsService
      ? { says: 'same', by: 'file-name', meant: name }
      : describesModel(entries, service, { ...model, fileName: '', sha256: '' });
  }

  /** Whether the configuration describes another model, and nobody said that it stays so. */
  isForOther(service: string, model: ModelDescription): boolean {
    const path = modelPathOf(this.#config.parsed.entries, service);
    return this.#match(service, model, this.#meantFor(path, model)).says === 'differs';
  }

  /** Whether a person said that a path stays with its own file while this model runs. */
  isKept(path: string, { sha256 }: ModelDescription): boolean {
    const meaning = this.#records.meaningOf(path);
    return meaning?.by === 'person' && meaning.sha256 === sha256;
  }

  /** Whether the bench wrote what the configuration says under a path; otherwise a person did. */
  isWrittenHere(path: string): boolean {
    const { importedText } = this.#config;
    if (importedText === sampleConfigText && samplePaths.has(path)) return true;
    return this.#records.meaningOf(path)?.by === 'bench' && !importedPaths(importedText).has(path);
  }

  /** What the bench wrote itself into an imported configuration, such as tensor names, does not make it one for another model. */
  differsFromImport(service: string, model: ModelDescription): boolean {
    const entries = listEntries(parseDocument(this.#config.importedText));
    const path = modelPathOf(entries, service);
    return this.#match(service, model, this.#meantFor(path, model), entries).says === 'differs';
  }

  /** What the imported configuration says of a model whose file was not opened under it; null: it is about another. */
  importedFor(service: string, model: ModelDescription): ModelSettings | null {
    const { importedText } = this.#config;
    const entries = listEntries(parseDocument(importedText));
    const isNamedThere = importedText !== sampleConfigText && isNamed(modelPathOf(entries, service), model);
    return isNamedThere ? readModelSettings(importedText, service) : null;
  }

  /** A model of the same name with the same tensors, such as one that was trained anew: what was set is for it, too. */
  isNewerFile(path: string, model: ModelDescription): boolean {
    const meaning = this.#records.meaningOf(path);
    const known = meaning && meaning.by !== 'person' ? this.#records.of(meaning.sha256) : null;
    if (!known || meaning?.sha256 === model.sha256 || known.fileName !== model.fileName) return false;
    return !this.#records.of(model.sha256)?.settings && tensorsText(known) === tensorsText(model);
  }

  /** From now on a path means this model. */
  mean(path: string, { sha256 }: ModelDescription, by = this.#records.meaningOf(path)?.by ?? 'name'): void {
    this.#records.mean(path, { sha256, by });
  }
}

export const isNamed = (path: string, { fileName }: Pick<ModelDescription, 'fileName'>): boolean =>
  path.split(/[/\\]/).at(-1) === fileName;

/** The model paths of a configuration. */
function importedPaths(text: string): ReadonlySet<unknown> {
  return new Set(
    listEntries(parseDocument(text)).flatMap(({ kind, attributes }) =>
      kind === 'mlmodel' ? [attributes['model_path']] : [],
    ),
  );
}

function tensorsText({ inputs, outputs }: Pick<ModelDescription, 'inputs' | 'outputs'>): string {
  return JSON.stringify([...inputs, ...outputs].map(({ name, dtype, shape }) => [name, dtype, shape]));
}
