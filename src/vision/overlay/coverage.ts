import type { OutlineCommand } from './outline-font.ts';

/** How much of each pixel is painted, 0..1, row by row. */
export interface Coverage {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly alpha: Float32Array;
}

/** Covers whole pixels from (xMin, yMin) up to but without (xMax, yMax); what lies outside is cut off. */
export function coverRectangle(coverage: Coverage, xMin: number, yMin: number, xMax: number, yMax: number): void {
  const left = Math.max(xMin, 0);
  const right = Math.min(xMax, coverage.widthPx);
  if (left >= right) return;
  for (let y = Math.max(yMin, 0); y < Math.min(yMax, coverage.heightPx); y++) {
    coverage.alpha.fill(1, y * coverage.widthPx + left, y * coverage.widthPx + right);
  }
}

/** Maps font units (y upwards) to pixels (y downwards). */
export interface Placement {
  readonly scale: number;
  readonly leftPx: number;
  readonly baselinePx: number;
}

/**
 * Covers the inside of closed contours by the exact area in each pixel. Every edge adds its signed height to the pixels
 * right of it; a running sum along the row then gives the winding, partial where an edge passes through.
 */
export function coverOutline(coverage: Coverage, commands: readonly OutlineCommand[], placement: Placement): void {
  const edges = flatten(commands, placement);
  if (edges.length === 0) return;
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (let i = 0; i < edges.length; i += 2) {
    left = Math.min(left, Math.floor(edges[i]!));
    right = Math.max(right, Math.ceil(edges[i]!));
    top = Math.min(top, Math.floor(edges[i + 1]!));
    bottom = Math.max(bottom, Math.ceil(edges[i + 1]!));
  }
  if (right <= 0 || bottom <= 0 || left >= coverage.widthPx || top >= coverage.heightPx) return;
  const width = right - left + 2;
  const area = new Float64Array(width * (bottom - top + 1));
  for (let i = 0; i < edges.length; i += 4) {
    addEdge(area, width, edges[i]! - left, edges[i + 1]! - top, edges[i + 2]! - left, edges[i + 3]! - top);
  }
  for (let y = Math.max(top, 0); y < Math.min(bottom, coverage.heightPx); y++) {
    let winding = 0;
    for (let x = left; x < Math.min(right, coverage.widthPx); x++) {
      winding += area[(y - top) * width + x - left]!;
      if (x < 0) continue;
      const i = y * coverage.widthPx + x;
      coverage.alpha[i]! += Math.min(Math.abs(winding), 1) * (1 - coverage.alpha[i]!);
    }
  }
}

/** Straight edges as x0, y0, x1, y1 in pixels. Eight chords a curve stay within a twentieth of a pixel at 30 px. */
function flatten(commands: readonly OutlineCommand[], { scale, leftPx, baselinePx }: Placement): number[] {
  const edges: number[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const lineTo = (toX: number, toY: number) => {
    edges.push(leftPx + x * scale, baselinePx - y * scale, leftPx + toX * scale, baselinePx - toY * scale);
    [x, y] = [toX, toY];
  };
  for (const command of commands) {
    switch (command.type) {
      case 'M':
        [x, y, startX, startY] = [command.x, command.y, command.x, command.y];
        break;
      case 'L':
        lineTo(command.x, command.y);
        break;
      case 'Q': {
        const [x0, y0] = [x, y];
        for (let step = 1; step <= 8; step++) {
          const t = step / 8;
          const [a, b, c] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
          lineTo(a * x0 + b * command.x1 + c * command.x, a * y0 + b * command.y1 + c * command.y);
        }
        break;
      }
      case 'Z':
        lineTo(startX, startY);
        break;
    }
  }
  return edges;
}

/** Cuts an edge at pixel borders and adds each piece to its pixel and to the one right of it. */
function addEdge(area: Float64Array, width: number, x0: number, y0: number, x1: number, y1: number): void {
  if (y0 === y1) return;
  const cuts = [0, 1];
  const cutAt = (from: number, to: number) => {
    for (let border = Math.floor(Math.min(from, to)) + 1; border < Math.max(from, to); border++) {
      cuts.push((border - from) / (to - from));
    }
  };
  cutAt(x0, x1);
  cutAt(y0, y1);
  cuts.sort((a, b) => a - b);
  for (let piece = 1; piece < cuts.length; piece++) {
    const from = cuts[piece - 1]!;
    const to = cuts[piece]!;
    const middle = (from + to) / 2;
    const x = x0 + (x1 - x0) * middle;
    const column = Math.floor(x);
    const i = Math.floor(y0 + (y1 - y0) * middle) * width + column;
    const height = (y1 - y0) * (to - from);
    area[i]! += height * (column + 1 - x);
    area[i + 1]! += height * (x - column);
  }
}
