/** A line of a YOLO label file. Corners are fractions of the picture's sides. */
export interface LabelLine {
  readonly classNumber: number;
  readonly corners: readonly [xMin: number, yMin: number, xMax: number, yMax: number];
  readonly confidence: number | undefined;
  /** whether the line was a polygon; `corners` is the box around it */
  readonly isPolygon: boolean;
}

/**
 * Parses `class x-center y-center width height`, optionally with a confidence (six columns) or with key points, or
 * `class x1 y1 x2 y2 x3 y3 …` (a polygon or oriented box, optionally with a confidence), which becomes the box around it.
 * Returns an error message as text if the line is invalid.
 */
export function parseLabelLine(text: string, keyPointColumns: number): LabelLine | string {
  const columns = text.trim().split(/\s+/);
  const values = columns.map(Number);
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) return `Column ${bad + 1} is not a number, but “${columns[bad]!.slice(0, 40)}”.`;
  const [classNumber, ...rest] = values as [number, ...number[]];
  if (!Number.isInteger(classNumber) || classNumber < 0)
    return `The class is not a whole number from 0, but ${columns[0]}.`;
  const isBox = rest.length === 4 || rest.length === 5;
  if (isBox || (keyPointColumns > 0 && rest.length === 4 + keyPointColumns)) {
    const [x, y, width, height] = rest as [number, number, number, number];
    if (width < 0 || height < 0) return `The box is ${width} wide and ${height} high; neither can be below 0.`;
    const corners = [x - width / 2, y - height / 2, x + width / 2, y + height / 2] as const;
    return { classNumber, corners, confidence: isBox ? rest[4] : undefined, isPolygon: false };
  }
  if (rest.length < 6)
    return `A box has 5 columns (class, x, y, width, height) or 6 with a confidence, not ${values.length}.`;
  const points = rest.length - (rest.length % 2);
  const xs = rest.slice(0, points).filter((_, i) => i % 2 === 0);
  const ys = rest.slice(0, points).filter((_, i) => i % 2 === 1);
  return {
    classNumber,
    corners: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
    confidence: rest.length > points ? rest[points] : undefined,
    isPolygon: true,
  };
}
