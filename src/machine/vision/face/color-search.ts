// Rules found from boxes and patches; fetched when somebody looks for colours.

export {
  colorBins,
  type ColorLook,
  type ColorView,
  lookAtColors,
  type PassingColors,
} from '../color-detector/look-at-colors.ts';
export {
  type BlobMark,
  type BlobWish,
  type Inseparable,
  separateOnFrame,
  type Separation,
} from '../color-detector/separate-blobs.ts';
