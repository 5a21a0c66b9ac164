import type { ComparedRuns, EvaluationClient, ReportFormat } from '../../../../workers/evaluation/client.ts';
import { changedSettings, withoutSecrets } from '../../../machine/config/face/edits.ts';
import type { Units } from '../../../evidence/evaluation/face/thresholds.ts';
import { namesAcross, pairsInForce } from '../../../evidence/datasets/face/labels.ts';
import type { LabelPairs } from '../run/label-pairs.svelte.ts';
import { modelLabelsOf, withNames } from '../run/named-truth.ts';
import type { ComparedAt, CompareSubject } from '../../../evidence/evaluation/face/comparison.ts';
import type { RawImage } from '../../../platform/ports/raw-image.ts';
import type { ResultStore, RunRecord } from '../../../platform/ports/result-store.ts';
import { LatestWins } from '../../../base/schedule/latest-wins.ts';
import { serviceThresholds } from '../../../machine/vision/face/filters.ts';
import { errorWords, type ErrorWords } from '../../kit/words/error-words.ts';
import { reportBlob } from '../../kit/layout/report-blob.ts';
import type { ReadyModel } from '../ports/raw-model.ts';
import type { TruthImage } from '../ports/truth-source.ts';
import type { EvaluatedImage } from '../run/evaluated-image.ts';
import type { EvaluationRun } from '../run/evaluation-run.svelte.ts';
import type { ImageDependence } from '../run/image-dependence.svelte.ts';
import type { TunedThresholds } from '../goal/tuned-thresholds.ts';
import { otherRun, otherThresholds, thresholdsOfFile, type OtherSide, type RunFacts } from './other-side.ts';

export interface ComparisonPorts {
  readonly store: ResultStore;
  readonly engine: Pick<EvaluationClient, 'measurePair' | 'comparePair' | 'reportPair'>;
  /** version of the app */
  readonly version: string;
}

/** An image with what both runs found on it. */
export interface PairedImage {
  readonly image: TruthImage;
  readonly first: RawImage;
  readonly second: RawImage;
}

/** Two runs on the images that both have. */
interface Pair {
  /** by which the worker knows it */
  readonly serial: number;
  readonly results: readonly EvaluatedImage[];
  readonly key: string | null;
  /** what models call labels of the set, as it was kept */
  readonly kept: LabelPairs['kept'];
  /** the images known to depend on each other */
  readonly dependence: ImageDependence['found'];
  readonly images: readonly PairedImage[];
  readonly units: Units;
  readonly labels: readonly string[];
  /** what the second run's model calls the labels, by label number */
  readonly secondLabels: readonly string[];
}

/** The comparison's result: image number i is images[i], label number k is labels[k]. */
export interface Compared extends ComparedRuns, Omit<Pair, 'results' | 'key' | 'kept' | 'dependence'> {
  readonly other: OtherSide;
  readonly at: ComparedAt;
  /** images of the run on the page of which the other has no results */
  readonly leftOutCount: number;
}

const FOUND_AT_ONCE = 500;

