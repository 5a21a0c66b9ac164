// Which pictures to correct next, and what is known when one stops.

export {
  type CorrectionWorth,
  type OtherOpinion,
  type UncorrectedImages,
  worthOfCorrecting,
} from '../correct/correction-worth.ts';
export { chancesOf, drawOrder } from '../correct/draw-order.ts';
export { estimateCorrectedF1 } from '../correct/estimate-corrected-f1.ts';
export { countByImage, type ImageCounts } from '../correct/image-counts.ts';
export { type KnownColumns, knownSums } from '../correct/known-sums.ts';
export { stoppedEstimate } from '../correct/stopped-estimate.ts';
