/** A picture's size that a model file states of itself, and where. */
export interface StatedSize {
  /** the metadata's */
  readonly key: string;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Ultralytics', [height, width] or one number for both. */
export const ultralyticsSizeKey = 'imgsz';

/** What hand-written exporters use, said in the same way. */
const otherKeys = ['img_size', 'input_size', 'image_size', 'imagesize'];

/** Sides of pictures, in px; other numbers beside them are channels or a batch. */
const shortestPx = 8;
const longestPx = 8192;

/** The sizes in a model's metadata, Ultralytics' first; [] where none is stated. */
export function statedSizes(metadata: Readonly<Record<string, string>>): readonly StatedSize[] {
  return [ultralyticsSizeKey, ...otherKeys].flatMap((key) => {
    const numbers = metadata[key]?.match(/\d+/g)?.map(Number) ?? [];
    const [heightPx, widthPx = heightPx] = numbers.filter((side) => side >= shortestPx && side <= longestPx);
    return heightPx === undefined || widthPx === undefined ? [] : [{ key, widthPx, heightPx }];
  });
}
