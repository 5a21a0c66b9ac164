import { untrack } from 'svelte';
import {
  type Judgement,
  type JudgingPlan,
  lotOf,
  planJudging,
  precisionJudged,
  strataAround,
  type StrataEdges,
} from '../../../evidence/evaluation/face/thresholds.ts';
import type { MemoryPort } from '../../kit/memory/remembered.ts';
import type { EvaluatedImage } from '../run/evaluated-image.ts';
import type { TunedThresholds } from '../goal/tuned-thresholds.ts';
import { boxesOfLabel, labelsFound, type FoundBox, type FoundLabel } from './found-boxes.ts';
import {
  boxName,
  judgementsIn,
  lostBoxes,
  recallSessions,
  rememberSessions,
  Verdicts,
  type JudgedBox,
  type JudgingSession,
} from './kept-judgements.ts';

type Estimate = NonNullable<ReturnType<typeof precisionJudged>>;

/** The run whose boxes are judged. */
export interface JudgedRun {
  /** Names model, configuration and images: judgements belong to one run. */
  readonly key: () => string;
  readonly results: () => readonly EvaluatedImage[];
  /** the label whose figures a person looks at; null: all */
  readonly chosen: () => string | null;
}

const FIRST_BUDGET = 40;
const MORE = 20;
const CURVE_STEPS = 100;
const WHOLE_IMAGES = 10;

/**
 * Judging boxes without truth: which are drawn, what a person said of them, and the precision that follows. Judgements
 * outlast the page.
 */
export class Judging {
  readonly #run: JudgedRun;
  readonly #tuned: TunedThresholds;
  readonly #memory: MemoryPort;
  #sessions = $state.raw<readonly JudgingSession[]>([]);
  /** ids of images that turned out to be deleted */
  #gone = $state.raw<readonly string[]>([]);

  constructor(run: JudgedRun, tuned: TunedThresholds, memory: MemoryPort) {
    this.#run = run;
    this.#tuned = tuned;
    this.#memory = memory;
    this.#sessions = recallSessions(memory);
  }

