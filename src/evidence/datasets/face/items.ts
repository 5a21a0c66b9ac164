// An item of a dataset: its picture, boxes, tags, sequence.

export { cameraOf } from '../item/camera-of.ts';
export { contentOf, readAll, readHead } from '../item/content.ts';
export { classId, type DatasetClass, joinClasses, numberClasses, orderClasses } from '../item/dataset-classes.ts';
export { DatasetError, type DatasetErrorCode } from '../item/dataset-error.ts';
export type {
  Content,
  DatasetBox,
  DatasetClassification,
  DatasetEntry,
  DatasetItem,
  ListedFile,
  SequencePosition,
  SizePx,
  Split,
} from '../item/dataset-item.ts';
export { type DatasetProblem, DatasetReport, placeOf, shown } from '../item/dataset-report.ts';
export { groupBursts, groupDays, groupSequences, groupVideos, joinGroups } from '../item/group-pictures.ts';
export { baseNameOf, extensionOf, isImagePath } from '../item/inner-path.ts';
export { type LostKind, lostWords } from '../item/lost-kinds.ts';
export { placeFrames, sequenceOf, sequenceTag, withSequences } from '../item/sequences.ts';
export { isCrowdTag, isTruthTag, truthTags, withTruthTags } from '../item/truth-tags.ts';
