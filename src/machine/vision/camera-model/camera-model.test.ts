import { describe, expect, it } from 'vitest';
import type { CameraDistortion, CameraIntrinsics } from '../../config/parse/machine-config.ts';
import { patternFrame } from '../frame/pattern-frame.ts';
import { distortPoint } from './distort-point.ts';
import { checkIntrinsics, checkProjection } from './intrinsics.ts';
import { undistort, undistortionMap } from './undistort.ts';

const none: CameraDistortion = { rk1: 0, rk2: 0, rk3: 0, tp1: 0, tp2: 0 };
const intrinsics: CameraIntrinsics = { widthPx: 5, heightPx: 3, fx: 2, fy: 2, ppx: 2, ppy: 1 };

describe('distortPoint', () => {
  it.each([
    ['nothing', none, 0.3, -0.4, 0.3, -0.4],
    // r² = 0.25, r⁴ = 0.0625, r⁶ = 0.015625
    ['rk1', { ...none, rk1: 0.4 }, 0.3, -0.4, 0.33, -0.44],
    ['rk2', { ...none, rk2: 1.6 }, 0.3, -0.4, 0.33, -0.44],
    ['rk3', { ...none, rk3: 6.4 }, 0.3, -0.4, 0.33, -0.44],
    // 2xy = −0.24, r² + 2x² = 0.43, r² + 2y² = 0.57
    ['tp1', { ...none, tp1: 0.1 }, 0.3, -0.4, 0.3 - 0.024, -0.4 + 0.057],
    ['tp2', { ...none, tp2: 0.1 }, 0.3, -0.4, 0.3 + 0.043, -0.4 - 0.024],
  ])('applies %s', (_, distortion, x, y, distortedX, distortedY) => {
    const [actualX, actualY] = distortPoint(x, y, distortion);
    expect(actualX).toBeCloseTo(distortedX, 12);
    expect(actualY).toBeCloseTo(distortedY, 12);
  });
});

describe('intrinsics', () => {
  it.each([
    [{ widthPx: -1 }, 'negative-size', 'negative-size'],
    [{ heightPx: -1 }, 'negative-size', 'negative-size'],
    [{ widthPx: 0 }, null, 'no-size'],
    [{ heightPx: 0 }, null, 'no-size'],
    [{ fy: 0 }, null, 'focal-length'],
    [{ fx: NaN }, null, 'focal-length'],
    [{ ppy: -0.5 }, null, 'principal-point'],
    [{ ppx: NaN }, null, 'principal-point'],
    [{ ppx: 0, ppy: 0, fx: 1e-9, fy: 1e-9, widthPx: 1, heightPx: 1 }, null, null],
    [{ fx: 0 }, null, 'focal-length'],
    [{ fy: -2 }, null, 'focal-length'],
    [{ ppx: -0.5 }, null, 'principal-point'],
    [{}, null, null],
  ])('%j: the machine says %s, a projection %s', (change, machineCode, projectionCode) => {
    const codeOf = (check: (given: CameraIntrinsics) => void) => {
      try {
        check({ ...intrinsics, ...change });
        return null;
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect(codeOf(checkIntrinsics)).toBe(machineCode);
    expect(codeOf(checkProjection)).toBe(projectionCode);
  });
});

describe('undistort', () => {
  it('shows the frame itself without distortion', () => {
    const frame = patternFrame('rgba8', 5, 3, 'varied');
    expect(undistort(frame, undistortionMap(intrinsics, none)).samples).toEqual(frame.samples);
  });

  it('samples the nearest pixel of the distorted position', () => {
    // With rk1 0.3: column 3 lies at x = 0.5, distorted 0.5·(1 + 0.3·0.25) = 0.5375, pixel 3.075; column 4 at 1.3 → 4.6, outside.
    const { sourcePixel } = undistortionMap({ ...intrinsics, heightPx: 1, ppy: 0 }, { ...none, rk1: 0.3 });
    expect([...sourcePixel]).toEqual([-1, 1, 2, 3, -1]);
  });

  it('takes points on the edge, and none beyond it, on every side', () => {
    // 3×3 with its middle at 1, 1: tangential distortion moves the whole picture by about tp · r² and 2tp · xy.
    const square = { ...intrinsics, widthPx: 3, heightPx: 3, fx: 1, fy: 1, ppx: 1, ppy: 1 };
    expect([...undistortionMap(square, none).sourcePixel]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    const larger = undistortionMap(square, { ...none, rk1: 0.1 }).sourcePixel;
    expect([...larger]).toEqual([-1, -1, -1, -1, 4, -1, -1, -1, -1]);
    const smaller = undistortionMap(square, { ...none, rk1: -0.3 }).sourcePixel;
    expect([...smaller]).toEqual([4, 1, 4, 3, 4, 5, 4, 7, 4].map((pixel, i) => ([0, 2, 6, 8].includes(i) ? 4 : pixel)));
  });

  it.each([
    ['wider', 6, 3],
    ['higher', 5, 4],
  ])('refuses a frame that is %s', (_, widthPx, heightPx) => {
    expect(() => undistort(patternFrame('rgba8', widthPx, heightPx), undistortionMap(intrinsics, none))).toThrow(
      `Intrinsics are for 5×3 px, the frame has ${widthPx}×${heightPx}.`,
    );
  });

  it('paints opaque black outside', () => {
    const wide = { ...intrinsics, heightPx: 1, ppy: 0 };
    const shown = undistort(patternFrame('rgba8', 5, 1), undistortionMap(wide, { ...none, rk1: 0.3 }));
    expect([...shown.samples.slice(16)]).toEqual([0, 0, 0, 255]);
    expect([...shown.samples.slice(4, 16)]).toEqual([...patternFrame('rgba8', 5, 1).samples.slice(4, 16)]);
  });

  it('refuses a frame of another size than the intrinsics are for', () => {
    expect(() => undistort(patternFrame('rgba8', 3, 5), undistortionMap(intrinsics, none))).toThrow(
      expect.objectContaining({ name: 'CameraModelError', code: 'size-mismatch' }),
    );
  });
});
