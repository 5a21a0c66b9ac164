import type { EvaluationClient, ReportFormat, ToldErrors } from '../../../../workers/evaluation/client.ts';
import type { ThumbnailClient } from '../../../../workers/thumbnails/client.ts';
import { withoutSecrets } from '../../../machine/config/face/edits.ts';
import type { Goal } from '../../../evidence/evaluation/face/thresholds.ts';
import { classReportText, type PicturedError, type ReportSubject } from '../../../evidence/evaluation/face/report.ts';
import { summarizeClassified } from '../../../evidence/evaluation/face/classification.ts';
import {
  type LabelPair,
  pairFault,
  pairsInForce,
  pairsText,
  suggestPairs,
  unpairedLabels,
} from '../../../evidence/datasets/face/labels.ts';
import type { ResultStore } from '../../../platform/ports/result-store.ts';
import { LatestWins } from '../../../base/schedule/latest-wins.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import { errorWords, type ErrorWords } from '../../kit/words/error-words.ts';
import { Certifying, type CertifyingPorts } from '../certifying/certifying.svelte.ts';
import type { EvidenceSource } from '../goal/evidence-of.ts';
import { Comparison } from '../comparison/comparison.svelte.ts';
import { reportBlob } from '../../kit/layout/report-blob.ts';
import { FeedingSearch, type FeedingPorts, type LabelledFrames } from '../feeding-search/feeding-search.svelte.ts';
import { Judging } from '../judging/judging.svelte.ts';
import { gatherClasses, type GatheredClasses } from '../measure/gather-classes.ts';
import { countTruth } from '../measure/label-rows.ts';
import { BoxCounting, type Measured } from '../measure/box-counting.ts';
import type { ResultsView } from '../measure/results-view.svelte.ts';
import type { DrawnError } from '../measure/error-subject.ts';
import { pictureErrors } from '../picture/picture-errors.ts';
import type { PrepareModel } from '../ports/raw-model.ts';
import type { SampleSet } from '../ports/sample-set.ts';
import type { TruthDataset, TruthImage, TruthSource } from '../ports/truth-source.ts';
import { inOrderOf } from '../run/evaluated-image.ts';
import { EvaluationRun } from '../run/evaluation-run.svelte.ts';
import { keptPairs, LabelPairs } from '../run/label-pairs.svelte.ts';
import { ImageDependence } from '../run/image-dependence.svelte.ts';
import { NamedTruth } from '../run/named-truth.ts';
import type { OpenScans } from '../run/image-hashes.ts';
import { countModelMade, isModelMade, modelMadeNames, truthThatCounts, type ModelMade } from '../run/model-made.ts';
import type { TunedThresholds } from '../goal/tuned-thresholds.ts';

export interface EvaluationPorts {
  readonly openTruth: () => Promise<TruthSource>;
  readonly prepare: PrepareModel;
  readonly store: ResultStore;
  readonly engine: EvaluationClient;
  readonly thumbnails: () => Promise<Pick<ThumbnailClient, 'draw'>>;
  readonly memory: MemoryPort;
  /** storage that all tabs share */
  readonly sharedMemory: MemoryPort;
  /** version of the app */
  readonly version: string;
  readonly now: () => number;
  /** the key that signs certificates; null: this page has no WebCrypto */
  readonly openKey: CertifyingPorts['openKey'];
  readonly feeding: FeedingPorts;
  readonly openScans: OpenScans;
  readonly samples: () => Promise<SampleSet>;
}

interface ReportRequest {
  readonly goal: Goal;
  readonly format: ReportFormat;
  /** what else to say of what was evaluated */
  readonly facts?: ReportSubject['facts'];
  /** errors to draw on small copies of their images; default: none, so that the report holds no image */
  readonly pictured?: readonly DrawnError[];
}

const MEMORY_KEY = 'evaluation';
/** While images are run, counting gets one part in this many of the time: inference comes first. */
const COUNTING_SHARE = 20;

