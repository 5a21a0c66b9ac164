import type { BinaryEdit } from '../ports/binary-store.ts';
import type { BinaryRecord, BoundingBox } from '../ports/stored-captures.ts';
import { invalidArgument, notLonger } from '../wire/invalid-argument.ts';

/** Boxes of one image, or of one blind task. */
export const mostBoxes = 10_000;
const mostTags = 1000;
/** Boxes and tags of one image, or boxes of one task. */
const mostBytes = 2 * 2 ** 20;
/** Characters of a label, as in a scheme, and of a tag. */
const longestWord = 200;
/** The numbers of a box. */
const bytesOfNumbers = 48;

type Annotated = Pick<BinaryRecord, 'boundingBoxes' | 'tags'>;

/** @throws ConnectError InvalidArgument for a label or tag that is too long */
export const requireWord = (word: string, field: string): string => notLonger(word, field, longestWord);

/**
 * Holds the boxes of a blind task to what one may have.
 * @throws ConnectError InvalidArgument
 */
export function requireFewBoxes(boxes: readonly BoundingBox[], of: string): void {
  if (boxes.length > mostBoxes)
    throw invalidArgument(`${of} would have ${boxes.length} boxes; it may have at most ${mostBoxes}.`);
  requireFewBytes(bytesOf({ boundingBoxes: boxes, tags: [] }), of);
}

/**
 * Holds the boxes and tags of a new file to what one may have.
 * @throws ConnectError InvalidArgument
 */
export function requireFewAnnotations(file: Annotated, of: string): void {
  requireFewBoxes(file.boundingBoxes, of);
  if (file.tags.length > mostTags)
    throw invalidArgument(`${of} would have ${file.tags.length} tags; it may have at most ${mostTags}.`);
  requireFewBytes(bytesOf(file), of);
}

/**
 * The same edit, but it adds no more boxes and tags than an image may have. What has more from before can be made less.
 * @throws ConnectError InvalidArgument from within the edit
 */
export const withinBounds =
  (edit: BinaryEdit): BinaryEdit =>
  (record, own) => {
    const after = edit(record, own);
    const grows =
      after.boundingBoxes.length > record.boundingBoxes.length ||
      after.tags.length > record.tags.length ||
      (after !== record && bytesOf(after) > bytesOf(record));
    if (grows) requireFewAnnotations(after, `Binary data ${record.id}`);
    return after;
  };

function requireFewBytes(bytes: number, of: string): void {
  if (bytes <= mostBytes) return;
  throw invalidArgument(
    `${of} would have ${bytes} bytes of labels, tags and coordinates; it may have at most ${mostBytes}. Give fewer boxes or shorter labels.`,
  );
}

/** About as many bytes as they take on the wire, where they are ASCII. */
const bytesOf = ({ boundingBoxes, tags }: Annotated): number =>
  boundingBoxes.reduce((sum, { id, label }) => sum + bytesOfNumbers + id.length + label.length, 0) +
  tags.reduce((sum, tag) => sum + tag.length, 0);
