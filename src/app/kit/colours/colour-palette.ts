import { colourDistance, type HexColour } from './colour-distance.ts';

/**
 * Colours far apart, the first ones farthest, and all light enough for dark text on them, so that a chip is
 * readable on any photograph.
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

/** Below this distance, two boxes side by side look as if they had the same label. */
const LEAST_APART = 0.09;

/**
 * A colour that differs visibly from those in use: the label's own one, or if that looks like one in use, the
 * palette's farthest.
 */
export function colourApart(own: HexColour, used: readonly HexColour[]): HexColour {
  const apartFromUsed = (colour: HexColour): number =>
    Math.min(1, ...used.map((other) => colourDistance(colour, other)));
  if (apartFromUsed(own) >= LEAST_APART) return own;
  return PALETTE.reduce((best, colour) => (apartFromUsed(colour) > apartFromUsed(best) ? colour : best));
}