  /** The labels that were found, most kept boxes first; thresholds that move later do not change the order. */
  readonly labels: readonly FoundLabel[] = $derived.by(() => {
    const results = this.#run.results();
    return untrack(() => labelsFound(results, (label) => this.#tuned.thresholdOf(label)));
  });

  /** The label that is judged; '': nothing was found. */
  readonly label: string = $derived.by(
    () => (this.labels.find(({ name }) => name === this.#run.chosen()) ?? this.labels[0])?.name ?? '',
  );

  /** The line in force for the label; +Infinity: the label is dropped. */
  readonly threshold: number = $derived.by(() => this.#tuned.thresholdOf(this.label));

  /** false: the line cannot be moved, because the bench has another model or setup than the run */
  get isOfBench(): boolean {
    return this.#tuned.isOfBench;
  }

  move(value: number): void {
    this.#tuned.setLabel(this.label, value, true);
  }

  settle(): void {
    this.#tuned.settle();
  }

  readonly #key: string = $derived.by(() => `${this.#run.key()} ${this.label.toLowerCase()}`);
  readonly #session: JudgingSession | null = $derived.by(
    () => this.#sessions.find(({ key }) => key === this.#key) ?? null,
  );

  /** Boxes of the label on images that are there. */
  readonly #boxes: readonly FoundBox[] = $derived.by(() =>
    boxesOfLabel(this.#run.results(), this.label).filter(({ found }) => !this.#gone.includes(found.image.id)),
  );
  readonly #scores: Float64Array = $derived.by(() => Float64Array.from(this.#boxes, ({ score }) => score));
  readonly #lots: Float64Array = $derived.by(() =>
    Float64Array.from(this.#boxes, (box) => lotOf(boxName(box.found.image.id, box.row))),
  );

  // Apart from the judgements, so that a judgement draws nothing again.
  readonly #edges: StrataEdges | null = $derived.by(() => this.#session?.edges ?? null);
  readonly #budget: number = $derived.by(() => this.#session?.budget ?? 0);
  readonly #plan: JudgingPlan | null = $derived.by(
    () => this.#edges && planJudging(this.#scores, this.#edges, this.#budget, this.#lots),
  );

  readonly #verdicts: Verdicts = $derived.by(() => new Verdicts(this.#session?.judged ?? []));
  readonly #verdictOf = (row: number): boolean | undefined => {
    const { found, row: ofImage } = this.#boxes[row]!;
    return this.#verdicts.of(found.image.id, ofImage);
  };

  /** Whether there is a judgement to take back. */
  readonly canUndo: boolean = $derived.by(() => (this.#session?.judged.length ?? 0) > 0);

  /** Whether boxes were drawn for the label. */
  readonly isBegun: boolean = $derived.by(() => this.#session !== null);

  /** The line around which boxes were drawn. */
  readonly drawnAround: number | null = $derived.by(() => this.#session?.edges[1] ?? null);

  /** How many boxes were drawn, and how many of these are judged. */
  readonly progress: { readonly drawn: number; readonly judged: number } = $derived.by(() => {
    const drawn = this.#plan?.drawn ?? [];
    return { drawn: drawn.length, judged: drawn.filter(({ row }) => this.#verdictOf(row) !== undefined).length };
  });

  /** How many boxes would be drawn around the line in force. */
  readonly firstCount: number = $derived.by(
    () => planJudging(this.#scores, strataAround(this.#scores, this.threshold), FIRST_BUDGET, this.#lots).drawn.length,
  );

  /** How many boxes are drawn next; 0: there are none that were not drawn yet. */
  readonly moreCount: number = $derived.by(() => {
    const all = this.#plan?.strata.reduce((sum, { size }) => sum + size, 0) ?? 0;
    return Math.min(MORE, all - this.progress.drawn);
  });

  /** The next box to be judged, and how likely it was to be drawn; null: all are judged. */
  readonly #next: { readonly box: FoundBox; readonly probability: number } | null = $derived.by(() => {
    const drawn = this.#plan?.drawn.find(({ row }) => this.#verdictOf(row) === undefined);
    return drawn ? { box: this.#boxes[drawn.row]!, probability: drawn.probability } : null;
  });
  readonly current: FoundBox | null = $derived.by(() => this.#next?.box ?? null);

  /** Judged boxes that count no longer, as their images are gone. */
  readonly lostCount: number = $derived.by(() => {
    const there = this.#boxes.map(({ found }) => found.image.id);
    return lostBoxes(this.#session?.judged ?? [], there).length;
  });

  /** Images that could not be shown, as they were deleted since the run. */
  readonly goneCount: number = $derived.by(() => this.#gone.length);

  readonly #judgements: readonly Judgement[] = $derived.by(() =>
    this.#plan ? judgementsIn(this.#plan, this.#verdictOf) : [],
  );

  /** How many of the boxes that the line keeps are right; null: the judgements do not say. */
  readonly estimate: Estimate | null = $derived.by(
    () => this.#plan && precisionJudged(this.#plan, this.#judgements, this.threshold),
  );

  /** How many boxes the line keeps. */
  readonly keptCount: number = $derived.by(() => this.#scores.filter((score) => score - this.threshold >= 0).length);

  /** The estimate at evenly spaced thresholds from 0 to 1. */
  readonly curve: readonly { readonly threshold: number; readonly estimate: Estimate | null }[] = $derived.by(() =>
    Array.from({ length: CURVE_STEPS + 1 }, (_, step) => {
      const threshold = step / CURVE_STEPS;
      return { threshold, estimate: this.#plan && precisionJudged(this.#plan, this.#judgements, threshold) };
    }),
  );

  /** Images drawn at random, for whoever boxes them whole: recall needs that. */
  readonly wholeImages: readonly EvaluatedImage[] = $derived.by(() =>
    this.#run
      .results()
      .map((found) => ({ found, lot: lotOf(found.image.id) }))
      .sort((a, b) => a.lot - b.lot)
      .slice(0, WHOLE_IMAGES)
      .map(({ found }) => found),
  );

  /** Draws boxes around the line in force. What was judged stays judged, and counts where it is drawn again. */
  draw(): void {
    const edges = strataAround(this.#scores, this.threshold);
    this.#keep({ key: this.#key, edges, budget: FIRST_BUDGET, judged: this.#session?.judged ?? [] });
  }

  drawMore(): void {
    const session = this.#session;
    if (session) this.#keep({ ...session, budget: session.budget + MORE });
  }

  /** Says of the present box whether it is right. */
  judge(isRight: boolean): void {
    const [session, next] = [this.#session, this.#next];
    if (!session || !next) return;
    const { found, row } = next.box;
    const judged: JudgedBox = { imageId: found.image.id, row, isRight, probability: next.probability };
    this.#keep({ ...session, judged: [...session.judged, judged] });
  }

  /** Takes the last judgement back, so that its box is asked again. */
  undo(): void {
    const session = this.#session;
    if (session) this.#keep({ ...session, judged: session.judged.slice(0, -1) });
  }

  /** Leaves out an image that was deleted: others are drawn in the place of its boxes. */
  skip(imageId: string): void {
    if (!this.#gone.includes(imageId)) this.#gone = [...this.#gone, imageId];
  }

  #keep(session: JudgingSession): void {
    this.#sessions = [session, ...this.#sessions.filter(({ key }) => key !== session.key)];
    rememberSessions(this.#memory, this.#sessions);
  }
}
