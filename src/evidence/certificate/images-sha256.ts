import { canonicalSha256 } from './canonical-json.ts';

/**
 * Identifies a set of images without reading their pixels: by a hash of their names without folders and their sizes in
 * bytes, in any order. Two cameras may number their files alike, but their compressed pictures hardly have equal sizes.
 * Boxes are not in the hash: it stays the same when the truth of the images is corrected.
 *
 * @param images of a dataset
 * @returns SHA-256 in hex
 * @example
 * const of = (...names) => imagesSha256(names.map((name) => ({ name, sizeBytes: 9 })));
 * of('yard/a.jpg', 'b.jpg') === of('b.jpg', 'a.jpg'); // => true
 */
export const imagesSha256 = (images: readonly { readonly name: string; readonly sizeBytes: number }[]): string =>
  canonicalSha256(images.map(({ name, sizeBytes }) => `${sizeBytes} ${name.replace(/^.*[/\\]/, '')}`).sort());
