import type { EvaluationClient, MeasuredBoxes, ReportFormat } from '../../../workers/evaluation/client.ts';
import { withoutSecrets } from '../../config/without-secrets.ts';
import type { Goal } from '../../evaluation/choose/goal.ts';
import type { ReportSubject } from '../../evaluation/report/evaluation-report.ts';
import type { ResultStore } from '../../ports/result-store.ts';
import { LatestWins } from '../../schedule/latest-wins.ts';
import { recall, remember, type MemoryPort } from '../kit/memory/remembered.ts';
import { errorWords, type ErrorWords } from '../kit/words/error-words.ts';
import { unitsOf } from './choose/units.ts';
import { gatherClasses, type GatheredClasses } from './measure/gather-classes.ts';
import { gatherBoxes, type GatheredBoxes } from './measure/gather.ts';
import type { PrepareModel } from './ports/raw-model.ts';
import type { TruthDataset, TruthSource } from './ports/truth-source.ts';
import type { EvaluatedImage } from './run/evaluated-image.ts';
import { EvaluationRun } from './run/evaluation-run.svelte.ts';

export interface EvaluationPorts {
  readonly openTruth: () => Promise<TruthSource>;
  readonly prepare: PrepareModel;
  readonly store: ResultStore;
  readonly engine: EvaluationClient;
  readonly memory: MemoryPort;
  /** of the app */
  readonly version: string;
  readonly now: () => number;
}

/** Boxes with their matches, which belong together. */
export interface Measured extends MeasuredBoxes {
  readonly boxes: GatheredBoxes;
}

const MEMORY_KEY = 'evaluation';

/** The evaluation of the bench's model on a dataset: which set is chosen, its run, and what came of it. */
export class Evaluation {
  readonly #ports: EvaluationPorts;
  readonly run: EvaluationRun;
  #source: TruthSource | null = null;
  #sets = $state.raw<readonly TruthDataset[] | null>(null);
  #setId = $state('');
  #failure = $state.raw<ErrorWords | null>(null);
  #measured = $state.raw<Measured | null>(null);
  readonly #counting = new LatestWins(
    (images: readonly EvaluatedImage[]) => this.#match(images),
    () => undefined,
  );
  #wasUnderWay: boolean;

  constructor(ports: EvaluationPorts) {
    this.#ports = ports;
    this.run = new EvaluationRun(ports);
    const before = recall(ports.memory, MEMORY_KEY) as { readonly setId?: unknown; readonly isRun?: unknown } | null;
    this.#setId = typeof before?.setId === 'string' ? before.setId : '';
    this.#wasUnderWay = before?.isRun === true;
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

  /** What a service that classifies said; null: it finds boxes */
  readonly classes: GatheredClasses | null = $derived.by(() => gatherClasses(this.run.results));

  /** Reads the sets, and the truth of what was run: a person may have corrected boxes since. */
  async refresh(): Promise<void> {
    try {
      this.#source ??= await this.#ports.openTruth();
      this.#sets = await this.#source.sets(new AbortController().signal);
      this.#failure = null;
      if (!this.#sets.some(({ id }) => id === this.#setId)) this.choose(this.#sets[0]?.id ?? '');
      await this.run.readTruthAgain(this.#source, this.#setId);
      if (this.#wasUnderWay && this.#setId && this.run.state.kind === 'idle') void this.start();
    } catch (error) {
      this.#failure = errorWords(error);
    }
  }

  choose(setId: string): void {
    if (setId === this.#setId) return;
    this.#setId = setId;
    this.#remember(false);
  }

  /** Runs the model on the chosen set; what was run before is read back. Goes on by itself after a reload. */
  async start(): Promise<void> {
    if (!this.#source || !this.#setId) return;
    this.#measured = null;
    this.#remember(true);
    await this.run.start(this.#source, this.#setId);
  }

  cancel(): void {
    this.run.cancel();
    this.#remember(false);
  }

  /** Makes the report of what was measured, at these thresholds. */
  async report(
    measured: Measured,
    thresholds: Float64Array,
    { goal, format }: { readonly goal: Goal; readonly format: ReportFormat },
  ): Promise<Blob> {
    const { space, truth, detections, images } = measured.boxes;
    const text = await this.#ports.engine.report({
      space,
      truth,
      detections,
      subject: this.#subject(),
      thresholds,
      goal,
      units: unitsOf(images.map(({ image }) => image)),
      format,
    });
    const types = { html: 'text/html', json: 'application/json', csv: 'text/csv' };
    return new Blob([text], { type: types[format] });
  }

  /** What the report is about; keys and passwords of the configuration stay here. */
  #subject(): ReportSubject {
    const { model } = this.run;
    const set = this.#sets?.find(({ id }) => id === this.#setId)?.name ?? '';
    const failed = this.run.failed.length;
    return {
      title: `Evaluation of ${model?.serviceName || 'the model'}`,
      facts: [
        ['Dataset', set],
        ['Vision service', model?.serviceName ?? ''],
        ['Model', model ? `${model.modelName}${model.sha256 && `, SHA-256 ${model.sha256}`}` : ''],
        ['Images that failed, in no figure', String(failed)],
        ['Sightglass', this.#ports.version],
      ],
      configText: model ? withoutSecrets(model.configText).text : null,
    };
  }

  /** Where the boxes of an image are corrected. */
  editorHref(imageId: string): string {
    return this.#source?.editorHref(this.#setId, imageId) ?? '';
  }

  /** The bytes of an image; null: it was deleted. */
  async bytesOf(imageId: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> {
    return (await this.#source?.bytes([imageId], signal))?.get(imageId) ?? null;
  }

  /** Counts what was run so far; of several calls while one is under way, the last counts. */
  async count(): Promise<void> {
    try {
      await this.#counting.offer(this.run.results);
      this.#failure = null;
    } catch (error) {
      this.#failure = errorWords(error);
    }
  }

  async #match(images: readonly EvaluatedImage[]): Promise<void> {
    if (images.length === 0) {
      this.#measured = null;
      return;
    }
    const boxes = gatherBoxes(images);
    const { space, truth, detections } = boxes;
    this.#measured = { boxes, ...(await this.#ports.engine.match({ space, truth, detections })) };
  }

  #remember(isRun: boolean): void {
    this.#wasUnderWay = isRun;
    remember(this.#ports.memory, MEMORY_KEY, { setId: this.#setId, isRun });
  }
}
