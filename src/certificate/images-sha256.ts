import { canonicalSha256 } from './canonical-json.ts';

/**
 * Tells images from others without reading them: by their names without folders, and their sizes in bytes, in whatever
 * order they are listed. Two cameras may count their files alike, but compressed pictures of theirs hardly have equal
 * sizes. Boxes are not in it: the images stay the same when their truth is corrected.
 *
 * @param images of a dataset
 * @returns SHA-256 in hex
 * @example
 * const of = (...names) => imagesSha256(names.map((name) => ({ name, sizeBytes: 9 })));
 * of('yard/a.jpg', 'b.jpg') === of('b.jpg', 'a.jpg'); // => true
 */
export const imagesSha256 = (images: readonly { readonly name: string; readonly sizeBytes: number }[]): string =>
  canonicalSha256(images.map(({ name, sizeBytes }) => `${sizeBytes} ${name.replace(/^.*[/\\]/, '')}`).sort());
