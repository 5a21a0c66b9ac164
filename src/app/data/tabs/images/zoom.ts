/** The top left corner of a picture in the stage, in CSS px, and its scale, in CSS px for each pixel. */
export interface Placement {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

const marginPx = 16;
const largest = 40;

/**
 * Centres the whole picture. A picture that fits is not enlarged, except twice if there is room for more than that, and
 * up to eight times if it is smaller than 64×64.
 */
export function fitInto(stage: Size, picture: Size): Placement {
  const room = {
    widthPx: Math.max(1, stage.widthPx - 2 * marginPx),
    heightPx: Math.max(1, stage.heightPx - 2 * marginPx),
  };
  const whole = Math.min(room.widthPx / picture.widthPx, room.heightPx / picture.heightPx);
  const scale = Math.min(whole, picture.widthPx < 64 && picture.heightPx < 64 ? 8 : Math.max(1, whole > 2 ? 2 : 1));
  return centred(stage, picture, scale);
}

export const centred = (stage: Size, picture: Size, scale: number): Placement => ({
  x: (stage.widthPx - picture.widthPx * scale) / 2,
  y: (stage.heightPx - picture.heightPx * scale) / 2,
  scale,
});

/** Zooms by a factor about a point of the stage: that point of the picture does not move. */
export function zoomAbout(
  placement: Placement,
  factor: number,
  point: { x: number; y: number },
  smallest: number,
): Placement {
  const scale = Math.min(largest, Math.max(Math.min(smallest, placement.scale), placement.scale * factor));
  const grown = scale / placement.scale;
  return { scale, x: point.x - (point.x - placement.x) * grown, y: point.y - (point.y - placement.y) * grown };
}
