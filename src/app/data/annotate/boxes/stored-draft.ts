import type { NormalizedBox } from '../../../../machine/vision/face/results.ts';
import type { AnnotatedBox, TrackedBox } from './annotated-box.ts';
import type { BoxOperation, KeptBox } from './box-operations.ts';

const VERSION = 1;

/** The boxes of an image that are not saved, and those that the service stored when they were drawn. */
export interface BoxDraft {
  readonly kept: readonly KeptBox[];
  readonly boxes: readonly AnnotatedBox[];
  /** operations that were sent and not answered: the service may have executed them */
  readonly sent: readonly BoxOperation[];
}

/** A box's corners by the names that drafts have always used. */
interface StoredCorners {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

type StoredDraft = ReturnType<typeof storedDraft>;

/** A draft as it is stored. */
export function storedDraft({ kept, boxes, sent }: BoxDraft) {
  return {
    version: VERSION,
    kept: kept.map(({ key, saved }) => ({ key, saved: storedBox(saved) })),
    boxes: boxes.map(storedBox),
    sent: sent.map((one) => (one.kind === 'remove' ? one : { ...one, box: storedBox(one.box) })),
  };
}

/** Reads a stored draft; null if this version does not know its format. @throws TypeError if a part is missing */
export function readStoredDraft(stored: unknown): BoxDraft | null {
  const draft = stored as Partial<StoredDraft> | null;
  if (draft?.version !== VERSION || ![draft.kept, draft.boxes, draft.sent].every(Array.isArray)) return null;
  const { kept, boxes, sent } = draft as StoredDraft;
  const readable =
    kept.every(({ key, saved }) => typeof key === 'string' && typeof saved?.id === 'string' && isBox(saved)) &&
    sent.every((one) => typeof one.key === 'string' && (one.kind === 'remove' || isBox(one.box))) &&
    boxes.every((box) => typeof box.key === 'string' && typeof box.predicted === 'boolean' && isBox(box));
  if (!readable) return null;
  return {
    kept: kept.map(({ key, saved }) => ({ key, saved: readBox(saved) })),
    boxes: boxes.map(readBox),
    sent: sent.map((one) => (one.kind === 'remove' ? one : { ...one, box: readBox(one.box) })),
  };
}

/** A box as it is stored. */
export function storedBox<Box extends NormalizedBox>({
  xMinNormalized: xMin,
  yMinNormalized: yMin,
  xMaxNormalized: xMax,
  yMaxNormalized: yMax,
  ...box
}: Box) {
  return { ...box, xMin, yMin, xMax, yMax };
}

/** Reads a stored box that passed `isBox`. */
export function readBox<Box extends StoredCorners>({
  xMin: xMinNormalized,
  yMin: yMinNormalized,
  xMax: xMaxNormalized,
  yMax: yMaxNormalized,
  ...box
}: Box) {
  return { ...box, xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized };
}

/** Whether a stored record holds a label and corners of 0 to 1. */
export function isBox({
  label,
  confidence,
  track,
  ...box
}: StoredCorners & Omit<TrackedBox, keyof NormalizedBox>): boolean {
  const corners = [box.xMin, box.yMin, box.xMax, box.yMax, confidence ?? 0];
  const isTracked = track === undefined || (typeof track === 'object' && Number.isInteger(track?.id));
  return isTracked && typeof label === 'string' && corners.every((value) => value >= 0 && value <= 1);
}
