import type {
  FitClient,
  FitProgress,
  FitReport,
  FitSource,
  InputSize,
  ModelRecognition,
  OptionSpec,
  OptionValue,
  OptionValues,
} from '../../../../workers/fit/client.ts';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { GraphSource } from '../../../../workers/model-graph/client.ts';
import { type PipelineEdit, writeFitted } from '../../../machine/config/face/edits.ts';
import { besideModel } from '../../../machine/config/face/machine-config.ts';
import { feedingOptions } from '../../../models/fit/interpretations/fit-options.ts';
import type { ChosenFeeding, RankedFeeding } from '../../../models/fit/solver/rank-feedings.ts';
import { usualNames, type UsualNames } from '../../../models/fit/interpretations/usual-names.ts';
import { FitPicture } from './fit-picture.svelte.ts';
import { KnownAnswer } from './known-answer.svelte.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { LabelsState } from '../models/labels-state.svelte.ts';
import type { ModelsState } from '../models/models-state.svelte.ts';
import type { ResultsState } from '../results/results-state.svelte.ts';

/** The parts of the bench that a model is fitted for. */
export interface FitDependencies {
  readonly config: ConfigState;
  readonly models: ModelsState;
  readonly labels: LabelsState;
  /** the frame on the stage, whose shape is the camera's */
  readonly results: Pick<ResultsState, 'seenSize'>;
  readonly vision: Pick<VisionClient, 'tryDecoding' | 'tryFeedings' | 'currentFrame'>;
  /** the tuned service; '': the configuration has none */
  readonly serviceName: string;
}

/** What the caller of a fit knows already. */
export interface FitChoice {
  /** absent or null: as the model is recognised */
  readonly family?: string | null;
  /** options, for the families that have them */
  readonly options?: OptionValues;
  /** how pictures say that the model is fed */
  readonly feedingFound?: ChosenFeeding | null;
  readonly inputSize?: InputSize | null;
  /** what else is written into the configuration, in the same undo step */
  readonly also?: (edit: PipelineEdit) => PipelineEdit;
}

/** Where the class names come from. */
export type LabelChoice = 'model' | 'bench' | 'usual' | 'file';

export type FitPhase =
  | { readonly kind: 'working'; readonly progress: FitProgress | null }
  | { readonly kind: 'ready'; readonly report: FitReport }
  | { readonly kind: 'failed'; readonly message: string; readonly code: unknown };

export interface FamilyName {
  readonly id: string;
  readonly name: string;
}

/** The family whose structure the user describes by options: offered last, and first if no other fits. */
const guided: FamilyName = { id: 'guided', name: 'Another kind: say how it is read' };

