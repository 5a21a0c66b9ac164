/**
 * Draws a histogram as SVG path data, one bar for each bin. The height is logarithmic: a detector leaves thousands of
 * raw scores near zero, and the few that matter must still be visible.
 */
export function histogramPath(bins: Uint32Array, widthPx: number, heightPx: number): string {
  const most = bins.reduce((highest, count) => Math.max(highest, count), 0);
  const barPx = widthPx / bins.length;
  let path = '';
  bins.forEach((count, bin) => {
    if (count === 0) return;
    const tallPx = Math.max(1, (Math.log1p(count) / Math.log1p(most)) * heightPx);
    const left = bin * barPx;
    const right = left + barPx - Math.min(1, barPx / 4);
    path += `M${round(left)} ${round(heightPx)}V${round(heightPx - tallPx)}H${round(right)}V${round(heightPx)}z`;
  });
  return path;
}

const round = (px: number): number => Math.round(px * 100) / 100;
