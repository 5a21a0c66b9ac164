import {
  listEntries,
  modelPathOf,
  modelServiceOf,
  type ModelSettings,
  readModelSettings,
  writeModelSettings,
} from '../../../machine/config/face/machine-config.ts';
import { setModelService } from '../../../machine/config/face/edits.ts';
import { type JsonObject, parseDocument, sameJson } from '../../../machine/config/face/json.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import type { ModelSource } from '../../../platform/ports/model-source.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { MemoryPort } from '../../kit/memory/remembered.ts';
import { AskedStates } from './asked-states.ts';
import { DescribedModels, isNamed } from './described-models.svelte.ts';
import type { InterpretationsState } from './interpretations-state.svelte.ts';
import type { LabelFile } from '../config/label-files.svelte.ts';
import type { LabelsState } from './labels-state.svelte.ts';
import type { ModelsState } from './models-state.svelte.ts';
import { ShelfRecords, type ShelfRecord } from './shelf-records.svelte.ts';
import { TensorNamesState } from './tensor-names-state.svelte.ts';
import { usualAttributes, usualSettings, usualVision } from './usual-settings.ts';

/** What the shelf uses of the bench. */
export interface ShelfBench {
  readonly config: ConfigState;
  readonly models: ModelsState;
  readonly labels: LabelsState;
  readonly interpretations: InterpretationsState;
}

/** A model that was on the stage, and the path that named it. */
interface Former {
  readonly model: ModelDescription;
  readonly path: string;
  /** the model service that the vision service named */
  readonly modelService: string | undefined;
}

/**
 * Which model the configuration describes, and what was set for each. Names, feeding, labels, box order and thresholds
 * belong to a model, known by the hash of its file. Where the bench wrote them, another model on the stage brings its own;
 * what a person imported stays until they say which model it is for.
 */
export class ModelShelf {
  readonly described: DescribedModels;
  readonly tensorNames: TensorNamesState;
  readonly #bench: ShelfBench;
  readonly #records: ShelfRecords;
  /** by service: the model before the present one */
  readonly #former: Record<string, Former> = {};
  /** by service: the last model of which a file was here, while a live machine's is on the stage */
  readonly #ranFile: Record<string, Former> = {};
  readonly #asked: AskedStates;
  /** the service whose model was opened while the configuration could not be read */
  #owedTo: string | null = null;
  /** the configuration's text when it was last asked whose it is */
  #askedText: string | null = null;

