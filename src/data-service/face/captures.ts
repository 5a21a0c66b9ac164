// Captures and readings as they are stored, found and listed.

export type { BinaryStore, EditedBinary } from '../ports/binary-store.ts';
export { byteWords } from '../ports/byte-words.ts';
export {
  type BinaryFilter,
  type CaptureFilter,
  datasetIdsOf,
  datasetTag,
  everyFileOf,
  everyReadingOf,
  everythingOf,
  matchesBinary,
  matchesTabular,
  type Order,
  type Position,
  positionOf,
  type Scan,
  type Summary,
  type TabularFilter,
} from '../ports/capture-filter.ts';
export {
  changesOfFiles,
  changesOfUploads,
  deletionOfReadings,
  deletionsOfFiles,
} from '../ports/describe-capture-changes.ts';
export { countedChanges, freeDescriptionBytes } from '../ports/growth.ts';
export { byName, byText } from '../ports/name-order.ts';
export {
  type PackedPage,
  type PackedReadings,
  type PackedRest,
  packReadings,
  packRows,
  payloadText,
  type ReadingOrigin,
  type ReadingParts,
  type ReadingToPack,
} from '../ports/packed-readings.ts';
export { type PathTree, pick } from '../ports/path-tree.ts';
export type { OriginCount, OriginCounts, ReadingRun, ReadingRuns } from '../ports/reading-runs.ts';
export type { SeenTime } from '../ports/seen-time.ts';
export type { Sequence, SequenceEdit, SequenceFilter, SequenceStore } from '../ports/sequence-store.ts';
export type {
  BinaryRecord,
  BoundingBox,
  CaptureOrigin,
  Interval,
  Micros,
  PackedValue,
  StructObject,
  StructValue,
  TabularRow,
} from '../ports/stored-captures.ts';
export type { Arrival, FieldHint, PackedScans, TabularStore } from '../ports/tabular-store.ts';
export type { UploadReceipt, UploadReceiptStore } from '../ports/upload-receipt.ts';
