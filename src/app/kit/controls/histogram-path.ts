export interface HistogramPaths {
  /** SVG path data of the scores at or above the threshold */
  readonly kept: string;
  /** and of the scores below it */
  readonly dropped: string;
}

/**
 * Draws a histogram of unit width and `heightPx` height, one bar for each bin. The height is logarithmic: a
 * detector leaves thousands of raw scores near zero, and the few that matter must still be visible. The bar that
 * the threshold cuts is split. A threshold of +Infinity drops all.
 */
export function histogramPaths(
  bins: Uint32Array,
  threshold: number,
  widthPx: number,
  heightPx: number,
): HistogramPaths {
  const most = bins.reduce((highest, count) => Math.max(highest, count), 0);
  let kept = '';
  let dropped = '';
  if (most === 0) return { kept, dropped };
  const cut = Math.min(1, Math.max(0, threshold)) * widthPx;
  const barPx = widthPx / bins.length;
  bins.forEach((count, bin) => {
    if (count === 0) return;
    const tallPx = Math.max(1, (Math.log1p(count) / Math.log1p(most)) * heightPx);
    const left = bin * barPx;
    const right = left + barPx - Math.min(1, barPx / 4);
    const split = Math.min(Math.max(cut, left), right);
    dropped += bar(left, split, heightPx, tallPx);
    kept += bar(split, right, heightPx, tallPx);
  });
  return { kept, dropped };
}

function bar(left: number, right: number, basePx: number, tallPx: number): string {
  if (right <= left) return '';
  return `M${round(left)} ${round(basePx)}V${round(basePx - tallPx)}H${round(right)}V${round(basePx)}z`;
}

const round = (px: number): number => Math.round(px * 100) / 100;
