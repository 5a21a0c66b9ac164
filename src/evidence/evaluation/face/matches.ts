// Boxes matched to truth, and COCO's figures.

export { type CocoImage, cocoRemarks, type CocoTruth, readCocoResults, readCocoTruth } from '../coco/read-coco.ts';
export { boxOverlap } from '../match/box-overlap.ts';