  constructor(bench: ShelfBench, memory: MemoryPort) {
    this.#bench = bench;
    this.#records = new ShelfRecords(memory);
    this.#asked = new AskedStates(bench);
    this.described = new DescribedModels(bench.config, bench.models, this.#records);
    this.tensorNames = new TensorNamesState(bench.config, bench.models);
    for (const service of Object.keys(bench.models.assigned)) this.entered(service);
  }

  /** The settings kept for a model; null: it was not on the stage here. */
  recordOf(sha256: string): ShelfRecord | null {
    return this.#records.of(sha256);
  }

  // A model comes and goes

  /** Before the model of a service is replaced or unloaded: what is set for it is put away. */
  leaving(service: string): void {
    const model = this.#bench.models.of(service);
    if (!model) return;
    const modelService = modelServiceOf(this.#entries, service)?.name;
    this.#former[service] = { model, path: this.#pathOf(service), modelService };
    this.#putAway(service, model);
  }

  /** After a service got a model, and whatever was written for it. */
  entered(service: string): void {
    const model = this.#bench.models.of(service);
    if (!model) return;
    const path = this.#pathOf(service);
    const former = this.#former[service];
    // A path that changed with the model was written with it, as a fit does.
    if (former && former.model.modelId !== model.modelId && former.path !== path && isNamed(path, model))
      this.#records.mean(path, { sha256: model.sha256, by: 'bench' });
    this.#bringLabels(service, model, (path, file) => this.#bench.config.labelFiles.put({ [path]: file }));
    this.#putAway(service, model);
  }

  /** A person put a model on the stage: it brings what is set for it, or they are asked whose the configuration is. */
  opened(service: string): void {
    const { config, interpretations, models } = this.#bench;
    const model = models.of(service);
    if (!model) return;
    this.#owedTo = config.broken ? service : null;
    if (config.broken) return;
    const { described } = this;
    const path = this.#pathOf(service);
    if (described.isNewerFile(path, model)) described.mean(path, model);
    if (model.format === null) return this.#openLive(service, model);
    const isForOther = described.isForOther(service, model);
    const isAfterLive = described.isWrittenHere(this.#beforeLive(service)?.path ?? '');
    if (isAfterLive || (isForOther && described.isWrittenHere(path))) this.#describe(service, model, true);
    else if (isForOther && described.differsFromImport(service, model)) {
      interpretations.dismiss();
      this.#asked.ask(service, model);
      this.#askedText = config.text;
    } else this.#writeNames(service);
  }

  /** After an edit, or when a configuration can be read again: keeps what is set, and writes what had to wait. */
  follow(): void {
    const { config, models } = this.#bench;
    if (config.broken) return;
    const owedTo = this.#owedTo;
    this.#owedTo = null;
    if (owedTo !== null && config.visionNames.includes(owedTo)) this.opened(owedTo);
    for (const service of config.visionNames) {
      const model = models.of(service);
      if (!model) continue;
      const other = this.described.otherOf(service);
      if (other && !other.isKept) this.#asked.goOnAsking(service, model);
      this.#putAway(service, model, this.#records.of(model.sha256)?.openedAtMs);
    }
  }

  // What a person answers

  /** The configuration of a service describes the model on the stage from now on, in one undo step. */
  describe(service: string): void {
    const { config, models } = this.#bench;
    const model = models.of(service);
    if (model && !config.broken) this.#describe(service, model);
  }

  #describe(service: string, model: ModelDescription, isExchanged = false): void {
    const { config, models } = this.#bench;
    const known = this.#records.of(model.sha256)?.settings ?? this.described.importedFor(service, model);
    const entries = listEntries(parseDocument(this.#runningFiles(service, config.text)));
    const usual = usualSettings(entries, service, model, models.isBuiltin(model));
    // A fragment shows no model service, and what was set in one names no file.
    const file = known?.file?.attributes['model_path'] === undefined ? usual.file : known.file;
    const present = modelServiceOf(entries, service)?.model;
    const module = file?.module === present ? undefined : file?.module;
    const words = [
      module && `Made the model service a ${module}, which runs such files.`,
      known && 'This model’s own settings are back.',
      !known && !sameJson(usual.vision, usualAttributes) && 'It is fed as its file says.',
      isExchanged && this.#hasOwn(service) && 'The settings of the model before are kept with it under Change.',
    ];
    const said = words.filter((sentence) => typeof sentence === 'string').join(' ');
    const settings = known ? { ...known, file } : usual;
    const since = isExchanged ? { settings, list: null } : this.#asked.addTo(service, model, settings);
    this.#write(service, model, since.settings, { words: said, isExchanged, list: since.list });
  }

  /** Whether more was set for the model before than what is set for every one. */
  #hasOwn(service: string): boolean {
    const { model } = this.#former[service] ?? {};
    const settings = model && !this.#bench.models.isBuiltin(model) && this.#records.of(model.sha256)?.settings;
    if (!settings) return false;
    const { remap_input_names: _, remap_output_names: __, ...own } = settings.vision as JsonObject;
    return !sameJson(own, usualVision(model));
  }

  /** The configuration of a service stays with the file that it names. */
  keep(service: string): void {
    const model = this.#bench.models.of(service);
    if (!model) return;
    this.#asked.forget(service);
    this.described.mean(this.#pathOf(service), model, 'person');
  }

  /**
   * Undo right after a model whose question is open: nothing was written for it that undo could take back, and the step before
   * stays. The question is closed, and the configuration stays as it is. Returns whether one was open.
   */
  closeQuestion(): boolean {
    const { config } = this.#bench;
    const other = this.described.otherOf(config.visionName ?? '');
    if (!other || other.isKept || this.#askedText !== config.text) return false;
    this.keep(other.service);
    return true;
  }

  /** Forgets a model: what was set for it, and its file in this browser. */
  async forget(sha256: string): Promise<void> {
    this.#records.forget(sha256);
    await this.#bench.models.forget(sha256);
  }

  // Writing

  #writeNames(service: string): void {
    this.tensorNames.write(service);
    this.#bench.interpretations.expect(service);
  }

  /** A live machine's model: a click names its service there. What the bench wrote for the model before is not for it. */
  #openLive(service: string, model: ModelDescription): void {
    const former = this.#former[service];
    if (former?.model.format) this.#ranFile[service] = former;
    if (!this.described.isWrittenHere(this.#pathOf(service))) return this.#writeNames(service);
    const { file } = readModelSettings(this.#bench.config.text, service);
    this.#write(service, model, { vision: usualAttributes, file }, { words: '', isExchanged: true, list: null });
  }

  #write(
    service: string,
    model: ModelDescription,
    settings: ModelSettings,
    {
      words,
      isExchanged,
      list,
    }: { readonly words: string; readonly isExchanged: boolean; readonly list: LabelFile | null },
  ): void {
    const before = isExchanged ? this.#former[service]?.model : undefined;
    const change = (text: string): string =>
      writeModelSettings(model.format ? this.#runningFiles(service, text) : text, service, settings);
    const path = settings.file?.attributes['model_path'];
    if (typeof path === 'string' && model.format) this.described.mean(path, model, 'bench');
    this.tensorNames.describe(service, {
      change,
      words,
      ...(before && before.modelId !== model.modelId && { beside: this.#exchange(service, before, model) }),
    });
    const give = ({ labels, from }: LabelFile) => this.#bench.labels.give(service, labels, from, { joins: true });
    if (list) give(list);
    else this.#bringLabels(service, model, (_, file) => give(file));
    this.#putAway(service, model);
    this.#bench.interpretations.expect(service);
  }

  /** The content of a label file, which another model may have under the same path, comes back with its model. */
  #bringLabels(service: string, model: ModelDescription, bring: (path: string, file: LabelFile) => void): void {
    const former = this.#former[service];
    const known = this.#records.of(model.sha256)?.labels;
    if (!known || !former || former.model.modelId === model.modelId) return;
    const { labels } = this.#bench;
    const source = labels.sourceOf(service);
    if (source.kind === 'numbers' || source.named.path !== known.path) return;
    if (source.kind !== 'file' || !sameJson(source.file, known.file)) bring(known.path, known.file);
  }

  #beforeLive(service: string): Former | undefined {
    return this.#former[service]?.model.format === null ? this.#ranFile[service] : undefined;
  }

  /** A text whose vision service runs files again, where it named a live machine's model. */
  #runningFiles(service: string, text: string): string {
    const { modelService } = this.#beforeLive(service) ?? {};
    return modelService === undefined ? text : setModelService(text, service, modelService);
  }

  /** Undo and redo bring the model that the configuration describes then. */
  #exchange(service: string, before: ModelDescription, after: ModelDescription) {
    const bring = (model: ModelDescription) => {
      const source = this.#sourceOf(model);
      return (): void => {
        const { models } = this.#bench;
        const path = this.#pathOf(service);
        // Undo and redo at once: the model that the first of them brings is still under way, and must not come after the second.
        if (models.of(service)?.modelId === model.modelId) return models.cancel();
        if (source) void models.swap(source, service, () => this.described.mean(path, model, 'bench'));
      };
    };
    return { undo: bring(before), redo: bring(after) };
  }

  /** A file on disk may change or go; the browser's own copy does not. */
  #sourceOf({ modelId, sha256, stored }: ModelDescription): ModelSource | null {
    return stored ? { kind: 'stored', sha256 } : this.#bench.models.sourceOf(modelId);
  }

  #putAway(service: string, model: ModelDescription, openedAtMs = Date.now()): void {
    const { config, labels } = this.#bench;
    if (config.broken || model.format === null) return;
    const before = this.#records.of(model.sha256);
    const path = this.#pathOf(service);
    const isDescribed =
      config.visionNames.includes(service) &&
      !this.described.isKept(path, model) &&
      !this.described.isForOther(service, model);
    if (isDescribed) this.described.mean(path, model, this.#records.meaningOf(path)?.by === 'bench' ? 'bench' : 'name');
    const source = labels.sourceOf(service);
    const content = source.kind === 'file' ? { path: source.named.path, file: source.file } : null;
    const record = {
      fileName: model.fileName,
      openedAtMs,
      settings: isDescribed ? readModelSettings(config.text, service) : (before?.settings ?? null),
      labels: isDescribed ? content : (before?.labels ?? null),
      inputs: model.inputs,
      outputs: model.outputs,
    };
    if (!sameJson(before, record)) this.#records.put(model.sha256, record);
  }

  get #entries() {
    return this.#bench.config.parsed.entries;
  }

  #pathOf(service: string): string {
    return modelPathOf(this.#entries, service);
  }
}
