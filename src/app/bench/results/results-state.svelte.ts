import type { TransformStep } from '../../../config/machine-config.ts';
import type { Classification, RawDetections } from '../../../vision/detections.ts';
import { dropText, type FilteredRows } from '../../../vision/filter/filter-detections.ts';
import { serviceFilter, type ServiceFilter } from '../../../vision/filter/service-filter.ts';
import type { ServiceFilterRule } from '../../../vision/filter/thresholds.ts';
import { traceToSource, type Point, type TracedBox, type TracedStage } from '../../../vision/trace.ts';
import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import { isOneOf } from './label-lists.ts';
import { memoizeByObject } from '../../kit/schedule/memoize-by-object.ts';
import type { ViewState } from '../view/view-state.svelte.ts';
import { findClasses, type FoundClass } from './find-classes.ts';
import { followBox } from './follow-box.ts';
import { labelsOfClasses, labelsOfRows, rowsFrom, surestRows } from './surest-rows.ts';

const NONE: FilteredRows = { kept: new Uint32Array(0), dropped: new Uint32Array(0) };

/** Of a classifier whose classes are all asked for, as many count as being on the frame. */
const MOST_HERE = 5;

/** A box on one picture of the frame's way. */
export interface TracedPicture {
  readonly name: string;
  readonly widthPx: number;
  readonly heightPx: number;
  /** clockwise from the box's own top left, in pixels of this picture */
  readonly corners: readonly Point[];
  /** a free rotation lies between: the corners are no upright rectangle here */
  readonly tilted: boolean;
}

/** What holds the result of a frame; null while there is none. */
interface ShownResult {
  readonly current: FrameResult | null;
}

/**
 * The raw results of the frame on the stage, or of the one that panels list, under the thresholds in force. A threshold edit is answered
 * here, never in the worker.
 */
export class ResultsState {
  readonly #shown: ShownResult;
  /** null: these are the results on the stage. A list asks those for what both share: filtered rows, the number of classes. */
  readonly #stage: ResultsState | null;
  readonly #view: ViewState;
  readonly #rule: () => ServiceFilterRule;
  readonly #steps: () => readonly TransformStep[];
  #topCount = $state(5);
  readonly #onFiltered: (ms: number) => void;

  /** @param onFiltered called when results were filtered, with how long that took */
  constructor(
    shown: ShownResult,
    view: ViewState,
    rule: () => ServiceFilterRule,
    steps: () => readonly TransformStep[],
    onFiltered: (ms: number) => void = () => {},
    stage: ResultsState | null = null,
  ) {
    this.#onFiltered = onFiltered;
    this.#shown = shown;
    this.#view = view;
    this.#rule = rule;
    this.#steps = steps;
    this.#stage = stage;
  }

