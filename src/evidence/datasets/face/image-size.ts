// Sizes and orientation, read from the first bytes of a file.

export type { Orientation } from '../image-size/exif-orientation.ts';
export type { ImageHeader } from '../image-size/image-header.ts';
export { readImageHeader, readImageSize } from '../image-size/read-image-size.ts';
export { isResized, statedPicture } from '../image-size/turned-with-picture.ts';
export { storedBox, uprightBox } from '../image-size/upright-box.ts';
export { withoutOrientation } from '../image-size/without-orientation.ts';
