import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../../tests/random-frame.ts';
import type { RawDetections } from '../results/detections.ts';
import { decodeDetails, mostMasks, type RowMasks } from './decode-details.ts';

const frame = { frameWidthPx: 201, frameHeightPx: 101 };

function detections(boxes: readonly (readonly number[])[], scores = boxes.map(() => 0.5)): RawDetections {
  return {
    ...frame,
    count: boxes.length,
    labels: ['a'],
    labelIndex: new Uint32Array(boxes.length),
    score: Float64Array.from(scores),
    box: Int32Array.from(boxes.flat()),
    boxSpace: 'proportional',
    droppedNaN: 0,
  };
}

const tensor = (shape: readonly number[], values: ArrayLike<number>) => ({
  dtype: 'float32' as const,
  shape,
  data: Float32Array.from(values),
});

const box = [0, 0, 10, 10];

describe('key points', () => {
  it('lie where the machine would place a box of the same numbers', () => {
    const outputs = new Map([['key_points', tensor([1, 2, 2, 3], [0, 0, 1, 0.5, 0.5, 0.25, 1, 1, 0, 2, -1, 0.5])]]);
    const { keyPoints, masks } = decodeDetails(outputs, detections([box, box]))!;
    expect(masks).toBeNull();
    expect(keyPoints!.perRow).toBe(2);
    expect([...keyPoints!.values]).toEqual([0, 0, 1, 100, 50, 0.25, 200, 100, 0, 400, -100, 0.5]);
  });

  it.each([
    ['a row was left out of the detections', [1, 2, 2, 3]],
    ['points have two numbers', [1, 1, 2, 2]],
    ['there are three dimensions', [1, 1, 6]],
  ])('are not read where %s', (_, shape) => {
    const count = shape.reduce((a, b) => a * b, 1);
    const outputs = new Map([['key_points', tensor(shape, new Float32Array(count))]]);
    expect(decodeDetails(outputs, detections([box]))).toBeNull();
  });
});

