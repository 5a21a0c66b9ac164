/** The column index of each field in a table of boxes; −1 = the table lacks it. */
export interface BoxColumns {
  readonly picture: number;
  readonly label: number;
  /** four columns: the edges, or a corner and the size, or the centre and the size, as `shape` says */
  readonly corners: readonly [number, number, number, number];
  readonly shape: 'edges' | 'corner-size' | 'middle-size';
  readonly width: number;
  readonly height: number;
  readonly confidence: number;
  readonly split: number;
  /** whether the first row is a header */
  readonly hasHeader: boolean;
}

const words = {
  picture: [
    'filename',
    'file',
    'fileid',
    'image',
    'imagename',
    'imagepath',
    'imagefile',
    'path',
    'filepath',
    'img',
    'imageid',
    'frame',
  ],
  label: ['class', 'label', 'classname', 'labelname', 'category', 'categoryname', 'name', 'object', 'type'],
  confidence: ['confidence', 'score', 'conf', 'probability'],
  split: ['split', 'set', 'subset', 'usage'],
  width: ['imagewidth', 'imgwidth', 'imgw', 'width'],
  height: ['imageheight', 'imgheight', 'imgh', 'height'],
} as const;

/** Known names of the four columns of a box, the least ambiguous first. */
const shapes = [
  ['edges', ['xmin', 'ymin', 'xmax', 'ymax']],
  ['edges', ['x1', 'y1', 'x2', 'y2']],
  ['edges', ['left', 'top', 'right', 'bottom']],
  ['edges', ['xtl', 'ytl', 'xbr', 'ybr']],
  ['middle-size', ['xcenter', 'ycenter', 'width', 'height']],
  ['middle-size', ['centerx', 'centery', 'width', 'height']],
  ['middle-size', ['cx', 'cy', 'w', 'h']],
  ['corner-size', ['bboxx', 'bboxy', 'bboxwidth', 'bboxheight']],
  ['corner-size', ['left', 'top', 'width', 'height']],
  ['corner-size', ['xmin', 'ymin', 'width', 'height']],
  ['corner-size', ['x', 'y', 'width', 'height']],
  ['corner-size', ['x', 'y', 'w', 'h']],
] as const;

const isNumber = (text: string | undefined): boolean =>
  text !== undefined && text.trim() !== '' && Number.isFinite(Number(text));

/**
 * Finds the columns by their names, in any order. A table without a header is read as keras-retinanet's format: picture,
 * four edges, label. Null for other tables.
 */
export function findBoxColumns([first = [], second]: readonly (readonly string[])[]): BoxColumns | null {
  const names = first.map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const placeOf = (known: readonly string[], taken: readonly number[] = []): number => {
    for (const name of known) {
      const place = names.findIndex((one, at) => one === name && !taken.includes(at));
      if (place >= 0) return place;
    }
    return -1;
  };
  const [picture, label] = [placeOf(words.picture), placeOf(words.label)];
  for (const [shape, edges] of shapes) {
    const corners = edges.map((name) => names.indexOf(name)) as [number, number, number, number];
    if (corners.includes(-1) || picture < 0 || label < 0) continue;
    const [width, height] = [placeOf(words.width, corners), placeOf(words.height, corners)];
    const [confidence, split] = [placeOf(words.confidence), placeOf(words.split)];
    return { picture, label, corners, shape, width, height, confidence, split, hasHeader: true };
  }
  const isRow = (row: readonly string[] | undefined) =>
    row !== undefined &&
    row.length === 6 &&
    /\.[a-z]{3,4}$/i.test(row[0]!) &&
    row.slice(1, 5).every(isNumber) &&
    !isNumber(row[5]);
  if (!isRow(first) || (second && !isRow(second))) return null;
  return {
    picture: 0,
    label: 5,
    corners: [1, 2, 3, 4] as const,
    shape: 'edges' as const,
    width: -1,
    height: -1,
    confidence: -1,
    split: -1,
    hasHeader: false,
  };
}
