/** What the machine draws on a frame, in drawing order: exact geometry and text, independent of the painter. */
export type DisplayList = readonly DisplayItem[];

export type DisplayItem = BoxItem | TextItem;

/** Outline along whole-pixel edges; the line is centred on them. */
export interface BoxItem {
  readonly kind: 'box';
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/** A text, broken between words into lines as wide as the frame; `baseline` is that of the first line. */
export interface TextItem {
  readonly kind: 'text';
  readonly text: string;
  readonly leftPx: number;
  readonly baselinePx: number;
}

/** Red, in 0..255; the same for boxes and text. */
export const overlayColor = [255, 0, 0] as const;
export const boxLineWidthPx = 2;
/** Size of the em, Go Regular. */
export const textSizePx = 30;