describe('masks', () => {
  const [width, height, count] = [40, 20, 3];

  /** Smooth maps: sums of waves. */
  function randomMaps(seed: number): Float32Array {
    const random = randomSource(seed);
    return Float32Array.from(
      Array.from({ length: count }, () => {
        const [x, y, phase] = [random() * 0.4 + 0.1, random() * 0.4 + 0.1, random() * 6];
        return Array.from({ length: width * height }, (_, k) =>
          Math.sin(x * (k % width) + y * Math.floor(k / width) + phase),
        );
      }).flat(),
    );
  }

  /** The authors' own: the sum, enlarged bilinearly to the frame, cut off at the box, above 0. */
  function plainly(
    maps: Float32Array,
    weights: readonly number[],
    [xMin, yMin, xMax, yMax]: readonly number[],
    place: readonly number[],
  ) {
    const sum = (column: number, row: number) =>
      weights.reduce((total, weight, k) => total + weight * maps[(k * height + row) * width + column]!, 0);
    const inside: boolean[] = [];
    for (let y = 0; y < frame.frameHeightPx; y++)
      for (let x = 0; x < frame.frameWidthPx; x++) {
        const cell = (share: number, from: number, to: number, cells: number) =>
          Math.min(cells - 1, Math.max(0, ((share - from) / (to - from)) * cells - 0.5));
        const column = cell(x / (frame.frameWidthPx - 1), place[1]!, place[3]!, width);
        const row = cell(y / (frame.frameHeightPx - 1), place[0]!, place[2]!, height);
        const [left, top] = [Math.floor(column), Math.floor(row)];
        const [right, bottom] = [Math.min(width - 1, left + 1), Math.min(height - 1, top + 1)];
        const above = sum(left, top) * (1 - column + left) + sum(right, top) * (column - left);
        const below = sum(left, bottom) * (1 - column + left) + sum(right, bottom) * (column - left);
        const value = above * (1 - row + top) + below * (row - top);
        const isInBox = x > xMin! && x < xMax! && y > yMin! && y < yMax!;
        inside.push(isInBox && 1 / (1 + Math.exp(-value)) > 0.5);
      }
    return inside;
  }

  /** Whether the middle of each pixel lies in an odd number of rings of a row. */
  function filled({ points, ends, rows }: RowMasks, row: number): boolean[] {
    const rings = Array.from(rows.keys())
      .filter((ring) => rows[ring] === row)
      .map((ring) => Array.from(points.subarray(2 * (ends[ring - 1] ?? 0), 2 * ends[ring]!)));
    return Array.from({ length: frame.frameWidthPx * frame.frameHeightPx }, (_, k) => {
      const [x, y] = [k % frame.frameWidthPx, Math.floor(k / frame.frameWidthPx)];
      let crossings = 0;
      for (const ring of rings)
        for (let at = 0; at < ring.length; at += 2) {
          const next = (at + 2) % ring.length;
          const [x0, y0, x1, y1] = [ring[at]!, ring[at + 1]!, ring[next]!, ring[next + 1]!];
          if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) crossings++;
        }
      return crossings % 2 === 1;
    });
  }

  const outputsOf = (maps: Float32Array, weights: readonly (readonly number[])[], place: readonly number[] | null) =>
    new Map([
      ['mask_weights', tensor([1, weights.length, count], weights.flat())],
      ['mask_prototypes', tensor([1, count, height, width], maps)],
      ...(place ? [['mask_place', tensor([1, 4], place)] as const] : []),
    ]);

  it.each([
    [
      'over the whole frame',
      1,
      null,
      [
        [0, 0, 200, 100],
        [20, 30, 90, 77],
        [3, 3, 9, 8],
      ],
    ],
    [
      'where the input has a border above and below',
      2,
      [-0.5, 0, 1.5, 1],
      [
        [0, 0, 200, 100],
        [101, 2, 180, 99],
      ],
    ],
    [
      'where the input has a border beside',
      3,
      [0, -0.25, 1, 1.25],
      [
        [10, 10, 150, 90],
        [150, 0, 200, 100],
      ],
    ],
  ] as const)('are those of the authors’ own code, %s', (_, seed, place, boxes) => {
    // prettier-ignore
    const random = randomSource(seed);
    const maps = randomMaps(seed);
    const weights = boxes.map(() => Array.from({ length: count }, () => Math.fround(random() * 2 - 1)));
    const { masks } = decodeDetails(outputsOf(maps, weights, place), detections(boxes))!;
    boxes.forEach((one, row) => {
      const [wanted, found] = [plainly(maps, weights[row]!, one, place ?? [0, 0, 1, 1]), filled(masks!, row)];
      // Whether a pixel on the box's own edge is inside is left to rounding.
      const [xMin, yMin, xMax, yMax] = one;
      const isClear = wanted.map((_, k) => {
        const [x, y] = [k % frame.frameWidthPx, Math.floor(k / frame.frameWidthPx)];
        return x !== xMin && x !== xMax && y !== yMin && y !== yMax;
      });
      const both = wanted.filter((is, k) => isClear[k] && is && found[k]).length;
      const either = wanted.filter((is, k) => isClear[k] && (is || found[k])).length;
      expect(both).toBeGreaterThan(2);
      // Lines between two sides of a cell are straight here, and hyperbolas there.
      expect(either - both).toBeLessThanOrEqual(2 + 0.02 * either);
    });
  });

  it('end at the box, to the edge', () => {
    const maps = new Float32Array(count * width * height).fill(1);
    const { masks } = decodeDetails(outputsOf(maps, [[1, 1, 1]], null), detections([[20, 31, 90, 77]]))!;
    const xs = Array.from(masks!.points).filter((_, k) => k % 2 === 0);
    const ys = Array.from(masks!.points).filter((_, k) => k % 2 === 1);
    [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].forEach((value, k) =>
      expect(value).toBeCloseTo([20, 31, 90, 77][k]!, 3),
    );
  });

  it.each([
    ['a box without area', [[5, 5, 5, 9]], [0.5], 1],
    ['a row that stands for none', [[5, 5, 50, 90]], [0], 1],
    ['a sum of 0', [[5, 5, 50, 90]], [0.5], 0],
  ])('are none for %s', (_, boxes, scores, value) => {
    const maps = new Float32Array(count * width * height).fill(value);
    const { masks } = decodeDetails(outputsOf(maps, [[1, 1, 1]], null), detections(boxes, scores))!;
    expect(masks).toEqual({ points: new Float32Array(), ends: new Uint32Array(), rows: new Uint32Array() });
  });

  it('are those of the surest boxes where there are very many', () => {
    const rows = mostMasks + 20;
    const boxes = Array.from({ length: rows }, () => [0, 0, 200, 100]);
    const scores = boxes.map((_, k) => (k < 20 ? 0.1 : 0.5));
    const maps = new Float32Array(count * width * height).fill(1);
    const weights = boxes.map(() => [1, 1, 1]);
    const { masks } = decodeDetails(outputsOf(maps, weights, null), detections(boxes, scores))!;
    expect(new Set(masks!.rows)).toEqual(new Set(Array.from({ length: mostMasks }, (_, k) => 20 + k)));
  });

  it('are not read where weights and prototypes differ in number', () => {
    const outputs = outputsOf(new Float32Array(count * width * height), [[1, 1, 1]], null);
    outputs.set('mask_weights', tensor([1, 1, 4], [1, 1, 1, 1]));
    expect(decodeDetails(outputs, detections([box]))).toBeNull();
  });
});
