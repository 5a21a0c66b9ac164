import type { TransformStep } from '../../../machine/config/face/machine-config.ts';
import type { DetectionDetails, RawDetections } from '../../../machine/vision/face/results.ts';
import type { ServiceFilterRule } from '../../../machine/vision/face/filters.ts';
import {
  type Point,
  type TracedBox,
  type TracedStage,
  tracePoint,
  traceToSource,
} from '../../../machine/vision/face/traces.ts';
import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import type { ViewState } from '../view/view-state.svelte.ts';
import { FilteredResults, ResultsFiltering, type ShownResult } from './filtered-results.svelte.ts';
import { followBox } from './follow-box.ts';
import { rowsFrom, surestRows } from './surest-rows.ts';

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

/** The results of the frame on the stage: what is selected of them, and where their boxes lie on its pictures. */
export class ResultsState extends FilteredResults {
  readonly #shown: ShownResult;
  readonly #view: ViewState;
  readonly #steps: () => readonly TransformStep[];
  readonly #filtering: ResultsFiltering;

  /** @param onFiltered called with the duration in ms after results were filtered */
  constructor(
    shown: ShownResult,
    view: ViewState,
    rule: () => ServiceFilterRule,
    steps: () => readonly TransformStep[],
    onFiltered: (ms: number) => void = () => {},
  ) {
    const filtering = new ResultsFiltering(onFiltered);
    super(shown, view, rule, filtering);
    this.#shown = shown;
    this.#view = view;
    this.#steps = steps;
    this.#filtering = filtering;
  }

  /** The results of the frame that panels list, under their rule; both may be older than the stage's. */
  listing(listed: ShownResult, rule: () => ServiceFilterRule): FilteredResults {
    return new FilteredResults(listed, this.#view, rule, this.#filtering);
  }

  /** Number of requested classifications; 0: all, in label order. */
  get topCount(): number {
    return this.#filtering.topCount;
  }
  set topCount(count: number) {
    this.#filtering.topCount = count;
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

  /** The dropped rows that are drawn: the ones with the highest scores, from the lowest drawn score up. */
  readonly ghosts: readonly number[] = $derived.by(() => {
    if (!this.detections) return [];
    const { score } = this.detections;
    return surestRows(this.#view.mostGhosts, rowsFrom(this.#view.ghostFloor, this.rows.dropped, score), score);
  });

  /** The selected row; null: not on this frame. */
  readonly selectedRow: number | null = $derived.by(() => this.#rowHere(this.#view.selectedRow));

  /** The row under the pointer; null: not on this frame. */
  readonly hoveredRow: number | null = $derived.by(() => this.#rowHere(this.#view.hoveredRow));

  select(row: number | null): void {
    this.#view.selectedRow = row;
  }

  hover(row: number | null): void {
    this.#view.hoveredRow = row;
  }

  #rowHere(row: number | null): number | null {
    return row !== null && this.detections && row < this.detections.count ? row : null;
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

  /** Size of the picture that the model sees, behind the camera's steps; null: no frame yet. */
  get seenSize(): { readonly widthPx: number; readonly heightPx: number } | null {
    return this.#shown.current?.stages.at(-1) ?? null;
  }

  /** Corners of a row's box on the picture that the stage shows, clockwise from the top left. */
  cornersOf(row: number): readonly Point[] {
    return this.detections ? this.cornersOfBox(boxAt(this.detections, row)) : [];
  }

  /** Like `cornersOf`, for a box that another detector found on the service's input frame. */
  cornersOfBox(box: TracedBox): readonly Point[] {
    return traceToSource(box, this.#shownStages);
  }

  /** Like `cornersOf`, for a point of the service's input frame. The function that it gives is of this frame, also when another one follows. */
  get placeOf(): (point: Point) => Point {
    const stages = this.#shownStages;
    return (point) => tracePoint(point, stages);
  }

  /** What the model says of the frame's rows beyond their boxes; null: it says nothing, or nothing is drawn. */
  readonly details: DetectionDetails | null = $derived.by(() => this.#shown.current?.details ?? null);
}

export function boxAt({ box }: RawDetections, row: number): TracedBox {
  return { xMin: box[4 * row]!, yMin: box[4 * row + 1]!, xMax: box[4 * row + 2]!, yMax: box[4 * row + 3]! };
}
