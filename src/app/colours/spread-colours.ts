import { colourDistance, type HexColour } from './colour-distance.ts';

/**
 * Far apart, the first ones farthest, and all light enough for dark text on them, so that a chip reads on any
 * photograph.
 */
export const PALETTE: readonly HexColour[] = [
  '#4bc3f0',
  '#c3ff00',
  '#ff7800',
  '#ff69ff',
  '#2db400',
  '#ffc3f0',
  '#78ffe1',
  '#c3c369',
  '#d287a5',
  '#a596ff',
  '#0fe187',
  '#0fb496',
  '#ffe196',
  '#ffa596',
  '#c39600',
  '#b4c3ff',
  '#ff96e1',
  '#00e1d2',
  '#ffa500',
  '#3cff69',
];

/** Closer than this, two boxes side by side are taken for one label's. */
const LEAST_APART = 0.09;

/** Where a label's colour comes from. */
export interface LabelColourSource {
  readonly colourOf: (label: string) => HexColour;
  /** it may be given another one */
  readonly isFree: (label: string) => boolean;
}

/**
 * The labels on screen that look like another one there, each with a colour of the palette that none of them has: the
 * one farthest from all that are in use. What is not free keeps its colour, and of two free ones the first does. With
 * more labels than colours some stay alike.
 */
export function spreadColours(
  labels: readonly string[],
  { colourOf, isFree }: LabelColourSource,
): ReadonlyMap<string, HexColour> {
  const used: HexColour[] = [];
  const moved = new Map<string, HexColour>();
  const alike: string[] = [];
  const apartFromUsed = (colour: HexColour): number =>
    Math.min(1, ...used.map((other) => colourDistance(colour, other)));

  for (const label of [...labels.filter((label) => !isFree(label)), ...labels.filter(isFree)]) {
    const colour = colourOf(label);
    if (isFree(label) && apartFromUsed(colour) < LEAST_APART) alike.push(label);
    else used.push(colour);
  }
  for (const label of alike) {
    const farthest = PALETTE.reduce((best, colour) => (apartFromUsed(colour) > apartFromUsed(best) ? colour : best));
    if (apartFromUsed(farthest) < LEAST_APART) break;
    used.push(farthest);
    moved.set(label, farthest);
  }
  return moved;
}