/** The evaluation of the bench's model on a dataset: which set is chosen, its run, and what came of it. */
export class Evaluation {
  readonly #ports: EvaluationPorts;
  readonly run: EvaluationRun;
  readonly comparison: Comparison;
  /** which labels of the run's set models call by other names */
  readonly names: LabelPairs;
  /** which images of the run are independent */
  readonly dependence: ImageDependence;
  /** what the machine's feeding costs on the chosen set */
  readonly feeding: FeedingSearch;
  #source: TruthSource | null = null;
  #sets = $state.raw<readonly TruthDataset[] | null>(null);
  #setId = $state('');
  /** the set whose boxes it was said of */
  #modelMade = $state.raw<{ readonly setId: string; readonly choice: ModelMade } | null>(null);
  #failure = $state.raw<ErrorWords | null>(null);
  #isChangingSamples = $state(false);
  #measured = $state.raw<Measured | null>(null);
  readonly #boxes: BoxCounting;
  readonly #counting = new LatestWins(
    () => this.#count(),
    () => undefined,
  );
  #notCountedBeforeMs = -Infinity;
  /** name of the set that was run last: it may be deleted since */
  #ranName = $state('');
  #wasUnderWay: boolean;

  constructor(ports: EvaluationPorts) {
    this.#ports = ports;
    this.names = new LabelPairs(ports.sharedMemory);
    this.run = new EvaluationRun({ ...ports, pairs: () => this.names.kept });
    this.dependence = new ImageDependence({ openScans: ports.openScans, memory: ports.sharedMemory });
    this.comparison = new Comparison(ports, this.run, this.dependence, this.names);
    this.#boxes = new BoxCounting(ports.engine);
    this.feeding = new FeedingSearch(ports.feeding, () => this.#labelledFrames());
    const before = recall(ports.memory, MEMORY_KEY) as Partial<Record<string, unknown>> | null;
    this.#setId = typeof before?.['setId'] === 'string' ? before['setId'] : '';
    this.#wasUnderWay = before?.['isRun'] === true;
    const modelMade = before?.['modelMade'];
    this.#modelMade = isModelMade(modelMade) ? { setId: this.#setId, choice: modelMade } : null;
  }

  /** null until they are read */
  get sets(): readonly TruthDataset[] | null {
    return this.#sets;
  }

  /** The chosen set; '' while there is none. */
  get setId(): string {
    return this.#setId;
  }

  /** Why the sets could not be read, or the boxes not counted. */
  get failure(): ErrorWords | null {
    return this.#failure;
  }

  /** null until the first images were run and counted */
  get measured(): Measured | null {
    return this.#measured;
  }

  /** How many boxes of the truth a model made; it is not stored whether a person looked at them. */
  readonly modelMadeCount: number = $derived.by(() => countModelMade(this.run.images));

  /** What they count as; null: nobody was asked yet. */
  get modelMade(): ModelMade | null {
    return this.#modelMade?.setId === (this.run.setId || this.#setId) ? this.#modelMade.choice : null;
  }

  /** Why the figures are not those of what is chosen now; '': they are. */
  get staleness(): '' | 'set' | 'model' {
    const { isBusy, results, setId } = this.run;
    if (isBusy || results.length === 0) return '';
    if (setId !== this.#setId) return 'set';
    return this.isOfBench ? '' : 'model';
  }

  /** Whether the bench still has what was run: thresholds that the figures choose are for no other model. */
  /** Whether a threshold changes anything: not of a colour detector, whose scores are all 1. */
  get hasScores(): boolean {
    return !this.run.model?.scoresAreOne;
  }

  get isOfBench(): boolean {
    return this.run.model?.isInForce !== false;
  }

  /** The name of the set that was run last, whatever is chosen for the next run. */
  get datasetName(): string {
    return this.#setOf(this.run.setId)?.name ?? this.#ranName;
  }

  /** undefined: there is no such set */
  #setOf(setId: string): TruthDataset | undefined {
    return this.#sets?.find(({ id }) => id === setId);
  }

  /** A person has to say what they count as, before anything is counted. */
  get mustAsk(): boolean {
    return this.modelMadeCount > 0 && this.modelMade === null;
  }

  takeModelMade(choice: ModelMade): void {
    this.#modelMade = { setId: this.run.setId, choice };
    this.#remember(this.#wasUnderWay);
    void this.count();
  }

  /** Names of the set that differ from the model's in wording only, and do not count as the same yet. */
  readonly offeredPairs: readonly LabelPair[] = $derived.by(() => {
    const { modelLabels, pairs, truthLabels } = this.run;
    return modelLabels ? suggestPairs(unpairedLabels(truthLabels, pairs, modelLabels), modelLabels) : [];
  });

  /** Counts these labels of the set by the model's names from now on, besides those that count so already. */
  async addPairs(pairs: readonly LabelPair[]): Promise<void> {
    const { modelLabels } = this.run;
    const { kept } = this.names;
    // What is kept of these labels for other models stays.
    const isNew = ({ label, modelLabel }: LabelPair): boolean =>
      !kept.some((one) => sameLabel(one.label, label) && sameLabel(one.modelLabel, modelLabel));
    const others = pairsInForce(kept, modelLabels);
    const fault = pairs.map((pair) => pairFault(pair, others)).find((words) => words !== '');
    if (fault !== undefined) throw new Error(fault);
    await this.names.change([...kept, ...pairs.filter(isNew)]);
  }

  /** Counts a label of the set by its own name again. */
  async removePair(pair: LabelPair): Promise<void> {
    await this.names.change(
      this.names.kept.filter(
        (one) => !(sameLabel(one.label, pair.label) && sameLabel(one.modelLabel, pair.modelLabel)),
      ),
    );
  }

  /** The images that count, with their truth. */
  readonly #truth: readonly TruthImage[] = $derived.by(() =>
    truthThatCounts(this.run.images, this.modelMade ?? 'count'),
  );

  /** The truth of the whole set that counts, by label. */
  readonly truthCounts: ReturnType<typeof countTruth> = $derived.by(() => countTruth(this.#truth));

  /** What a service that classifies said; null: it finds boxes */
  readonly classes: GatheredClasses | null = $derived.by(() => gatherClasses(this.run.results));

  /** Reads the sets, and the truth of what was run: a person may have corrected boxes since. */
  async refresh(): Promise<void> {
    try {
      this.#source ??= await this.#ports.openTruth();
      this.#sets = await this.#source.sets(new AbortController().signal);
      this.#failure = null;
      if (!this.#sets.some(({ id }) => id === this.#setId)) this.#show(this.#sets[0]?.id ?? '');
      // The figures of a set that was deleted since stay: its truth cannot be read again.
      if (this.#setOf(this.run.setId)) {
        void this.names.read(this.#source, this.run.setId);
        if (await this.run.readTruthAgain(this.#source)) void this.dependence.look(this.#source, this.run.images);
      }
      if (this.#wasUnderWay && this.#setId && this.run.state.kind === 'idle') void this.start();
    } catch (error) {
      this.#failure = errorWords(error);
    }
  }

  choose(setId: string): void {
    if (setId === this.#setId) return;
    this.#show(setId);
    this.#remember(false);
  }

  /** Shows a set that nobody chose: it is not remembered, because more sets may be there at the next visit. */
  #show(setId: string): void {
    this.#setId = setId;
    this.#wasUnderWay = false;
  }

  /** Whether the chosen set is the sample photographs. */
  get isOnSamples(): boolean {
    return this.#setOf(this.#setId)?.isSample ?? false;
  }

  /** Stores the sample photographs with their true boxes, and runs the model on them. */
  async trySamples(): Promise<void> {
    await this.#changeSamples(async (samples) => {
      const id = await samples.add();
      await this.refresh();
      this.choose(id);
      void this.start();
    });
  }

  async removeSamples(): Promise<void> {
    this.cancel();
    await this.#changeSamples(async (samples) => {
      await samples.remove();
      await this.refresh();
    });
  }

  async #changeSamples(change: (samples: SampleSet) => Promise<void>): Promise<void> {
    if (this.#isChangingSamples) return;
    this.#isChangingSamples = true;
    try {
      await change(await this.#ports.samples());
    } catch (error) {
      this.#failure = errorWords(error);
    } finally {
      this.#isChangingSamples = false;
    }
  }

  /** Whether the sample photographs are being stored or deleted. */
  get isChangingSamples(): boolean {
    return this.#isChangingSamples;
  }

  /** Runs the model on the chosen set; what was run before is read back. Goes on by itself after a reload. */
  async start(): Promise<void> {
    if (!this.#source || !this.#setId) return;
    this.#measured = null;
    this.#ranName = this.#setOf(this.#setId)?.name ?? '';
    this.#remember(true);
    this.dependence.begin(this.#setId);
    void this.names.read(this.#source, this.#setId);
    await this.run.start(this.#source, this.#setId);
    if (this.run.state.kind === 'done') void this.dependence.look(this.#source, this.run.images);
    await this.comparison.note();
  }

  cancel(): void {
    this.run.cancel();
    this.#remember(false);
  }

  /** What thresholds stand on that are chosen now. */
  evidenceSource(atMs: number): EvidenceSource {
    const { model } = this.run;
    return {
      dataset: this.datasetName,
      model: { name: model?.modelName ?? '', sha256: model?.sha256 ?? '' },
      setup: model?.setup ?? '',
      version: this.#ports.version,
      atMs,
    };
  }

  /** Makes the report of what was measured, at these thresholds. */
  async report(
    measured: Measured,
    thresholds: Float64Array,
    { goal, format, facts = [], pictured = [] }: ReportRequest,
  ): Promise<Blob> {
    const evaluated = measured.images.map(({ image }) => image);
    const units = ['Independent units', this.dependence.text(evaluated)] as const;
    const subject = { ...this.#subject([units, ...facts]), pictured: await this.#picture(pictured) };
    const make = ({ serial, images }: Measured): Promise<string | null> =>
      this.#ports.engine.report(serial, {
        subject,
        thresholds,
        goal,
        units: this.dependence.units(images.map(({ image }) => image)),
        format,
      });
    const text = await this.#ofCounted(measured, make);
    if (text === null) throw new Error('The boxes have been counted again since. Make the report again.');
    return reportBlob(text, format);
  }

  /** Makes the report of what a service that classifies said. */
  classReport({ labels, classified, leftOutCount }: GatheredClasses, format: ReportFormat): Blob {
    const summary = summarizeClassified(labels, classified, leftOutCount);
    return reportBlob(classReportText(this.#subject([]), summary, format), format);
  }

  async #picture(errors: readonly DrawnError[]): Promise<readonly PicturedError[]> {
    if (!this.#source || errors.length === 0) return [];
    const bytesOf = (ids: readonly string[]) => this.#source!.bytes(this.run.setId, ids, new AbortController().signal);
    return pictureErrors(errors, bytesOf, await this.#ports.thumbnails());
  }

  /** Asks the worker about counted boxes. Where it has died since and knows them no more, it counts them again. */
  async #ofCounted<T>(measured: Measured, ask: (of: Measured) => Promise<T | null>): Promise<T | null> {
    const said = await ask(measured);
    if (said !== null) return said;
    await this.count();
    return this.#measured && ask(this.#measured);
  }

  /** The chosen set; boxes that a model made count there only where a person said so. */
  #labelledFrames(): LabelledFrames | null {
    const [source, setId] = [this.#source, this.#setId];
    if (!source || !setId) return null;
    const { setId: saidOf, choice } = this.#modelMade ?? {};
    const counting = saidOf === setId && choice ? choice : 'without-images';
    return {
      setName: this.#setOf(setId)?.name ?? '',
      areIndependent: this.dependence.isStatedOf(setId),
      images: async (signal) => {
        const [images, kept] = await Promise.all([
          source.images(setId, signal),
          keptPairs(source, setId, this.#ports.sharedMemory, signal),
        ]);
        const modelLabels = this.run.model?.isInForce ? this.run.modelLabels : null;
        return truthThatCounts(new NamedTruth(pairsInForce(kept, modelLabels)).images(images), counting);
      },
      bytes: (ids, signal) => source.bytes(setId, ids, signal),
    };
  }

  /** Certifying what was measured. */
  certifying(view: ResultsView): Certifying {
    const { sharedMemory: memory, openKey, version } = this.#ports;
    return new Certifying(this, view, { memory, openKey, version, nowMs: () => Date.now() });
  }

  /** Where certificates are kept: all tabs share it. */
  get sharedMemory(): MemoryPort {
    return this.#ports.sharedMemory;
  }

  /** Judging boxes of this run without truth; `chosen` is the label that a person looks at. */
  judging(tuned: TunedThresholds, chosen: () => string | null): Judging {
    const key = (): string => `${this.run.model?.key ?? ''} ${this.run.setId}`;
    return new Judging({ key, results: () => this.run.results, chosen }, tuned, this.#ports.memory);
  }

  /** What the report is about; keys and passwords of the configuration stay here. */
  #subject(facts: ReportSubject['facts']): ReportSubject {
    const { model, pairs } = this.run;
    const failed = this.run.failed.length;
    return {
      title: `Evaluation of ${model?.serviceName || 'the model'}`,
      facts: [
        ['Dataset', this.datasetName],
        ['Vision service', model?.serviceName ?? ''],
        ['Model', model ? `${model.modelName}${model.sha256 && `, SHA-256 ${model.sha256}`}` : ''],
        ...(this.modelMadeCount > 0
          ? [
              [
                'Boxes made by a model',
                `${this.modelMadeCount}: ${modelMadeNames[this.modelMade ?? 'count'].toLowerCase()}`,
              ] as const,
            ]
          : []),
        ...(pairs.length > 0 ? [['Labels by the model’s names', pairsText(pairs)] as const] : []),
        ['Images that failed (not counted)', String(failed)],
        ['Sightglass', this.#ports.version],
        ...facts,
      ],
      configText: model ? withoutSecrets(model.configText).text : null,
      labelPairs: pairs,
    };
  }

  /** Where the boxes of an image are corrected; `order`: id of the order of corrections in which the editor goes on to the image whose turn is next. */
  editorHref(imageId: string, order?: string): string {
    return this.#source?.editorHref(this.run.setId, imageId, order) ?? '';
  }

  /** The bytes of an image; null: it was deleted. */
  async bytesOf(imageId: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> {
    return (await this.#source?.bytes(this.run.setId, [imageId], signal))?.get(imageId) ?? null;
  }

  /** Tells the errors of what was measured apart, at these thresholds; null: it is being counted anew. */
  async tellErrors(measured: Measured, thresholds: Float64Array): Promise<ToldErrors | null> {
    try {
      const told = await this.#ports.engine.tellErrors(measured.serial, thresholds);
      // The worker that counted these boxes has died.
      if (!told && measured === this.#measured) void this.count();
      return told;
    } catch (error) {
      this.#failure = errorWords(error);
      return null;
    }
  }

  /** Counts what was run so far; of several calls while one is under way, the last counts. */
  async count(): Promise<void> {
    const { state } = this.run;
    const isRunning = state.kind === 'running' && !state.isPaused;
    if (isRunning && this.#ports.now() < this.#notCountedBeforeMs) return;
    try {
      await this.#counting.offer(undefined);
      this.#failure = null;
    } catch (error) {
      this.#failure = errorWords(error);
    }
  }

  async #count(): Promise<void> {
    const { images, results } = this.run;
    const choice = this.modelMade;
    const truth = this.#truth;
    if (results.length === 0 || this.classes || this.mustAsk) {
      this.#measured = null;
      return;
    }
    const startMs = this.#ports.now();
    const measured = await this.#boxes.count(truth, truth === images ? results : inOrderOf(truth, results));
    const endMs = this.#ports.now();
    this.#notCountedBeforeMs = endMs + COUNTING_SHARE * (endMs - startMs);
    if (this.run.images === images && this.modelMade === choice) this.#measured = measured;
  }

  #remember(isRun: boolean): void {
    this.#wasUnderWay = isRun;
    const { setId, choice } = this.#modelMade ?? {};
    const modelMade = setId === this.#setId ? choice : null;
    remember(this.#ports.memory, MEMORY_KEY, { setId: this.#setId, isRun, modelMade });
  }
}

const sameLabel = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
