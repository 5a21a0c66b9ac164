import type { TransformStep } from '../../machine/config/face/machine-config.ts';
import type {
  Classification,
  Detection,
  NormalizedBox,
  RawDetections,
  RawResults,
} from '../../machine/vision/face/results.ts';
import { detectionsAt, type ServiceFilter } from '../../machine/vision/face/filters.ts';
import type { FrameSize } from '../../machine/vision/face/frames.ts';
import { type TracedBox, type TracedStage, uprightOnSource } from '../../machine/vision/face/traces.ts';

/**
 * One frame of a video or folder that was run, with its results before the filter: thresholds filter it again without
 * another run. Survives structured cloning.
 */
export interface FootageFrame extends RawResults {
  /** place in the source, from 0: of a video the number of the decoded frame, of a folder that of the file */
  readonly index: number;
  /** from the beginning of the video, in ms; of a folder what its frame rate gives */
  readonly timeMs: number;
  /** file name of the video or picture */
  readonly name: string;
  /** the pictures on the way, the source first; empty for a frame that could not be decoded */
  readonly stages: readonly FootageStage[];
  /** why there are no results; null: there are */
  readonly failure: { readonly code: string; readonly message: string } | null;
}

/** The picture after a step of the camera, or the source as the camera reads it. */
export interface FootageStage extends FrameSize {
  /** position in the list of steps, -1: source */
  readonly step: number;
  /** only for a source whose last column or row was cropped: the size of the whole picture */
  readonly uncut?: FrameSize;
}

/** The results that pass a service's filter. */
export interface KeptResults {
  readonly detections: readonly Detection[];
  readonly classifications: readonly Classification[];
}

/** Labels and scores as rows; classes are rows too, one a label. */
export type ScoredRows = Pick<RawDetections, 'count' | 'labels' | 'labelIndex' | 'score'>;

/**
 * @param frame results before the filter
 * @param filter of the vision service
 * @returns boxes in the model's order and classes in label order; none of a frame that failed
 */
export function keptResults(
  { detections, classifications }: RawResults,
  filter: Pick<ServiceFilter, 'rows' | 'classes'>,
): KeptResults {
  return {
    detections: detections ? detectionsAt(detections, filter.rows(detections).kept) : [],
    classifications: classifications ? filter.classes(classifications, 0) : [],
  };
}

/**
 * @param frame that was run
 * @param steps of its camera, in order
 * @returns maps a box of the frame that the service saw to the source picture, 0..1; null: it lies wholly outside
 */
export function boxOnSource(
  { stages }: Pick<FootageFrame, 'stages'>,
  steps: readonly TransformStep[],
): (box: TracedBox) => NormalizedBox | null {
  const way: readonly TracedStage[] = stages.map((stage) => ({ ...stage, step: steps[stage.step] ?? null }));
  return (box) => uprightOnSource(box, way);
}

/** @returns the boxes' rows and the classes' rows of a frame, those that it has */
export function scoredRows({ detections, classifications }: RawResults): readonly ScoredRows[] {
  const rows: ScoredRows[] = [];
  if (detections) rows.push(detections);
  if (classifications) {
    const { labels, score } = classifications;
    rows.push({ count: score.length, labels, labelIndex: identityOf(score.length), score });
  }
  return rows;
}

/** The numbers from 0: thousands of frames have the same classes. */
function identityOf(count: number): Uint32Array {
  if (identity.length < count) identity = Uint32Array.from({ length: count }, (_, at) => at);
  return identity;
}

let identity = new Uint32Array(0);
