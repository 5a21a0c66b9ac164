import type {
  DatasetBox,
  DatasetClassification,
  DatasetItem,
  ListedFile,
  SizePx,
  Split,
} from '../item/dataset-item.ts';
import { shown, type DatasetReport } from '../item/dataset-report.ts';
import { baseNameOf, folderOf } from '../item/inner-path.ts';
import { readImageSize } from '../image-size/read-image-size.ts';
import { statedPicture, turnedNote, turnedWithPicture } from '../image-size/turned-with-picture.ts';
import { splitOfPath } from '../item/split-of-path.ts';

/** The annotations of one picture in a file. */
export interface SaidOfPicture {
  /** the size in the file; null if it has none */
  readonly declared: SizePx | null;
  /** number of listed shapes */
  readonly shapeCount: number;
  /** computes the boxes once the size of the picture is known */
  readonly boxesIn: (sizePx: SizePx) => readonly DatasetBox[];
  readonly split?: Split | null;
  readonly tags?: readonly string[];
  readonly classifications?: readonly DatasetClassification[];
}

/** Creates the item of a picture whose boxes are in pixels. Its size is the declared one, otherwise that of the image file. */
export async function pictureItem(
  picture: ListedFile,
  { declared, shapeCount, boxesIn, split = null, tags = [], classifications = [] }: SaidOfPicture,
  at: { readonly file: string; readonly line: number | null },
  report: DatasetReport,
): Promise<DatasetItem> {
  const stated = statedPicture(declared, shapeCount > 0 || !declared ? await readImageSize(picture) : null);
  if (stated.orientation !== 1) report.note(at.file, at.line, turnedNote(picture.path, stated));
  const boxSizePx = declared ?? stated.sizePx;
  if (boxSizePx === null && shapeCount > 0)
    report.error(at.file, at.line, `${shown(picture.path)} does not tell its size; its boxes are left out.`);
  return {
    contentId: picture.path,
    fileName: baseNameOf(picture.path),
    content: picture,
    sizePx: stated.sizePx,
    boxes: boxSizePx === null ? [] : turnedWithPicture(boxesIn(boxSizePx), stated),
    classifications,
    tags,
    capturedAt: null,
    origin: {},
    split: split ?? splitOfPath(folderOf(picture.path)),
  };
}

type Corners = readonly [xMin: number, yMin: number, xMax: number, yMax: number];

/** The corners of the upright box around points. Coordinates that are NaN give corners that are NaN. */
export function boxAround(points: readonly (readonly [x: number, y: number])[]): Corners {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** The upright box around a box that is rotated about a point, clockwise in degrees. */
export function boxAroundTurned(
  [xMin, yMin, xMax, yMax]: Corners,
  degrees: number,
  [x0, y0]: readonly [number, number],
): Corners {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  const corners = [[xMin, yMin], [xMax, yMin], [xMax, yMax], [xMin, yMax]] as const; // prettier-ignore
  return boxAround(
    corners.map(([x, y]) => [x0 + (x - x0) * cos - (y - y0) * sin, y0 + (x - x0) * sin + (y - y0) * cos]),
  );
}

/** Converts corners from pixels to fractions of the picture's sides. */
export const partsOf = ([xMin, yMin, xMax, yMax]: Corners, { widthPx, heightPx }: SizePx): Corners => [
  xMin / widthPx,
  yMin / heightPx,
  xMax / widthPx,
  yMax / heightPx,
];

export function sizeOfNumbers(width: unknown, height: unknown): SizePx | null {
  const [widthPx, heightPx] = [Number(width), Number(height)];
  return widthPx > 0 && heightPx > 0 ? { widthPx, heightPx } : null;
}
