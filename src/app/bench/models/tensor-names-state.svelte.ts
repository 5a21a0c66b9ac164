import { setModelAttributes, setModelFile } from '../../../machine/config/face/edits.ts';
import { modelServiceOf, parseMachineConfig } from '../../../machine/config/face/machine-config.ts';
import { nameTensors, type TensorNames } from '../../../models/fit/interpretations/name-tensors.ts';
import type { ConfigState, EditOptions } from '../config/config-state.svelte.ts';
import { fitKey } from './fit-key.ts';
import type { ModelsState } from './models-state.svelte.ts';
import { moduleForOtherFormat, type ModelServiceFile } from './other-format.ts';

type Remap = Readonly<Record<string, string>>;

interface Written {
  readonly service: string;
  readonly modelId: string;
  readonly names: TensorNames;
  /** the model service's new module and file, if it ran files of another format; null: it did not */
  readonly file: ModelServiceFile | null;
  /** the label of the undo step */
  readonly label: string;
  /** the other changes of the same edit, in sentences */
  readonly besides: string;
}

/** What makes a configuration describe another model. */
export interface Describing extends EditOptions {
  readonly change: (text: string) => string;
  /** what it writes, in sentences */
  readonly words: string;
}

/**
 * The tensor names and the model module that a model needs in the configuration: written when it is loaded,
 * reported in one line, reverted by undo.
 */
export class TensorNamesState {
  readonly #config: ConfigState;
  readonly #models: ModelsState;
  #written = $state.raw<Written | null>(null);

  constructor(config: ConfigState, models: ModelsState) {
    this.#config = config;
    this.#models = models;
  }

  /** The names that the configuration lacks for the machine to find the tensors of a service's model; {}: none. */
  missing(service: string): TensorNames {
    const config = this.#serviceNamed(service);
    const model = this.#models.of(service);
    return config && model ? nameTensors(model, config) : {};
  }

  /** Writes what is missing, as one undo step. */
  write(service: string): void {
    const names = this.missing(service);
    const model = this.#models.of(service);
    const file = model ? moduleForOtherFormat(this.#config.parsed.entries, service, model) : null;
    if (!model || (Object.keys(names).length === 0 && !file)) return;
    const label = `${file ? 'Module' : 'Tensor names'} of ${model.fileName}`;
    const edit = (text: string) => {
      const named = setModelAttributes(text, service, names);
      return file ? setModelFile(named, service, file.module, file.path) : named;
    };
    // What the first run reveals about the outputs joins this step (InterpretationsState).
    if (!this.#config.edit(label, edit, { coalesce: fitKey(model.modelId) })) return;
    this.#written = { service, modelId: model.modelId, names, file, label, besides: '' };
  }

  /** Makes the configuration describe a service's model, the names of its tensors included, as one undo step. */
  describe(service: string, { change, words, ...options }: Describing): void {
    const model = this.#models.of(service);
    if (!model) return;
    const { config } = parseMachineConfig(change(this.#config.text));
    const described = config.visionServices.find(({ name }) => name === service);
    const names = described ? nameTensors(model, described) : {};
    const label = `Model ${model.fileName}`;
    const edit = (text: string): string => setModelAttributes(change(text), service, names);
    if (this.#config.edit(label, edit, { coalesce: fitKey(model.modelId), ...options }))
      this.#written = { service, modelId: model.modelId, names, file: null, label, besides: words };
  }

  /** The names and module written for a service's model, in words, while they are in force; '': none. */
  said(service: string): string {
    const written = this.#standing(service);
    return written ? wordsOf(written) : '';
  }

  /** Whether undo would revert exactly that. */
  canTakeBack(service: string): boolean {
    return this.#standing(service)?.label === this.#config.undoLabel;
  }

  takeBack(service: string): void {
    if (this.canTakeBack(service)) this.#config.undo();
  }

  #standing(service: string): Written | null {
    const written = this.#written;
    const config = this.#serviceNamed(service);
    if (!written || !config || written.service !== service) return null;
    if (this.#models.of(service)?.modelId !== written.modelId) return null;
    const module = modelServiceOf(this.#config.parsed.entries, service)?.model;
    if (written.file && written.file.module !== module) return null;
    const { remapInputNames = config.remapInputNames, remapOutputNames = config.remapOutputNames } = written.names;
    return same(remapInputNames, config.remapInputNames) && same(remapOutputNames, config.remapOutputNames)
      ? written
      : null;
  }

  #serviceNamed(service: string) {
    return this.#config.config.visionServices.find(({ name }) => name === service);
  }
}

function wordsOf({ names: { remapInputNames, remapOutputNames }, file, besides }: Written): string {
  const words = file ? `Made the model service a ${file.module} with ${file.path}, which runs such files.` : '';
  return [
    besides,
    words,
    wordsOfRemap('remap_input_names', remapInputNames),
    wordsOfRemap('remap_output_names', remapOutputNames),
  ]
    .filter((words) => words !== '')
    .join(' ');
}

function wordsOfRemap(attribute: string, remap: Remap | undefined): string {
  if (!remap) return '';
  const pairs = Object.entries(remap).map(([name, role]) => `“${name}” is “${role}”`);
  return pairs.length > 0
    ? `Wrote into ${attribute}: the model’s ${pairs.join(', ')}.`
    : `Removed from ${attribute} what this model does not have.`;
}

function same(a: Remap, b: Remap): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
