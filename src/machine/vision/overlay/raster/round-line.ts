import { Pen, quotient, type Contours, type Tolerance } from './pen.ts';

/** A quarter of a circle is a cubic curve whose handles are (√2 − 1)·4/3 of the radius long, here in 64ths. */
const handle = 35;

/**
 * The outline of a horizontal or vertical line with round ends, all in 64ths of a pixel; empty for a line without
 * length. `radius` is half its width.
 */
export function roundLine(
  fromX: number,
  fromY: number,
  toX: number,
  toY: number,
  radius: number,
  tolerance: Tolerance,
): Contours {
  if (fromX === toX && fromY === toY) return [];
  // A quarter turn counter-clockwise from the line's direction, y downwards.
  const [nx, ny] = [radius * Math.sign(toY - fromY), -radius * Math.sign(toX - fromX)];
  const pen = new Pen(fromX + nx, fromY + ny, tolerance);
  pen.lineTo(toX + nx, toY + ny);
  roundEnd(pen, toX, toY, -nx, -ny);
  pen.lineTo(fromX - nx, fromY - ny);
  roundEnd(pen, fromX, fromY, nx, ny);
  return [pen.contour];
}

/** Half a circle around (x, y), to (x + nx, y + ny) from the point opposite. */
function roundEnd(pen: Pen, x: number, y: number, nx: number, ny: number): void {
  const [ex, ey] = [ny, -nx];
  const along = (length: number) => quotient(length * handle, 64);
  const [dx, dy, hx, hy] = [along(nx), along(ny), along(ex), along(ey)];
  pen.cubicTo(x - nx + hx, y - ny + hy, x + ex - dx, y + ey - dy, x + ex, y + ey);
  pen.cubicTo(x + ex + dx, y + ey + dy, x + nx + hx, y + ny + hy, x + nx, y + ny);
}
