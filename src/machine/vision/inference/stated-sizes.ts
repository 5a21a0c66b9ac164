/** A picture size that a model's metadata names. */
export interface StatedSize {
  /** the metadata key that holds the size */
  readonly key: string;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Ultralytics', [height, width] or one number for both. */
export const ultralyticsSizeKey = 'imgsz';

/** Keys that other exporters use, with values of the same form. */
const otherKeys = ['img_size', 'input_size', 'image_size', 'imagesize'];

/** Smallest plausible side of a picture in px; smaller numbers beside it are channels or a batch size. */
const shortestPx = 8;
const longestPx = 8192;

/**
 * Reads the picture sizes that a model's metadata states.
 * @param metadata the model file's own key-value pairs
 * @returns the sizes in pixels, that of Ultralytics first; [] where none is stated
 * @example
 * statedSizes({ imgsz: '[480, 640]' }); // => [{ key: 'imgsz', widthPx: 640, heightPx: 480 }]
 */
export function statedSizes(metadata: Readonly<Record<string, string>>): readonly StatedSize[] {
  return [ultralyticsSizeKey, ...otherKeys].flatMap((key) => {
    const numbers = metadata[key]?.match(/\d+/g)?.map(Number) ?? [];
    const [heightPx, widthPx = heightPx] = numbers.filter((side) => side >= shortestPx && side <= longestPx);
    return heightPx === undefined || widthPx === undefined ? [] : [{ key, widthPx, heightPx }];
  });
}
