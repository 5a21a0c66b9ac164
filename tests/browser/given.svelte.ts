import type { OverlayBox } from '../../src/app/stage/draw-overlay.ts';

/** Boxes of the overlay that a test changes as frames do. */
export class GivenBoxes {
  boxes = $state.raw<readonly OverlayBox[]>([]);
}
