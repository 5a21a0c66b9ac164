/** Boxes of a score from here on are counted where feedings are compared: the usual lowest score of fitted detectors. */
export const countedFrom = 0.25;

/** A box has moved where an edge of it moved further than this, in pixels of the picture. */
export const movedMoreThanPx = 2;
