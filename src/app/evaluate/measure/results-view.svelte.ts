import type { ToldErrors } from '../../../../workers/evaluation/client.ts';
import {
  type BoxError,
  type ErrorKind,
  type LabelSweep,
  metricsAt,
  type MetricsAt,
  modelLimit,
  type ModelLimit,
  sweepLabels,
} from '../../../evidence/evaluation/face/sweep.ts';
import { unknownTruth, type UnknownTruth } from '../../../evidence/evaluation/face/report.ts';
import { type PresentSetup, shownEvidence } from '../../../machine/config/face/edits.ts';
import { LatestWins } from '../../../base/schedule/latest-wins.ts';
import {
  boundPooledRecall,
  boundRecall,
  canChoose,
  chooseThreshold,
  type PromisedOf,
  type RecallBoundAnswer,
  type ThresholdChoice,
  type Units,
  unitsOf,
} from '../../../evidence/evaluation/face/thresholds.ts';
import { binScores, sumBins } from '../../../machine/vision/face/filters.ts';
import { numberText } from '../../kit/words/figures.ts';
import { evidenceOf, type ChosenThreshold, type EvidenceSource } from '../goal/evidence-of.ts';
import { defaultGoal, goalOf, type GoalSettings } from '../goal/goal-settings.ts';
import type { TruthImage } from '../ports/truth-source.ts';
import type { Measured } from './box-counting.ts';
import { drawnError, type DrawnError } from './error-subject.ts';
import type { OtherLabels, TunedThresholds } from '../goal/tuned-thresholds.ts';
import { curvesOf, type Curves } from './curves.ts';
import { errorsOfCell, type Cell } from './errors-of-cell.ts';

/** What a person wants to see of the errors. */
export interface ErrorFilter {
  readonly kind: ErrorKind | 'all';
  /** a label of the truth or of the result; null: all */
  readonly label: string | null;
  /** a cell of the confusion matrix; null: all */
  readonly pair: Cell | null;
}

/** Errors, together with the boxes that they are about. */
export interface ErrorsAtRest extends ToldErrors {
  readonly measured: Measured;
}

export type TellErrors = (measured: Measured, thresholds: Float64Array) => Promise<ToldErrors | null>;

/**
 * The figures at the thresholds of the bench. Counts follow each value of a drag; the list of errors and the confusion
 * matrix are computed when the threshold rests.
 */
export class ResultsView {
  readonly #measured: () => Measured;
  readonly #tuned: TunedThresholds;
  readonly #unitsOfImages: (images: readonly TruthImage[]) => Units;
  #shownLabel = $state<string | null>(null);
  public filter = $state.raw<ErrorFilter>({ kind: 'all', label: null, pair: null });
  #goal = $state.raw<GoalSettings>(defaultGoal);
  #atRest = $state.raw<ErrorsAtRest | null>(null);
  readonly #telling: LatestWins<{ readonly of: Measured; readonly thresholds: Float64Array }, void>;