/** The fitting of one model: the choices, and their result. */
export class FitSession {
  readonly #dependencies: FitDependencies;
  readonly #client: FitClient;
  readonly #service: string;
  readonly source: FitSource;
  #family = $state.raw<string | null>(null);
  /** The families that fit, the best first. */
  families = $state.raw<readonly FamilyName[]>([guided]);
  /** by family: the chosen options */
  #options = $state.raw<Readonly<Record<string, OptionValues>>>({});
  readonly #choice: FitChoice;
  readonly #preset: OptionValues;
  labelChoice = $state.raw<LabelChoice>('model');
  labelFile = $state.raw<{ readonly name: string; readonly labels: readonly string[] } | null>(null);
  /** The names that its classes usually have; null: none are usual, or it has its own. */
  readonly usual: UsualNames | null;
  /** for a model that accepts any size; null: the model determines it */
  inputSize = $state.raw<InputSize | null>(null);
  phase = $state.raw<FitPhase>({ kind: 'working', progress: null });
  /** the last result, shown while the next is computed */
  report = $state.raw<FitReport | null>(null);
  /** the frame with the boxes of the chosen options; a classifier has none */
  readonly picture: FitPicture;
  /** finds by labelled pictures how the model is to be fed */
  readonly known: KnownAnswer;
  /** what they said, once it was taken */
  #feedingFound: ChosenFeeding | null;
  #form = $state.raw<{
    readonly family: string;
    readonly specs: readonly OptionSpec[];
    readonly values: OptionValues;
  } | null>(null);
  #run: Promise<void> = Promise.resolve();
  #runNumber = 0;

  constructor(
    dependencies: FitDependencies,
    client: FitClient,
    source: FitSource,
    recognition: ModelRecognition | null,
    choice: FitChoice = {},
  ) {
    const { family = null, options: preset = {}, feedingFound = null, inputSize = null } = choice;
    this.#family = family;
    this.#choice = choice;
    this.#preset = preset;
    this.#feedingFound = feedingFound;
    this.inputSize = inputSize;
    this.#dependencies = dependencies;
    this.#client = client;
    this.#service = dependencies.serviceName;
    this.picture = new FitPicture(dependencies.vision);
    this.known = new KnownAnswer({ vision: dependencies.vision, trial: () => this.#trial() });
    this.source = source;
    const known = recognition?.kind === 'family' ? recognition : null;
    if (known) this.families = [{ id: known.id, name: known.name }, guided];
    const isOtherwise = recognition?.kind === 'fits' && Object.keys(preset).length > 0;
    if (family === null && (recognition?.kind === 'unknown' || isOtherwise))
      this.#family = isPaddingAlone(preset) ? 'fitted' : guided.id;
    const benchLabels = this.benchLabels;
    const own = dependencies.models.of(this.#service)?.labels;
    const classCount = known?.result === 'detections' ? known.classCount : recognition?.kind === 'unknown' ? 0 : null;
    this.usual = own || classCount === null ? null : usualNames(classCount, source.fileName);
    if (!own && known && benchLabels && mayName(benchLabels, known.classCount)) this.labelChoice = 'bench';
    else if (this.usual?.why) this.labelChoice = 'usual';
    this.refresh();
  }
  get family(): string | null {
    return this.#family ?? this.#form?.family ?? null;
  }
  /**
   * The options with the chosen values, also if one was refused, so that it can be corrected. null: not known yet
   */
  get form(): { readonly specs: readonly OptionSpec[]; readonly values: OptionValues } | null {
    const form = this.#form;
    if (!form || form.family !== this.family) return null;
    return { specs: form.specs, values: { ...form.values, ...this.#options[form.family] } };
  }
  /** Whether the user describes how the model is read. */
  get isGuided(): boolean {
    return this.family === guided.id;
  }
  /** The bench's present labels; null: index numbers. */
  get benchLabels(): readonly string[] | null {
    return this.#dependencies.labels.of(this.#service);
  }
  /** Why the fit cannot be used: its model left the stage (by undo, for example) or another is being loaded; '': it can be used. */
  get goneWords(): string {
    const { models } = this.#dependencies;
    const { fileName, modelId } = this.source;
    const service = this.#serviceNow;
    const { loading } = models;
    if (loading?.serviceName === service && loading.name !== fileName)
      return `${loading.name} is being loaded in place of ${fileName}.`;
    const onStage = models.of(service);
    if (onStage?.modelId === modelId) return '';
    return `${fileName} is no longer on the stage: ${onStage ? `${onStage.fileName} is` : 'no model is'}.`;
  }
  /** Whether the model file contains class names. */
  get hasOwnLabels(): boolean {
    return (this.#dependencies.models.of(this.#service)?.labels ?? null) !== null;
  }

  chooseFamily(id: string): void {
    this.#family = id;
    this.#feedingFound = null;
    this.refresh();
  }

  chooseOption(key: string, value: OptionValue): void {
    this.#choose({ [key]: value });
  }

  #choose(options: OptionValues): void {
    const family = this.family ?? '';
    this.#options = { ...this.#options, [family]: { ...this.#options[family], ...options } };
    this.refresh();
  }

  /** Feeds the model as labelled pictures say. */
  takeFeeding(way: RankedFeeding): void {
    if (this.isGuided) return this.#choose(feedingOptions(way.input));
    this.#feedingFound = this.known.chosen(way);
    this.refresh();
  }

  /** Whether nothing but pictures whose content is known tells how the model is fed. */
  get asksForAnswer(): boolean {
    return (this.report?.feedingGuess ?? null) !== null || this.isGuided || this.known.used.length > 0;
  }

  chooseLabels(choice: LabelChoice): void {
    this.labelChoice = choice;
    this.refresh();
  }

  giveLabels(name: string, labels: readonly string[]): void {
    this.labelFile = { name, labels };
    this.chooseLabels('file');
  }

  chooseSize(inputSize: InputSize): void {
    this.inputSize = inputSize;
    this.refresh();
  }

  /** Writes the model with the present choices; cancels a run that is under way. */
  refresh(): void {
    const number = ++this.#runNumber;
    this.phase = { kind: 'working', progress: null };
    this.#run = this.#run.then(() => this.#fit(number));
  }

  /** Cancels the run that is under way. */
  cancel(): void {
    if (this.phase.kind !== 'working') return;
    this.#runNumber++;
    this.phase = { kind: 'failed', message: 'Fitting was stopped.', code: 'given-up' };
    this.#client.end();
  }

  /**
   * Replaces the source model by the fitted one, with its configuration, in one undo step. false: it was not
   * loaded, or another model is on the stage (`goneWords`).
   */
  async use(): Promise<boolean> {
    const report = await this.#settled();
    if (!report || this.#dependencies.config.broken) return false;
    const file = await this.#fittedFile(report);
    if (this.goneWords !== '') return false;
    const { models, labels } = this.#dependencies;
    const fitted = { kind: 'file', file } as const;
    const before = this.source.source;
    const labelSource = labels.sourceOf(this.#service);
    let written = false;
    await models.swap(fitted, this.#service, () => {
      written = true;
      this.#write(report, {
        undo: () => void models.swap(before, this.#serviceNow),
        redo: () => void models.swap(fitted, this.#serviceNow),
      });
    });
    // A label file that had the names of the model before keeps them: the classes are the same.
    if (written && this.family === 'fitted' && labelSource.kind === 'file')
      labels.give(this.#service, labelSource.file.labels, labelSource.file.from, { joins: true });
    if (!written)
      this.phase = { kind: 'failed', message: models.fault?.message ?? 'The model was not loaded.', code: null };
    return written;
  }

  /** The model that was written last, for the graph; null: none. */
  async fitted(): Promise<GraphSource | null> {
    const report = await this.#settled();
    return report && { fileName: report.names.model, source: { kind: 'file', file: await this.#fittedFile(report) } };
  }

  /** All files as one .zip; null: there are none. */
  async archive(): Promise<{ readonly name: string; readonly content: Blob } | null> {
    const report = await this.#settled();
    if (!report) return null;
    return { name: report.names.model.replace(/\.\w+$/, '.zip'), content: await this.#client.archive() };
  }

  /** Frees the worker's memory. */
  close(): void {
    this.#runNumber++;
    this.picture.clear();
    this.known.cancel();
    this.#client.end();
  }

  async #fittedFile({ names }: FitReport): Promise<File> {
    return new File([await this.#client.fittedModel()], names.model);
  }

  #write({ names, labels, configuration }: FitReport, beside: { undo: () => void; redo: () => void }): void {
    const { config } = this.#dependencies;
    const labelFile = labels && names.labels;
    const isSameModel = this.family === 'fitted';
    // A label file named after the model has the names inside it, unless another content was given for its path.
    const path = labelFile && !isSameModel ? besideModel(config.parsed.entries, this.#service, labelFile) : null;
    const target = { vision: this.#service, modelFile: names.model, labelFile, labels, isSameModel };
    const { also = (edit) => edit } = this.#choice;
    const write = (edit: PipelineEdit) => also({ ...edit, text: writeFitted(edit.text, configuration, target) });
    config.editSteps(`Make ${this.source.fileName} machine-ready`, write, {
      beside,
      ...(path && { labelFiles: { [path]: null } }),
    });
  }

  /** A configuration without a vision service gets one by this, and loses it again by undo. */
  get #serviceNow(): string {
    const { config, serviceName } = this.#dependencies;
    return config.visionNames.includes(this.#service) ? this.#service : serviceName;
  }

  async #fit(number: number): Promise<void> {
    if (number !== this.#runNumber) return;
    try {
      const wish = this.#wish();
      const report = await this.#client.fit(this.source, wish, (progress) => {
        // Progress of the last phase may arrive after its result.
        if (number === this.#runNumber && this.phase.kind === 'working') this.phase = { kind: 'working', progress };
      });
      if (number !== this.#runNumber) return;
      this.report = report;
      this.#form = { family: report.family.id, specs: report.optionSpecs, values: report.options };
      if (this.#family === null) this.families = [report.family, ...report.otherFamilies, guided];
      this.known.keepFor(readingOf(report));
      if (this.#presetChanges(report)) return this.refresh();
      this.phase = { kind: 'ready', report };
      this.#showPicture(report);
    } catch (error) {
      if (number !== this.#runNumber) return;
      this.report = null;
      this.picture.clear();
      const { message = String(error), code = null } = error as { message?: string; code?: unknown };
      this.phase = { kind: 'failed', message, code };
    }
  }

  /** The options of a family are known once it was written: preset values are applied then, the first time. */
  #presetChanges({ family, optionSpecs, options }: FitReport): boolean {
    if (this.#options[family.id]) return false;
    const known = Object.entries(this.#preset).filter(([key, value]) =>
      optionSpecs.some((spec) => spec.key === key && (spec.kind !== 'choice' || spec.choices.includes(String(value)))),
    );
    this.#options = { ...this.#options, [family.id]: Object.fromEntries(known) };
    return known.some(([key, value]) => options[key] !== value);
  }

  #showPicture({ family, kind, labels, otherChoices }: FitReport): void {
    // The configuration decodes the frame for the model on the stage, so the outputs of another model show nothing.
    if (kind === 'classifications' || this.goneWords !== '') return this.picture.clear();
    const wish = this.#wish();
    const decoding = (options: OptionValues) =>
      this.#client.decoding(this.source, { ...wish, family: family.id, options: { ...wish.options, ...options } });
    void this.picture.show(
      () => decoding({}),
      labels,
      otherChoices,
      ({ key, value }) => decoding({ [key]: value }),
    );
  }

  /** With nothing of its feeding chosen, so that every picture is tried in the same ways. */
  #trial() {
    const wish = this.#wish();
    return this.#client.feedingTrial(this.source, { ...wish, options: unfed(wish.options), feedingFound: null });
  }

  #wish() {
    const labels = {
      model: null,
      bench: this.benchLabels,
      usual: this.usual?.names ?? null,
      file: this.labelFile?.labels ?? null,
    };
    const options = this.#options[this.family ?? ''] ?? {};
    const { seenSize } = this.#dependencies.results;
    const frameSize = seenSize && { widthPx: seenSize.widthPx, heightPx: seenSize.heightPx };
    return {
      family: this.#family,
      options,
      labels: labels[this.labelChoice],
      inputSize: this.inputSize,
      frameSize,
      feedingFound: this.#feedingFound,
    };
  }

  /** The result of the last choice; null: it failed. */
  async #settled(): Promise<FitReport | null> {
    // Preset options are known, and applied by another run, once the first has ended.
    for (let run: Promise<void> | null = null; run !== this.#run;) await (run = this.#run);
    return this.phase.kind === 'ready' ? this.phase.report : null;
  }
}

/** A model that fits already can be given a border without a word on what its outputs mean. */
function isPaddingAlone(preset: OptionValues): boolean {
  return Object.keys(preset).join() === 'letterbox' && preset['letterbox'] === 'pad';
}

/** What labelled pictures were tried on: how the model is read, whatever it is fed. */
function readingOf({ family, options, labels, inputSize }: FitReport): string {
  return JSON.stringify([family.id, unfed(options), labels, inputSize]);
}

/** Options without those that say how a model is fed. */
function unfed(options: OptionValues): OptionValues {
  return Object.fromEntries(Object.entries(options).filter(([key]) => key !== 'colour' && key !== 'values'));
}

/** If the graph does not show the number of classes, a list with one label probably belongs to the model before. */
function mayName(labels: readonly string[], classCount: number): boolean {
  return classCount === 0 ? labels.length > 1 : labels.length === classCount;
}
