import type { Point } from '../../../machine/vision/face/traces.ts';
import { inkOn, type HexColour } from '../colours/colour-distance.ts';
import { placeChips, type Rect } from './place-chips.ts';

/** One box to draw, its corners in stage px. */
export interface OverlayBox {
  readonly row: number;
  readonly label: string;
  /** label that the model file suggests if the box's own label is a number; '' or absent: none */
  readonly offeredName?: string;
  /** null: a person drew the box */
  readonly score: number | null;
  /** colour of the label */
  readonly colour: HexColour;
  readonly corners: readonly Point[];
  readonly kept: boolean;
  /** predicted by a model and not accepted by a person yet: drawn dashed */
  readonly tentative?: boolean;
  readonly selected: boolean;
  readonly hovered: boolean;
  /** faded, because another label is highlighted */
  readonly faded: boolean;
  /** 0 to 1 while it appears or vanishes; absent: it is there */
  readonly opacity?: number;
}

/** The colour of a box that the thresholds drop. */
const GHOST_COLOUR: HexColour = '#d0d4d8';
const CHIP_FONT = '600 11px system-ui, sans-serif';
const CHIP_HEIGHT_PX = 16;
const CHIP_PADDING_PX = 5;

/**
 * Draws boxes that are readable at any zoom: one colour for each label, and text chips that do not cover each
 * other; no chips if `chips` is false.
 */
export function drawBenchOverlay(
  context: CanvasRenderingContext2D,
  boxes: readonly OverlayBox[],
  stage: Rect,
  chips = true,
): void {
  context.lineJoin = 'miter';
  context.font = CHIP_FONT;
  context.textBaseline = 'middle';
  for (const box of boxes) strokeBox(context, box);
  if (!chips) return;

  // The box under the pointer gets its text first, then the others by falling score.
  const wantText = boxes
    .filter((box) => box.kept || box.hovered || box.selected)
    .filter((box) => !box.faded || box.hovered)
    .sort((a, b) => rank(b) - rank(a));
  const requests = wantText.map((box) => ({
    box: boundsOf(box.corners),
    widthPx: textWidthPx(context, chipText(box)) + 2 * CHIP_PADDING_PX,
    heightPx: CHIP_HEIGHT_PX,
  }));
  placeChips(requests, stage).forEach((chip, at) => {
    const box = wantText[at]!;
    if (!chip) return;
    const colour = box.kept ? box.colour : GHOST_COLOUR;
    context.globalAlpha = box.opacity ?? 1;
    context.fillStyle = colour;
    context.fillRect(Math.round(chip.x) - 1, Math.round(chip.y), chip.width, chip.height);
    context.fillStyle = inkOn(colour);
    context.fillText(
      chipText(box),
      Math.round(chip.x) - 1 + CHIP_PADDING_PX,
      Math.round(chip.y) + chip.height / 2 + 0.5,
    );
  });
  context.globalAlpha = 1;
}

/** Cached widths of texts in the chips' font, in whole px: thousands of boxes have few different texts. */
const textWidths = new Map<string, number>();

function textWidthPx(context: CanvasRenderingContext2D, text: string): number {
  const known = textWidths.get(text);
  if (known !== undefined) return known;
  const widthPx = Math.ceil(context.measureText(text).width);
  if (textWidths.size >= 5_000) textWidths.clear();
  textWidths.set(text, widthPx);
  return widthPx;
}

function strokeBox(context: CanvasRenderingContext2D, box: OverlayBox): void {
  const strong = box.selected || box.hovered;
  const dashed = !box.kept || box.tentative;
  const outline = outlineOf(context, box.corners);
  const opacity = box.opacity ?? 1;
  context.globalAlpha = box.faded && !strong ? 0.25 * opacity : opacity;
  if (dashed) context.setLineDash([4, 3]);
  const colour = box.kept ? box.colour : GHOST_COLOUR;
  // A rim of opposite lightness keeps the line visible on a background of its own colour.
  context.strokeStyle = `${inkOn(colour)}b0`;
  context.lineWidth = strong ? 5 : 3.5;
  outline.stroke();
  context.strokeStyle = colour;
  context.lineWidth = strong ? 3 : 1.75;
  outline.stroke();
  if (box.selected) {
    context.globalAlpha = 0.14 * opacity;
    context.fillStyle = box.colour;
    outline.fill();
  }
  if (dashed) context.setLineDash([]);
  context.globalAlpha = 1;
}

/**
 * Returns the functions that stroke and fill a box: an upright box as a rectangle, which is much faster than as a
 * path.
 */
function outlineOf(
  context: CanvasRenderingContext2D,
  corners: readonly Point[],
): { readonly stroke: () => void; readonly fill: () => void } {
  if (!isUpright(corners)) {
    tracePath(context, corners);
    return { stroke: () => context.stroke(), fill: () => context.fill() };
  }
  const { x, y, width, height } = boundsOf(corners);
  return { stroke: () => context.strokeRect(x, y, width, height), fill: () => context.fillRect(x, y, width, height) };
}

/** The corners are in order around the box: neighbours share an edge. */
function isUpright(corners: readonly Point[]): boolean {
  return corners.every(({ x, y }, at) => {
    const next = corners[(at + 1) % corners.length]!;
    return x === next.x || y === next.y;
  });
}

const MACHINE_FONT_PX = 30;

/**
 * Draws boxes as the machine does, at the frame's own scale: red, 2 px wide centred on the integer edges, with text
 * of 30 px at the box's left edge, its baseline 30 px below the top. `scale`: stage px per frame pixel.
 */
export function drawMachineOverlay(
  context: CanvasRenderingContext2D,
  boxes: readonly OverlayBox[],
  scale: number,
): void {
  context.strokeStyle = '#ff0000';
  context.fillStyle = '#ff0000';
  context.lineWidth = 2 * scale;
  context.lineJoin = 'miter';
  context.textBaseline = 'alphabetic';
  context.font = `${MACHINE_FONT_PX * scale}px 'Go Regular', 'Go', sans-serif`;
  for (const box of boxes) {
    if (!box.kept) continue;
    tracePath(context, box.corners);
    context.stroke();
    const { x, y } = boundsOf(box.corners);
    context.fillText(`${box.label}: ${(box.score ?? 1).toFixed(2)}`, x, y + MACHINE_FONT_PX * scale);
  }
}

function tracePath(context: CanvasRenderingContext2D, corners: readonly Point[]): void {
  context.beginPath();
  corners.forEach(({ x, y }, at) => (at ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
}

export function boundsOf(corners: readonly Point[]): Rect {
  const xs = corners.map(({ x }) => x);
  const ys = corners.map(({ y }) => y);
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

function chipText({ label, offeredName, score }: OverlayBox): string {
  if (score === null) return label || 'no label';
  return `${label}${offeredName ? ` (${offeredName}?)` : ''} ${score.toFixed(2)}`;
}

function rank({ selected, hovered, score }: OverlayBox): number {
  return (hovered ? 4 : 0) + (selected ? 2 : 0) + Math.min(1, score ?? 1);
}