  /** @param unitsOfImages by what is recorded of them, if nothing looks at them */
  constructor(
    measured: () => Measured,
    tuned: TunedThresholds,
    tellErrors: TellErrors,
    unitsOfImages: (images: readonly TruthImage[]) => Units = unitsOf,
  ) {
    this.#measured = measured;
    this.#unitsOfImages = unitsOfImages;
    this.#tuned = tuned;
    this.#telling = new LatestWins(
      async ({ of, thresholds }) => {
        const told = await tellErrors(of, thresholds);
        if (told) this.#atRest = { measured: of, ...told };
      },
      () => undefined,
    );
  }

  /** The boxes with their matches, of which everything here is made. */
  get measured(): Measured {
    return this.#measured();
  }

  readonly labels: readonly string[] = $derived.by(() => this.#measured().boxes.space.labels);

  /** Number of the label whose curves are shown; null: all labels together. */
  readonly label: number | null = $derived.by(() => {
    const number = this.#shownLabel === null ? -1 : this.labels.indexOf(this.#shownLabel);
    return number < 0 ? null : number;
  });

  /** Shows the curves of a label by its name, which stays while more images come; null: of all labels. */
  show(label: string | null): void {
    this.#shownLabel = label;
  }

  readonly sweeps: readonly LabelSweep[] = $derived.by(() => sweepLabels(this.#measured().matches));

  /** The lowest score that is kept, by label number; +Infinity: the label is dropped. */
  readonly thresholds: Float64Array = $derived.by(() =>
    Float64Array.from(this.labels, (label) => this.#tuned.thresholdOf(label)),
  );

  readonly now: MetricsAt = $derived.by(() => metricsAt(this.sweeps, this.thresholds));

  /** The sweeps whose curves are shown. */
  readonly #shown: readonly LabelSweep[] = $derived.by(() =>
    this.label === null ? this.sweeps : this.sweeps.slice(this.label, this.label + 1),
  );

  readonly #binsOf: readonly Uint32Array[] = $derived.by(() => {
    const { count, label: labelIndex, score } = this.#measured().boxes.detections;
    return binScores({ count, labelIndex, score }, this.labels.length);
  });

  /** The histogram of the scores of the shown label, or of all labels. */
  readonly scoreBins: Uint32Array = $derived.by(() =>
    this.label === null ? sumBins(this.#binsOf) : this.#binsOf[this.label]!,
  );

  readonly curves: Curves = $derived.by(() => curvesOf(this.#shown));

  /** The threshold of the shown label, or the default; null: all labels are shown, and each has its own. */
  readonly threshold: number | null = $derived.by(() => {
    if (this.label !== null) return this.thresholds[this.label]!;
    return this.#tuned.perLabel ? null : this.#tuned.default;
  });

  /** false: thresholds cannot be moved, because the bench has another model or setup than the run */
  get isOfBench(): boolean {
    return this.#tuned.isOfBench;
  }

  /** Moves the threshold of the shown label, or the default. */
  move(value: number): void {
    if (this.label === null) this.#tuned.setDefault(value, true);
    else this.#tuned.setLabel(this.labels[this.label]!, value, true);
  }

  settle(): void {
    this.#tuned.settle();
    void this.updateErrors();
  }

  /** Has the errors told apart again, at the present thresholds. */
  async updateErrors(): Promise<void> {
    await this.#telling.offer({ of: this.measured, thresholds: this.thresholds });
  }

  /** Errors and confusion matrix when the thresholds rested last; null: they are not yet told apart. */
  get atRest(): ErrorsAtRest | null {
    return this.#atRest;
  }

  /** What the thresholds of the bench stand on, as facts of a report. */
  evidenceFacts(): readonly (readonly [string, string])[] {
    const { evidence, present } = this.#tuned;
    const thresholdOf = (label: string): number => this.#tuned.thresholdOf(label);
    return shownEvidence(evidence, thresholdOf, present).map(({ label, text, outdated }) => [
      `Threshold of ${label}`,
      `${numberText(thresholdOf(label))}, chosen ${text}${outdated && ` (out of date: ${outdated})`}`,
    ]);
  }

  /** A limit of the model itself, which makes curves less than whole at low scores; null: nothing speaks for one. */
  readonly modelLimit: ModelLimit | null = $derived.by(() => {
    const { detections, space } = this.#measured().boxes;
    return modelLimit(detections, space.imageCount);
  });

  /** The lowest score of all results; null: there are none. A model may leave out what is below a score of its own. */
  readonly lowestScore: number | null = $derived.by(() => {
    const { count, score } = this.#measured().boxes.detections;
    return count === 0 ? null : score.reduce((low, one) => Math.min(low, one), Infinity);
  });

  /** What thresholds are chosen for. */
  get goal(): GoalSettings {
    return this.#goal;
  }

  setGoal(goal: GoalSettings): void {
    this.#goal = goal;
  }

  /** The setup in force on the bench. */
  get present(): PresentSetup {
    return this.#tuned.present;
  }

  /** Labels whose present thresholds were chosen on a dataset. */
  chosenOn(dataset: string): readonly string[] {
    const { evidence, present } = this.#tuned;
    return evidence
      .filter((one) => one.service === present.visionName && one.dataset === dataset)
      .flatMap(({ labels }) => labels)
      .filter(({ label, threshold }) => this.#tuned.thresholdOf(label) === threshold)
      .map(({ label }) => label);
  }

  /** Which images belong together. */
  readonly units: Units = $derived.by(() => this.#unitsOfImages(this.#measured().images.map(({ image }) => image)));

  /** Some images belong together, so that there are fewer units than images. */
  readonly hasVideos: boolean = $derived.by(() => this.units.count < this.#measured().images.length);

  /** Numbers of the labels for which a threshold can be chosen. */
  readonly choosable: readonly number[] = $derived.by(() =>
    this.sweeps
      .filter((sweep) => canChoose(sweep) && this.#measured().boxes.isOfModel[sweep.label])
      .map(({ label }) => label),
  );

  /**
   * Labels of the model and of the truth where they have none in common, as when a label file is missing; null: there is
   * truth that the model can find, or no truth at all.
   */
  readonly strangeLabels: { readonly ofModel: readonly string[]; readonly ofTruth: readonly string[] } | null =
    $derived.by(() => {
      const { isOfModel } = this.#measured().boxes;
      const ofTruth = this.sweeps.filter(({ truthCount }) => truthCount > 0).map(({ label }) => this.labels[label]!);
      const ofModel = this.labels.filter((_, label) => isOfModel[label]);
      const isShared = this.sweeps.some(({ label, truthCount }) => truthCount > 0 && isOfModel[label]);
      return ofTruth.length > 0 && ofModel.length > 0 && !isShared ? { ofModel, ofTruth } : null;
    });

  /** Truth of labels that the model does not report, so that none of it can be found; null: it knows all of them. */
  readonly unknownTruth: UnknownTruth | null = $derived.by(() => {
    const { isOfModel } = this.#measured().boxes;
    const known = this.labels.filter((_, label) => isOfModel[label]);
    return unknownTruth(this.sweeps, this.labels, known);
  });

  /** Whether the truth has a box of each label, by label number; boxes that do not count, such as crowds, are included. */
  readonly inTruth: readonly boolean[] = $derived.by(() => {
    const { label } = this.#measured().boxes.truth;
    const inTruth = this.labels.map(() => false);
    for (const one of label) inTruth[one] = true;
    return inTruth;
  });

  /** Labels that the model gave results of, and that the truth has no box of. */
  readonly ofModelAlone: readonly string[] = $derived.by(() =>
    this.sweeps
      .filter(({ label, score }) => score.length > 0 && !this.inTruth[label])
      .map(({ label }) => this.labels[label]!),
  );

  /** The threshold of the shown label by the goal; null: all labels are shown, or nothing can be chosen for it. */
  readonly choice: ThresholdChoice | null = $derived.by(() => (this.label === null ? null : this.#choose(this.label)));

  #choose(label: number): ThresholdChoice | null {
    const { imageCount } = this.#measured().boxes.space;
    return chooseThreshold(this.sweeps[label]!, imageCount, goalOf(this.#goal), { units: this.units });
  }

  /** Both promises about the recall of the shown label; null: all labels are shown, or there is no truth of it. */
  readonly promises: Readonly<Record<PromisedOf, RecallBoundAnswer>> | null = $derived.by(() => {
    const { label } = this;
    if (label === null || !this.choosable.includes(label)) return null;
    return { 'each-image': this.#promise(label, 'each-image'), 'all-objects': this.#promise(label, 'all-objects') };
  });

  #promise(label: number, of: PromisedOf): RecallBoundAnswer {
    const { promisedRecall: recall, brokenAtMost } = this.#goal;
    const bound = of === 'all-objects' ? boundPooledRecall : boundRecall;
    return bound(this.sweeps[label]!, this.units, { recall, brokenAtMost });
  }

  /** The thresholds by the goal of all labels, with what they will do on other images; a promise has no such figures. */
  readonly choices: readonly ThresholdChoice[] = $derived.by(() =>
    this.choosable.flatMap((label) => this.#choose(label) ?? []),
  );

  /** The thresholds by the goal of all labels for which one can be chosen. */
  chooseAll(): readonly ChosenThreshold[] {
    return this.#goal.kind === 'recall-promise'
      ? this.choosable.flatMap((label) => promised(label, this.#promise(label, this.#goal.promisedOf)) ?? [])
      : this.choices;
  }

  /** What the goal chooses for the shown label; null: none is shown, or nothing can be chosen. */
  readonly chosen: ChosenThreshold | null = $derived.by(() => {
    if (this.#goal.kind !== 'recall-promise') return this.choice;
    return this.label === null || this.promises === null
      ? null
      : promised(this.label, this.promises[this.#goal.promisedOf]);
  });

  /** How many labels of the model have no truth here, or no right result, so that no threshold can be chosen for them. */
  readonly otherCount: number = $derived.by(
    () => this.#measured().boxes.isOfModel.filter(Boolean).length - this.choosable.length,
  );

  /** Writes thresholds into the configuration with what they stand on, as one step of undo. */
  write(choices: readonly ChosenThreshold[], others: OtherLabels, source: EvidenceSource): void {
    const values = Object.fromEntries(choices.map(({ label, threshold }) => [this.labels[label]!, threshold]));
    const images = this.#measured().boxes.space.imageCount;
    this.#tuned.setEach(values, others, evidenceOf(choices, { ...source, images, labels: this.labels }, this.#goal));
    this.settle();
  }

  /** The first of the errors that are listed, as they are drawn. */
  drawnErrors(count: number): readonly DrawnError[] {
    return this.listed.slice(0, count).map((error) => drawnError(error, this.#atRest!.measured));
  }

  /** The errors that are wanted, the worst first: the surest false results, then the largest missed boxes. */
  readonly listed: readonly BoxError[] = $derived.by(() => {
    if (!this.#atRest) return [];
    const { measured, errors, confusion } = this.#atRest;
    const { truth, detections, space } = measured.boxes;
    const { kind, label, pair } = this.filter;
    const number = label === null ? null : space.labels.indexOf(label);
    const isOfLabel = ({ truthRow, detectionRow }: BoxError): boolean =>
      (truthRow >= 0 && truth.label[truthRow] === number) ||
      (detectionRow >= 0 && detections.label[detectionRow] === number);
    const scoreOf = ({ detectionRow }: BoxError): number => (detectionRow < 0 ? -1 : detections.score[detectionRow]!);
    const areaOf = ({ truthRow }: BoxError): number => (truthRow < 0 ? 0 : truth.area[truthRow]!);
    return (pair ? errorsOfCell(pair, errors, confusion, measured.boxes) : errors.errors)
      .filter((error) => (kind === 'all' || error.kind === kind) && (label === null || isOfLabel(error)))
      .sort((one, other) => scoreOf(other) - scoreOf(one) || areaOf(other) - areaOf(one));
  });
}

/** The threshold that a promise stands on; null: there are too few images to promise anything. */
function promised(label: number, { bound }: RecallBoundAnswer): ChosenThreshold | null {
  return bound && { label, threshold: bound.threshold, expected: null };
}
