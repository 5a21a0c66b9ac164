import type { Rgba8Frame } from '../frame/frame-formats.ts';
import { sineAndCosine } from './sine-cosine.ts';

/**
 * Rotates about the centre onto the bounding box of the rotated corners: four neighbours weighted by distance and alpha,
 * opaque black beyond the edge. Same arithmetic and order of operations as github.com/disintegration/imaging v1.6.2 on
 * amd64; where Go fuses multiplication and addition (arm64) a rare sample at a tie differs by 1.
 */
export function rotateFreely(source: Rgba8Frame, counterClockwiseDegs: number): Rgba8Frame {
  const { widthPx: sourceWidth, heightPx: sourceHeight, samples } = source;
  const radians = (Math.PI * counterClockwiseDegs) / 180;
  const [sin, cos] = sineAndCosine(radians);
  const [widthPx, heightPx] = rotatedSize(sourceWidth, sourceHeight, sin, cos);
  const sourceCentreX = sourceWidth / 2 - 0.5;
  const sourceCentreY = sourceHeight / 2 - 0.5;
  const centreX = widthPx / 2 - 0.5;
  const centreY = heightPx / 2 - 0.5;
  const into = new Uint8ClampedArray(4 * widthPx * heightPx);
  const sums = new Float64Array(4);

  const add = (x: number, y: number, weight: number) => {
    if (x < 0 || y < 0 || x >= sourceWidth || y >= sourceHeight) {
      sums[3]! += 255 * weight; // opaque black
      return;
    }
    const i = 4 * (y * sourceWidth + x);
    const weightedAlpha = samples[i + 3]! * weight;
    sums[0]! += samples[i]! * weightedAlpha;
    sums[1]! += samples[i + 1]! * weightedAlpha;
    sums[2]! += samples[i + 2]! * weightedAlpha;
    sums[3]! += weightedAlpha;
  };

  for (let y = 0, o = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, o += 4) {
      const fromX = (x - centreX) * cos - (y - centreY) * sin + sourceCentreX;
      const fromY = (x - centreX) * sin + (y - centreY) * cos + sourceCentreY;
      const left = Math.floor(fromX);
      const top = Math.floor(fromY);
      if (left < -1 || top < -1 || left >= sourceWidth || top >= sourceHeight) {
        into[o + 3] = 255;
        continue;
      }
      const right = fromX - left;
      const bottom = fromY - top;
      sums.fill(0);
      add(left, top, (1 - right) * (1 - bottom));
      add(left + 1, top, right * (1 - bottom));
      add(left, top + 1, (1 - right) * bottom);
      add(left + 1, top + 1, right * bottom);
      const alpha = sums[3]!;
      if (alpha === 0) continue;
      const perAlpha = 1 / alpha;
      // Truncated after adding a half: a clamped array alone would round ties to even.
      into[o] = Math.trunc(sums[0]! * perAlpha + 0.5);
      into[o + 1] = Math.trunc(sums[1]! * perAlpha + 0.5);
      into[o + 2] = Math.trunc(sums[2]! * perAlpha + 0.5);
      into[o + 3] = Math.trunc(alpha + 0.5);
    }
  }
  return { format: 'rgba8', widthPx, heightPx, samples: into };
}

/** Width and height of the bounding box: extent of the rotated corners + 1, rounded up only when its fraction is above 0.1. */
export function rotatedSize(widthPx: number, heightPx: number, sin: number, cos: number): [number, number] {
  const right = widthPx - 1;
  const bottom = heightPx - 1;
  const xs = [0, right * cos, right * cos - bottom * sin, -bottom * sin];
  const ys = [0, right * sin, right * sin + bottom * cos, bottom * cos];
  const size = (values: number[]) => {
    const extent = Math.max(...values) - Math.min(...values) + 1;
    return Math.floor(extent - Math.floor(extent) > 0.1 ? extent + 1 : extent);
  };
  return [size(xs), size(ys)];
}
