import type { Change, ChangedThing } from './audit-store.ts';
import type { EditedBinary } from './binary-store.ts';
import type { CaptureFilter } from './capture-filter.ts';
import { boxesThatDiffer, boxFields } from './describe-changes.ts';
import type { BinaryRecord, StructObject } from './stored-captures.ts';

// What stores write into the audit of a change of captures: of the tags and boxes of files, of files and readings that are gone.

/**
 * Says what an edit of files has changed.
 * @param edited files as they were and as they are
 * @returns for each file a change of its tags and one of its boxes, where they differ: `before` has those that were removed, `after` those that were added
 * @example
 * const before = { organizationId: 'a', id: 'a/l/1', fileName: '', tags: ['cup'], boundingBoxes: [] };
 * changesOfFiles([{ before, after: { ...before, tags: ['mug'] } }])[0].after; // => { tags: ['mug'] }
 */
export const changesOfFiles = (edited: readonly EditedBinary[]): Change[] =>
  edited.flatMap(({ before, after }) => {
    if (before === after) return [];
    const tags = tagsThatDiffer(before.tags, after.tags);
    const boxes = boxesThatDiffer(before.boundingBoxes, after.boundingBoxes);
    const areOther = boxes.gone.length + boxes.come.length > 0;
    return [
      ...(tags === null ? [] : [changeOfFile('tags', after, { tags: tags.gone }, { tags: tags.come })]),
      ...(areOther ? [changeOfFile('boxes', after, { boxes: boxes.gone }, { boxes: boxes.come })] : []),
    ];
  });

/**
 * Says which tags, and so which datasets, new files bring along.
 * @param records uploaded files
 * @returns a change of the tags of each file that has some: its upload leaves its receipt besides, and one without tags leaves nothing else
 * @example
 * const record = { organizationId: 'a', id: 'a/l/1', fileName: '', tags: ['cup'], boundingBoxes: [] };
 * changesOfUploads([record, { ...record, tags: [] }]).map(({ after }) => after); // => [{ tags: ['cup'] }]
 */
export const changesOfUploads = (records: readonly BinaryRecord[]): Change[] =>
  records
    .filter(({ tags }) => tags.length > 0)
    .map((record) => changeOfFile('tags', record, { tags: [] }, { tags: record.tags }));

/**
 * Says that files were deleted, with the tags and boxes that they had.
 * @param records the deleted files
 * @returns a change of each
 * @example
 * const record = { organizationId: 'a', id: 'a/l/1', fileName: 'x.png', mimeType: 'image/png', sizeBytes: 5, timeRequested: 1, partId: 'p', tags: ['cup'], boundingBoxes: [] };
 * deletionsOfFiles([record])[0].before; // => { fileName: 'x.png', mimeType: 'image/png', sizeBytes: 5, timeRequested: 1, partId: 'p', tags: ['cup'] }
 */
export const deletionsOfFiles = (records: readonly BinaryRecord[]): Change[] =>
  records.map((record) => {
    const { fileName, mimeType, sizeBytes, timeRequested, partId, tags, boundingBoxes } = record;
    const annotations = {
      ...(tags.length > 0 && { tags }),
      ...(boundingBoxes.length > 0 && { boxes: boundingBoxes.map(boxFields) }),
    };
    return changeOfFile('file', record, { fileName, mimeType, sizeBytes, timeRequested, partId, ...annotations }, null);
  });

/**
 * Says that readings were deleted.
 * @param filter by which they were chosen
 * @param count how many
 * @returns one change; no change where `count` is 0
 * @example
 * import { everyReadingOf } from './capture-filter.ts';
 * deletionOfReadings({ ...everyReadingOf('a'), partId: 'p' }, 7)[0].before; // => { count: 7, partId: 'p' }
 */
export function deletionOfReadings(filter: CaptureFilter, count: number): Change[] {
  if (count === 0) return [];
  const { organizationId, interval, locationIds, tags } = filter;
  const texts = ['robotId', 'robotName', 'partId', 'partName', 'componentType', 'componentName', 'methodName'] as const;
  const before: StructObject = {
    count,
    ...Object.fromEntries(texts.filter((field) => filter[field] !== '').map((field) => [field, filter[field]])),
    ...(locationIds.length > 0 && { locationIds }),
    ...(tags.length > 0 && { tags }),
    ...(interval.start !== null && { start: interval.start }),
    ...(interval.end !== null && { end: interval.end }),
  };
  return [{ organizationId, what: 'readings', objectId: '', objectName: '', before, after: null }];
}

const changeOfFile = (
  what: Extract<ChangedThing, 'tags' | 'boxes' | 'file'>,
  { organizationId, id, fileName }: BinaryRecord,
  before: StructObject,
  after: StructObject | null,
): Change => ({ organizationId, what, objectId: id, objectName: fileName, before, after });

function tagsThatDiffer(
  before: readonly string[],
  after: readonly string[],
): { readonly gone: readonly string[]; readonly come: readonly string[] } | null {
  if (before === after) return null;
  const [was, is] = [new Set(before), new Set(after)];
  const gone = before.filter((tag) => !is.has(tag));
  const come = after.filter((tag) => !was.has(tag));
  return gone.length + come.length === 0 ? null : { gone, come };
}