/** Compares the run on the page with another one, or with itself under other thresholds. */
export class Comparison {
  readonly #ports: ComparisonPorts;
  readonly #run: EvaluationRun;
  readonly #dependence: Pick<ImageDependence, 'found' | 'text' | 'units'>;
  readonly #names: Pick<LabelPairs, 'kept'>;
  #records = $state.raw<readonly RunRecord[]>([]);
  #ofFiles = $state.raw<readonly OtherSide[]>([]);
  #chosenId = $state('');
  #movedMoreThanPx = $state(2);
  #compared = $state.raw<Compared | null>(null);
  #failure = $state.raw<ErrorWords | null>(null);
  #isBusy = $state(false);
  #asked = 0;
  #pair: Pair | null = null;
  #serial = 0;
  #noted: { readonly model: ReadyModel; readonly endedMs: number } | null = null;
  readonly #counting = new LatestWins(
    (asked: { readonly tuned: TunedThresholds; readonly signal: AbortSignal }) => this.#compare(asked),
    () => undefined,
  );

  constructor(
    ports: ComparisonPorts,
    run: EvaluationRun,
    dependence: Pick<ImageDependence, 'found' | 'text' | 'units'>,
    names: Pick<LabelPairs, 'kept'>,
  ) {
    this.#names = names;
    this.#ports = ports;
    this.#dependence = dependence;
    this.#run = run;
  }

  /** What the run on the page is told by, without secrets; null: nothing was run. */
  readonly present: RunFacts | null = $derived.by(() => this.#run.model && factsOf(this.#run.model));

  /** What the run can be compared with: other runs, the latest first, then other thresholds. */
  readonly others: readonly OtherSide[] = $derived.by(() => {
    const { present } = this;
    if (!present) return [];
    const { key } = this.#run.model!;
    return [
      ...this.#records.filter((record) => record.key !== key).map((record) => otherRun(record, present)),
      ...otherThresholds(present.configText, '', present),
      ...this.#ofFiles,
    ];
  });

  readonly chosen: OtherSide | null = $derived.by(() => this.others.find(({ id }) => id === this.#chosenId) ?? null);

  choose(id: string): void {
    this.#chosenId = id;
  }

  /** An edge that moved further makes a box moved. */
  get movedMoreThanPx(): number {
    return this.#movedMoreThanPx;
  }

  setMovedMoreThan(px: number): void {
    this.#movedMoreThanPx = px;
  }

  /** null until two runs were compared */
  get compared(): Compared | null {
    return this.#compared;
  }

  get failure(): ErrorWords | null {
    return this.#failure;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Notes the finished run with its thresholds of this moment, so that others can be compared with it. */
  async note(): Promise<void> {
    const { model, state, setId, results } = this.#run;
    const facts = model && factsOf(model);
    if (state.kind !== 'done' || !facts || results.length === 0) return;
    if (this.#noted?.model !== model) this.#noted = { model, endedMs: Date.now() };
    const { endedMs } = this.#noted;
    await this.#ports.store.note({ ...facts, key: model.key, datasetId: setId, imageCount: results.length, endedMs });
  }

  /** Reads which runs of the dataset there are. */
  async list(): Promise<void> {
    const { setId } = this.#run;
    const records = await this.#ports.store.records(setId);
    if (setId === this.#run.setId) this.#records = records;
  }

  /** Takes the thresholds of a configuration file, and chooses those of its first service. */
  async addFile(file: File): Promise<void> {
    this.#failure = null;
    try {
      const text = await file.text();
      if (!this.present) return;
      const found = thresholdsOfFile(text, file.name, this.present);
      const ids = found.map(({ id }) => id);
      this.#ofFiles = [...this.#ofFiles.filter(({ id }) => !ids.includes(id)), ...found];
      this.choose(ids[0]!);
    } catch (error) {
      this.#failure = errorWords(error);
    }
  }

  /**
   * Compares at the present thresholds; of several calls while one is under way, the last counts.
   * @param signal aborts when nobody wants to know any more: then the thresholds are gone with who had them
   */
  async update(tuned: TunedThresholds, signal: AbortSignal): Promise<void> {
    const asked = ++this.#asked;
    this.#isBusy = true;
    try {
      await this.#counting.offer({ tuned, signal });
      this.#failure = null;
    } catch (error) {
      this.#compared = null;
      this.#failure = errorWords(error);
    }
    if (asked === this.#asked) this.#isBusy = false;
  }

  async #compare({ tuned, signal }: { readonly tuned: TunedThresholds; readonly signal: AbortSignal }): Promise<void> {
    if (signal.aborted) return;
    const { chosen: other } = this;
    const { results, isBusy } = this.#run;
    if (!other || isBusy || results.length === 0) {
      this.#compared = null;
      return;
    }
    const compareAt = async (pair: Pair): Promise<Compared | null> => {
      const at: ComparedAt = {
        firstThresholds: Float64Array.from(pair.labels, (label) => tuned.thresholdOf(label)),
        secondThresholds: serviceThresholds(pair.secondLabels, other.rule),
        movedMoreThanPx: this.#movedMoreThanPx,
      };
      const found = await this.#ports.engine.comparePair(pair.serial, at);
      const { serial, images, units, labels, secondLabels } = pair;
      const leftOutCount = results.length - images.length;
      return found && { ...found, serial, images, units, labels, secondLabels, other, at, leftOutCount };
    };
    const isOfNow = (pair: Pair | null): pair is Pair =>
      pair?.results === results &&
      pair.key === other.key &&
      pair.kept === this.#names.kept &&
      pair.dependence === this.#dependence.found;
    const known = isOfNow(this.#pair) ? this.#pair : null;
    let compared = known && (await compareAt(known));
    if (!compared) {
      // A worker that died has forgotten what it measured.
      const pair = await this.#measure(results, other);
      if (signal.aborted) return;
      compared = await compareAt(pair);
    }
    this.#compared = compared;
  }

  async #measure(results: readonly EvaluatedImage[], other: OtherSide): Promise<Pair> {
    const paired = await this.#pairUp(results, other);
    const { pairs } = this.#run;
    const { kept } = this.#names;
    // The other model's names, too, are what the dataset says: truth and both runs are counted by one list of names.
    const theirs = pairsInForce(kept, modelLabelsOf(paired.map(({ image, second }) => ({ image, raw: second }))));
    const images = other.key === null ? paired : withNames(paired, namesAcross(theirs, pairs));
    if (images.length === 0) throw new Error('The two runs have no image in common. Run both on the same dataset.');
    if (images.some(({ second }) => second.classes))
      throw new Error('The other run classifies whole images, so there are no boxes to compare.');
    const serial = ++this.#serial;
    const dependence = this.#dependence.found;
    const units = this.#dependence.units(images.map(({ image }) => image));
    const labels = await this.#ports.engine.measurePair(serial, {
      truth: images.map(({ image: { boxes } }) => ({ boxes })),
      first: images.map(({ first }) => first),
      second: images.map(({ second }) => second),
      units,
    });
    const secondLabels = other.key === null ? labels : labels.map(namesAcross(pairs, theirs));
    this.#pair = { serial, results, key: other.key, kept, dependence, images, units, labels, secondLabels };
    return this.#pair;
  }

  async #pairUp(results: readonly EvaluatedImage[], { key }: OtherSide): Promise<readonly PairedImage[]> {
    if (key === null) return results.map(({ image, raw }) => ({ image, first: raw, second: raw }));
    const paired: PairedImage[] = [];
    for (let from = 0; from < results.length; from += FOUND_AT_ONCE) {
      const some = results.slice(from, from + FOUND_AT_ONCE);
      const found = await this.#ports.store.find(
        key,
        some.map(({ image }) => image.id),
      );
      for (const { image, raw } of some) {
        const second = found.get(image.id);
        if (second) paired.push({ image, first: raw, second });
      }
    }
    return paired;
  }

  /** Makes the report of what is compared. */
  async report(compared: Compared, datasetName: string, format: ReportFormat): Promise<Blob> {
    const names = compared.images.map(({ image }) => image.name);
    const order = { subject: this.#subject(compared, datasetName), names, format };
    const make = (serial: number): Promise<string | null> => this.#ports.engine.reportPair(serial, compared.at, order);
    let text = await make(compared.serial);
    if (text === null) {
      // The worker has died, or measures another pair since.
      const results = compared.images.map(({ image, first }) => ({ image, raw: first }));
      text = await make((await this.#measure(results, compared.other)).serial);
    }
    if (text === null) throw new Error('The runs are being compared again. Make the report when that is done.');
    return reportBlob(text, format);
  }

  #subject({ other, images }: Compared, datasetName: string): CompareSubject {
    const present = this.present!;
    const side = (name: string, of: keyof RunFacts): readonly [string, string, string] => [
      name,
      present[of],
      other[of],
    ];
    return {
      title: `${present.modelName} and ${other.title} compared`,
      facts: [
        ['Dataset', datasetName],
        ['Independent units', this.#dependence.text(images.map(({ image }) => image))],
        ['Sightglass', this.#ports.version],
      ],
      sides: [
        side('Vision service', 'serviceName'),
        side('Model', 'modelName'),
        side('SHA-256', 'sha256'),
        side('Runs on', 'backend'),
      ],
      settings: changedSettings(present.configText, other.configText),
    };
  }
}

/** null: the text has mistakes that could hide a secret */
function factsOf({ serviceName, modelName, sha256, backend, configText }: ReadyModel): RunFacts | null {
  try {
    return { serviceName, modelName, sha256, backend, configText: withoutSecrets(configText).text };
  } catch {
    return null;
  }
}
