import {
  type BinaryFilter,
  type BoundingBox,
  type CaptureFilter,
  datasetTag,
} from '../../data-service/face/captures.ts';

/** Tags and box labels are marks: a capture bears any number of them, and an index leads from each to its captures. */
export const tagMark = (tag: string): string => `t${tag}`;
const labelMark = (label: string): string => `b${label}`;

/** Where the marks of a kind lie in an index: from the first, to the one beyond the last. */
export const tagMarks = { from: 't', to: 'u' };
export const labelMarks = { from: 'b', to: 'c' };

/** The marks of a capture, each once. */
export function marksOf(capture: {
  readonly tags: readonly string[];
  readonly boundingBoxes?: readonly BoundingBox[];
}): readonly string[] {
  const labels = (capture.boundingBoxes ?? []).map(({ label }) => labelMark(label));
  return [...new Set([...capture.tags.map(tagMark), ...labels])];
}

/** The part of a filter's marks that an index answers. */
export interface WantedMarks {
  /** matches bear one of these; null: the filter names none */
  readonly anyOf: readonly string[] | null;
  /** whether that is all the filter says of marks */
  readonly exact: boolean;
}

/** The kind of marks to search by: of several the likely rarest, a dataset before labels before tags. */
export function wantedMarks(filter: CaptureFilter & Partial<BinaryFilter>): WantedMarks {
  const kinds = [
    filter.datasetId ? [tagMark(datasetTag(filter.datasetId))] : [],
    (filter.boxLabels ?? []).map(labelMark),
    filter.tags.map(tagMark),
  ].filter((marks) => marks.length > 0);
  return { anyOf: kinds[0] ? [...new Set(kinds[0])] : null, exact: kinds.length < 2 };
}