  /** The same of the frame that panels list under the rule that they list, which may be ones before those of the stage. */
  listing(listed: ShownResult, rule = this.#rule): ResultsState {
    return new ResultsState(listed, this.#view, rule, this.#steps, this.#onFiltered, this);
  }

  /** How many classifications are asked for; 0 = all, in label order. */
  get topCount(): number {
    return this.#stage?.topCount ?? this.#topCount;
  }
  set topCount(count: number) {
    if (this.#stage) this.#stage.topCount = count;
    else this.#topCount = count;
  }

  /** Rows are numbered by frame: what is selected is found again by its label and place, unless the picture is another. */
  follow(before: FrameResult | null, now: FrameResult): void {
    const samePicture = before?.frame.name === now.frame.name;
    const follow = (row: number | null): number | null =>
      samePicture && row !== null && before.detections && now.detections
        ? followBox(before.detections, row, now.detections)
        : null;
    this.#view.selectedRow = follow(this.#view.selectedRow);
    this.#view.hoveredRow = follow(this.#view.hoveredRow);
  }

  readonly detections: RawDetections | null = $derived.by(() => this.#shown.current?.detections ?? null);

  readonly #filter: ServiceFilter = $derived.by(() => serviceFilter(this.#rule()));

  /** Of the stage, for what panels list too: a frame is on the stage before it is listed, and is filtered once under a rule. */
  readonly #rowsUnder = memoizeByObject((_: ServiceFilterRule, filter: ServiceFilter) =>
    memoizeByObject((raw: RawDetections) => {
      const startMs = performance.now();
      const rows = filter.rows(raw);
      this.#onFiltered(performance.now() - startMs);
      return rows;
    }),
  );

  readonly rows: FilteredRows = $derived.by(() => {
    if (!this.detections) return NONE;
    return (this.#stage ?? this).#rowsUnder(this.#rule(), this.#filter)(this.detections);
  });

  readonly #ghostsOf = $derived.by(() => {
    const { mostGhosts, ghostFloor } = this.#view;
    return memoizeByObject(({ dropped }: FilteredRows, score: Float64Array) =>
      surestRows(mostGhosts, rowsFrom(ghostFloor, dropped, score), score),
    );
  });

  /** What the ghosts show of the dropped rows: the surest, from the floor up. */
  readonly ghosts: readonly number[] = $derived.by(() =>
    this.detections ? (this.#stage ?? this).#ghostsOf(this.rows, this.detections.score) : [],
  );

  #aboveFloor({ score }: RawDetections): Uint32Array {
    return rowsFrom(this.#view.ghostFloor, this.rows.dropped, score);
  }

  readonly classifications: readonly Classification[] | null = $derived.by(() => {
    const raw = this.#shown.current?.classifications;
    if (!raw) return null;
    const startMs = performance.now();
    const classes = this.#filter.classes(raw, this.topCount);
    this.#onFiltered(performance.now() - startMs);
    return classes;
  });

  /**
   * The highest score of each label on this frame, by label in lower case: what is kept or above the floor of the
   * ghosts, of a classifier the classes that it is surest of, whether they are kept or not.
   */
  readonly labelsHere: ReadonlyMap<string, number> = $derived.by(() => {
    const { detections } = this;
    if (!detections) return labelsOfClasses(this.findClasses('').slice(0, this.topCount || MOST_HERE));
    return labelsOfRows(detections, [...this.rows.kept, ...this.#aboveFloor(detections)]);
  });

  /** Whether something of a label is kept on this frame. */
  readonly isLabelKept: (label: string) => boolean = $derived.by(() => {
    const labels = this.detections
      ? Array.from(this.rows.kept, (row) => this.labelOf(row))
      : (this.classifications ?? []).map(({ label }) => label);
    return isOneOf(labels);
  });

  /** How many classes pass the filter before the top n is cut. */
  readonly passingClasses: number = $derived.by(() => {
    const raw = this.#shown.current?.classifications;
    return raw ? this.#filter.classes(raw, 0).length : 0;
  });

  /** How many classes the model tells apart, 0 = it classifies nothing. */
  readonly classCount: number = $derived.by(() => this.#shown.current?.classifications?.score.length ?? 0);

  /** Every class whose name holds a text, by falling score: also what is dropped, and what the top n leaves out. */
  findClasses(text: string, nameOf: (label: string) => string = (label) => label): readonly FoundClass[] {
    const raw = this.#shown.current?.classifications;
    return raw ? findClasses(raw, this.#filter, text, nameOf) : [];
  }

  /** The selected row while it exists on this frame. */
  readonly selectedRow: number | null = $derived.by(() => this.#rowHere(this.#view.selectedRow));

  /** The row that is pointed at, while it exists on this frame. */
  readonly hoveredRow: number | null = $derived.by(() => this.#rowHere(this.#view.hoveredRow));

  select(row: number | null): void {
    this.#view.selectedRow = this.#rowOnStage(row);
  }

  hover(row: number | null): void {
    this.#view.hoveredRow = this.#rowOnStage(row);
  }

  /** The row of this frame that shows what a row of the frame on the stage shows. */
  #rowHere(row: number | null): number | null {
    if (row === null || !this.detections) return null;
    const stage = (this.#stage ?? this).detections;
    if (stage !== this.detections) return stage && followBox(stage, row, this.detections);
    return row < this.detections.count ? row : null;
  }

  #rowOnStage(row: number | null): number | null {
    const stage = (this.#stage ?? this).detections;
    if (row === null || !stage || !this.detections || stage === this.detections) return row;
    return followBox(this.detections, row, stage);
  }

  /** Stages of the frame with the steps that made them, from the one after `step` on (-1 = source). */
  #stagesFrom(step: number): readonly TracedStage[] {
    const steps = this.#steps();
    return (this.#shown.current?.stages ?? [])
      .filter((stage) => stage.step >= step)
      .map((stage) => ({ ...stage, step: steps[stage.step] ?? null }));
  }

  /** The selected box on every picture of the frame's way, from the one that the detector saw back to the source. */
  readonly selectedPath: readonly TracedPicture[] = $derived.by(() => {
    if (this.selectedRow === null || !this.detections) return [];
    const box = boxAt(this.detections, this.selectedRow);
    const stages = this.#stagesFrom(-1);
    return stages
      .map(({ step, widthPx, heightPx }, at) => {
        const corners = traceToSource(box, stages.slice(at));
        const [topLeft, topRight] = corners;
        return {
          type: step?.type,
          name: step ? `${at} · ${step.type}` : 'Source',
          widthPx,
          heightPx,
          corners,
          tilted: topLeft.x !== topRight.x && topLeft.y !== topRight.y,
        };
      })
      .filter(({ type }) => type !== '') // a step that passes through changes nothing
      .toReversed();
  });

  readonly #shownStages: readonly TracedStage[] = $derived.by(() => {
    const last = this.#shown.current?.stages.at(-1)?.step ?? -1;
    return this.#stagesFrom(Math.min(last, this.#view.shownStage ?? last));
  });

  /** Size of the picture on the stage, null before the first frame. */
  readonly shownSize: { readonly widthPx: number; readonly heightPx: number } | null = $derived.by(
    () => this.#shownStages[0] ?? null,
  );

  /** Corners of a row's box on the picture that the stage shows, clockwise from the top left. */
  cornersOf(row: number): readonly Point[] {
    return this.detections ? this.cornersOfBox(boxAt(this.detections, row)) : [];
  }

  /** As `cornersOf`, of a box that someone else found on the frame that the service saw. */
  cornersOfBox(box: TracedBox): readonly Point[] {
    return traceToSource(box, this.#shownStages);
  }

  labelOf(row: number): string {
    return this.detections?.labels[this.detections.labelIndex[row]!] ?? '';
  }

  /** Why the filter drops a row, '' when it keeps it. */
  dropReason(row: number): string {
    const drop = this.detections && this.#filter.dropOf(this.detections, row);
    return drop ? dropText(drop) : '';
  }
}

export function boxAt({ box }: RawDetections, row: number): TracedBox {
  return { xMin: box[4 * row]!, yMin: box[4 * row + 1]!, xMax: box[4 * row + 2]!, yMax: box[4 * row + 3]! };
}
