import { describe, expect, it } from 'vitest';
import type { OverlayBox } from '../../kit/picture/draw-overlay.ts';
import { BoxFades } from './box-fades.ts';

const boxes = (...rows: readonly number[]) => rows.map((row) => ({ row }) as OverlayBox);
const drawn = (fades: BoxFades, nowMs: number) => fades.at(nowMs).map(({ row, opacity = 1 }) => [row, opacity]);

describe('boxes of the same detections', () => {
  it('appear and vanish within 120 ms, and are seen to at once', () => {
    const fades = new BoxFades();
    const frame = {};
    fades.follow(frame, boxes(1, 2), 1000);
    expect(drawn(fades, 1000)).toEqual([
      [1, 1],
      [2, 1],
    ]);
    fades.follow(frame, boxes(2, 3), 2000);
    expect(drawn(fades, 2000)).toEqual([
      [1, 0.7],
      [2, 1],
      [3, 0.3],
    ]);
    expect(fades.isMoving).toBe(true);
    const [[, going], , [, coming]] = drawn(fades, 2060) as [number[], number[], number[]];
    expect([going, coming]).toEqual([expect.closeTo(0.35), expect.closeTo(0.65)]);
    expect(drawn(fades, 2120)).toEqual([
      [2, 1],
      [3, 1],
    ]);
    expect(fades.isMoving).toBe(false);
  });

  it('come back whole where they had not gone, and go where they had not come', () => {
    const fades = new BoxFades();
    const frame = {};
    fades.follow(frame, boxes(1), 0);
    fades.follow(frame, boxes(2), 10);
    fades.follow(frame, boxes(1), 20);
    expect(drawn(fades, 130).map(([row]) => row)).toEqual([2, 1]);
    expect(drawn(fades, 140)).toEqual([[1, 1]]);
  });
});

it.each([
  ['another frame', {}, boxes(2)],
  ['more boxes than can be drawn so often', 'same', boxes(...Array.from({ length: 301 }, (_, row) => row + 1))],
])('shows %s at once', (_, next, wanted) => {
  const fades = new BoxFades();
  const frame = {};
  fades.follow(frame, boxes(1), 0);
  fades.follow(next === 'same' ? frame : next, wanted, 1);
  expect(fades.isMoving).toBe(false);
  expect(fades.at(1)).toBe(wanted);
});
