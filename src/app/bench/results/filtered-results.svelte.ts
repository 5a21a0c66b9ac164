import type { Classification, RawDetections } from '../../../machine/vision/face/results.ts';
import {
  dropText,
  type FilteredRows,
  serviceFilter,
  type ServiceFilter,
  type ServiceFilterRule,
} from '../../../machine/vision/face/filters.ts';
import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import { memoizeByObject } from '../../../base/schedule/memoize-by-object.ts';
import type { ViewState } from '../view/view-state.svelte.ts';
import { findClasses, type FoundClass } from './find-classes.ts';
import { isOneOf } from './label-lists.ts';
import { labelsOfClasses, labelsOfRows, rowsFrom } from './surest-rows.ts';

const NONE: FilteredRows = { kept: new Uint32Array(0), dropped: new Uint32Array(0) };

/** For a classifier without a limit on its classes, this many count as being on the frame. */
const MOST_HERE = 5;

/** Holds the result of a frame; null: there is none. */
export interface ShownResult {
  readonly current: FrameResult | null;
}

/** What the results of the stage and of a list share, whatever their frames and rules. */
export class ResultsFiltering {
  /** Number of requested classifications; 0: all, in label order. */
  public topCount = $state(5);
  readonly #onFiltered: (ms: number) => void;

  /** @param onFiltered called with the duration in ms after results were filtered */
  constructor(onFiltered: (ms: number) => void) {
    this.#onFiltered = onFiltered;
  }

  /** A frame is on the stage before it is listed, and its rows are filtered once for each rule. */
  readonly rows = memoizeByObject((_: ServiceFilterRule, filter: ServiceFilter) =>
    memoizeByObject((raw: RawDetections) => this.timed(() => filter.rows(raw))),
  );

  timed<Result>(filter: () => Result): Result {
    const startMs = performance.now();
    const result = filter();
    this.#onFiltered(performance.now() - startMs);
    return result;
  }
}

/** The raw results of one frame under a rule. A changed threshold filters here, never in the worker. */
export class FilteredResults {
  readonly #shown: ShownResult;
  readonly #view: Pick<ViewState, 'ghostFloor'>;
  readonly #rule: () => ServiceFilterRule;
  readonly #filtering: ResultsFiltering;

  constructor(
    shown: ShownResult,
    view: Pick<ViewState, 'ghostFloor'>,
    rule: () => ServiceFilterRule,
    filtering: ResultsFiltering,
  ) {
    this.#shown = shown;
    this.#view = view;
    this.#rule = rule;
    this.#filtering = filtering;
  }

  readonly detections: RawDetections | null = $derived.by(() => this.#shown.current?.detections ?? null);

  readonly #filter: ServiceFilter = $derived.by(() => serviceFilter(this.#rule()));

  readonly rows: FilteredRows = $derived.by(() =>
    this.detections ? this.#filtering.rows(this.#rule(), this.#filter)(this.detections) : NONE,
  );

  #aboveFloor({ score }: RawDetections): Uint32Array {
    return rowsFrom(this.#view.ghostFloor, this.rows.dropped, score);
  }

  readonly classifications: readonly Classification[] | null = $derived.by(() => {
    const raw = this.#shown.current?.classifications;
    return raw ? this.#filtering.timed(() => this.#filter.classes(raw, this.#filtering.topCount)) : null;
  });

  /**
   * The highest score of each label on this frame, by label in lower case: labels that are kept or above the lowest
   * drawn score; for a classifier its best classes, whether or not they are kept.
   */
  readonly labelsHere: ReadonlyMap<string, number> = $derived.by(() => {
    const { detections } = this;
    if (!detections) return labelsOfClasses(this.findClasses('').slice(0, this.#filtering.topCount || MOST_HERE));
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

  /** Number of listed classes of the model; 0: it is no classifier. */
  readonly classCount: number = $derived.by(() => this.#shown.current?.classifications?.score.length ?? 0);

  /** Number of further values that no classifier has as classes, of which the frame's result lists none. */
  readonly unlisted: number = $derived.by(() => this.#shown.current?.classifications?.unlisted ?? 0);

  /**
   * All classes whose name contains a text, by falling score, including dropped ones and those beyond the top n.
   */
  findClasses(text: string, nameOf: (label: string) => string = (label) => label): readonly FoundClass[] {
    const raw = this.#shown.current?.classifications;
    return raw ? findClasses(raw, this.#filter, text, nameOf) : [];
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
