// Which kind of image a file is, by its first bytes.

export { imageKindOf, unreadableImage, whyUndrawn } from '../frame/image-kind.ts';
