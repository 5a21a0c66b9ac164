import type { DatasetBox, DatasetClassification, DatasetItem, ListedFile, SizePx, Split } from './dataset-item.ts';
import { shown, type DatasetReport } from './dataset-report.ts';
import { baseNameOf, folderOf } from './files/inner-path.ts';
import { readImageSize } from './image-size/read-image-size.ts';
import { statedPicture, turnedNote, turnedWithPicture } from './image-size/turned-with-picture.ts';
import { splitOfPath } from './split-of-path.ts';

/** What a file says of one picture. */
export interface SaidOfPicture {
  /** as the file has it; null without */
  readonly declared: SizePx | null;
  /** how many shapes it lists */
  readonly shapeCount: number;
  /** its boxes, once the size that they are counted in is known */
  readonly boxesIn: (sizePx: SizePx) => readonly DatasetBox[];
  readonly split?: Split | null;
  readonly tags?: readonly string[];
  readonly classifications?: readonly DatasetClassification[];
}

/** One picture of a dataset whose boxes are in pixels: of the size that is stated, else of the one its file tells. */
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

/** The corners of the upright box around points; numbers that are none make corners that are none. */
export function boxAround(points: readonly (readonly [x: number, y: number])[]): Corners {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** The upright box around one that is turned about a point, clockwise in degrees. */
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

/** Corners in pixels as parts of the picture. */
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
