import type { Point } from '../../../machine/vision/face/traces.ts';
import type { StageBench } from './stage-bench.ts';
import { boundsOf, type OverlayBox } from '../../kit/picture/draw-overlay.ts';

/** The boxes of the frame on the stage, in stage px, with hit testing. */
export class OverlayBoxes {
  readonly #bench: StageBench;

  constructor(bench: StageBench) {
    this.#bench = bench;
  }

  readonly boxes: readonly OverlayBox[] = $derived.by(() =>
    overlayBoxes(this.#bench, ({ x, y }) => this.#bench.viewport.toStage(x, y)),
  );

  /** The smallest box under a point of the stage, so that a box inside another can be selected. */
  rowAt(x: number, y: number): number | null {
    const slackPx = 3;
    const under = this.boxes
      .map(({ row, corners }) => ({ row, bounds: boundsOf(corners) }))
      .filter(
        ({ bounds }) =>
          x >= bounds.x - slackPx &&
          x <= bounds.x + bounds.width + slackPx &&
          y >= bounds.y - slackPx &&
          y <= bounds.y + bounds.height + slackPx,
      )
      .sort((a, b) => a.bounds.width * a.bounds.height - b.bounds.width * b.bounds.height);
    return under[0]?.row ?? null;
  }
}

/** The boxes of the frame on the stage; `place` says where a point of its picture is drawn. Dropped rows come first, so that kept boxes are drawn above them. */
export function overlayBoxes(bench: StageBench, place: (point: Point) => Point): readonly OverlayBox[] {
  const { colours, labels, results, serviceName, view } = bench;
  if (!results.detections || view.overlayHidden || view.undistortPreview) return [];
  const box = (row: number, kept: boolean): OverlayBox => {
    const label = results.labelOf(row);
    return {
      row,
      label,
      offeredName: labels.offeredName(serviceName, label),
      score: results.detections!.score[row]!,
      colour: colours.of(label),
      corners: results.cornersOf(row).map(place),
      kept,
      selected: row === view.selectedRow,
      hovered: row === view.hoveredRow,
      faded: view.focusedLabel !== null && view.focusedLabel !== label,
    };
  };
  const ghosts = view.ghosts ? results.ghosts : [];
  const pointedAt = results.rows.dropped.filter(
    (row) => (row === view.selectedRow || row === view.hoveredRow) && !ghosts.includes(row),
  );
  return [
    ...[...ghosts, ...pointedAt].map((row) => box(row, false)),
    ...Array.from(results.rows.kept, (row) => box(row, true)),
  ];
}
