// What is wrong with the pictures and boxes of a dataset.

export { faultOf } from '../health/check-box-shape.ts';
export { type DatasetHealth, HealthCheck } from '../health/dataset-health.ts';
export { greyCopy, type RgbaPixels } from '../health/grey-copy.ts';
export { binOf } from '../health/histogram.ts';
export { groupNearDuplicates, type HashedPicture } from '../health/near-duplicates.ts';
export { pictureHash } from '../health/picture-hash.ts';
export type { PictureScan } from '../health/picture-scan.ts';
export { measuredSize, pictureStatistics, type PictureStatistics } from '../health/picture-statistics.ts';
export { checkDetectionMinimums } from '../health/training-minimums.ts';
