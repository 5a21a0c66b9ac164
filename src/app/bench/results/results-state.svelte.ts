import type { TransformStep } from '../../../config/machine-config.ts';
import type { Classification, RawDetections } from '../../../vision/detections.ts';
import { dropText, type FilteredRows } from '../../../vision/filter/filter-detections.ts';
import { serviceFilter, type ServiceFilter } from '../../../vision/filter/service-filter.ts';
import type { ServiceFilterRule } from '../../../vision/filter/thresholds.ts';
import { traceToSource, type Point, type TracedBox, type TracedStage } from '../../../vision/trace.ts';
import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import { isOneOf } from './label-lists.ts';
import { memoizeByObject } from '../../../schedule/memoize-by-object.ts';
import type { ViewState } from '../view/view-state.svelte.ts';
import { findClasses, type FoundClass } from './find-classes.ts';
import { followBox } from './follow-box.ts';
import { labelsOfClasses, labelsOfRows, rowsFrom, surestRows } from './surest-rows.ts';

const NONE: FilteredRows = { kept: new Uint32Array(0), dropped: new Uint32Array(0) };

/** For a classifier without a limit on its classes, this many count as being on the frame. */
const MOST_HERE = 5;

/** A box on one picture of the frame's path. */
export interface TracedPicture {
  readonly name: string;
  readonly widthPx: number;
  readonly heightPx: number;
  /** clockwise from the box's top left corner, in pixels of this picture */
  readonly corners: readonly Point[];
  /** whether a free rotation lies between, so that the corners form no upright rectangle here */
  readonly tilted: boolean;
}

/** Holds the result of a frame; null: there is none. */
interface ShownResult {
  readonly current: FrameResult | null;
}

/**
 * The raw results of one frame under the thresholds in force: of the frame on the stage, or of the one that panels
 * list. A changed threshold filters here, never in the worker.
 */
export class ResultsState {
  readonly #shown: ShownResult;
  /**
   * null: this object holds the results of the stage itself. Otherwise the stage's results, with which a list
   * shares the filtered rows and the number of classes.
   */
  readonly #stage: ResultsState | null;
  readonly #view: ViewState;
  readonly #rule: () => ServiceFilterRule;
  readonly #steps: () => readonly TransformStep[];
  #topCount = $state(5);
  readonly #onFiltered: (ms: number) => void;

  /** @param onFiltered called with the duration in ms after results were filtered */
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

  /** The results of the frame that panels list, under their rule; both may be older than the stage's. */
  listing(listed: ShownResult, rule = this.#rule): ResultsState {
    return new ResultsState(listed, this.#view, rule, this.#steps, this.#onFiltered, this);
  }

  /** Number of requested classifications; 0: all, in label order. */
  get topCount(): number {
    return this.#stage?.topCount ?? this.#topCount;
  }
  set topCount(count: number) {
    if (this.#stage) this.#stage.topCount = count;
    else this.#topCount = count;
  }

  /**
   * Rows are numbered within a frame: the selected row is found again by its label and position, unless the source
   * changed.
   */
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

  /** Shared with the lists: a frame is on the stage before it is listed, and is filtered once for each rule. */
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

  /** The dropped rows that are drawn: the ones with the highest scores, from the lowest drawn score up. */
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
   * The highest score of each label on this frame, by label in lower case: labels that are kept or above the lowest
   * drawn score; for a classifier its best classes, whether or not they are kept.
   */
  readonly labelsHere: ReadonlyMap<string, number> = $derived.by(() => {
    const { detections } = this;
    if (!detections) return labelsOfClasses(this.findClasses('').slice(0, this.topCount || MOST_HERE));
    return labelsOfRows(detections, [...this.rows.kept, ...this.#aboveFloor(detections)]);
  });

  /** Whether any detection or class of a label is kept on this frame. */
  readonly isLabelKept: (label: string) => boolean = $derived.by(() => {
    const labels = this.detections
      ? Array.from(this.rows.kept, (row) => this.labelOf(row))
      : (this.classifications ?? []).map(({ label }) => label);
    return isOneOf(labels);
  });

  /** How many classes pass the filter, before the limit to the top n. */
  readonly passingClasses: number = $derived.by(() => {
    const raw = this.#shown.current?.classifications;
    return raw ? this.#filter.classes(raw, 0).length : 0;
  });

  /** Number of classes of the model; 0: it is no classifier. */
  readonly classCount: number = $derived.by(() => this.#shown.current?.classifications?.score.length ?? 0);

  /**
   * All classes whose name contains a text, by falling score, including dropped ones and those beyond the top n.
   */
  findClasses(text: string, nameOf: (label: string) => string = (label) => label): readonly FoundClass[] {
    const raw = this.#shown.current?.classifications;
    return raw ? findClasses(raw, this.#filter, text, nameOf) : [];
  }

  /** The selected row; null: not on this frame. */
  readonly selectedRow: number | null = $derived.by(() => this.#rowHere(this.#view.selectedRow));

  /** The row under the pointer; null: not on this frame. */
  readonly hoveredRow: number | null = $derived.by(() => this.#rowHere(this.#view.hoveredRow));

  select(row: number | null): void {
    this.#view.selectedRow = this.#rowOnStage(row);
  }

  hover(row: number | null): void {
    this.#view.hoveredRow = this.#rowOnStage(row);
  }

  /** The row of this frame with the same object as a row of the frame on the stage. */
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

  /** The frame's stages with the steps that made them, from the one after `step` on (-1: source). */
  #stagesFrom(step: number): readonly TracedStage[] {
    const steps = this.#steps();
    return (this.#shown.current?.stages ?? [])
      .filter((stage) => stage.step >= step)
      .map((stage) => ({ ...stage, step: steps[stage.step] ?? null }));
  }

  /** The selected box on every picture of the frame's path, from the detector's input back to the source. */
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

  /** Size of the picture on the stage; null: no frame yet. */
  readonly shownSize: { readonly widthPx: number; readonly heightPx: number } | null = $derived.by(
    () => this.#shownStages[0] ?? null,
  );

  /** Corners of a row's box on the picture that the stage shows, clockwise from the top left. */
  cornersOf(row: number): readonly Point[] {
    return this.detections ? this.cornersOfBox(boxAt(this.detections, row)) : [];
  }

  /** Like `cornersOf`, for a box that another detector found on the service's input frame. */
  cornersOfBox(box: TracedBox): readonly Point[] {
    return traceToSource(box, this.#shownStages);
  }

  labelOf(row: number): string {
    return this.detections?.labels[this.detections.labelIndex[row]!] ?? '';
  }

  /** Why the filter drops a row; '': it keeps it. */
  dropReason(row: number): string {
    const drop = this.detections && this.#filter.dropOf(this.detections, row);
    return drop ? dropText(drop) : '';
  }
}

export function boxAt({ box }: RawDetections, row: number): TracedBox {
  return { xMin: box[4 * row]!, yMin: box[4 * row + 1]!, xMax: box[4 * row + 2]!, yMax: box[4 * row + 3]! };
}
