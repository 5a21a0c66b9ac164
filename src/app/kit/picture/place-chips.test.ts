import { describe, expect, it } from 'vitest';
import { placeChips } from './place-chips.ts';

const stage = { x: 0, y: 0, width: 300, height: 200 };
const box = (x: number, y: number, width = 60, height = 40) => ({ x, y, width, height });
const place = (...boxes: ReturnType<typeof box>[]) =>
  placeChips(
    boxes.map((wanted) => ({ box: wanted, widthPx: 50, heightPx: 16 })),
    stage,
  ).map((chip) => chip && [chip.x, chip.y]);

describe('placeChips', () => {
  it('puts the text above its box', () => {
    expect(place(box(20, 50))).toEqual([[20, 34]]);
  });
  it('puts it inside where there is no room above', () => {
    expect(place(box(20, 5))).toEqual([[20, 5]]);
  });
  it('keeps it on the stage at the right edge', () => {
    expect(place(box(290, 50))).toEqual([[250, 34]]);
  });
  it('goes through above, inside and below for boxes in one place', () => {
    expect(place(box(20, 50), box(20, 50), box(20, 50))).toEqual([
      [20, 34],
      [20, 50],
      [20, 90],
    ]);
  });
  it('leaves the text away where every place is taken', () => {
    const same = Array.from({ length: 6 }, () => box(20, 50, 50));
    expect(place(...same)).toEqual([[20, 34], [20, 50], [20, 90], [70, 50], null, null]);
  });
  it('does not call touching chips an overlap', () => {
    expect(place(box(20, 50), box(70, 50))).toEqual([
      [20, 34],
      [70, 34],
    ]);
  });
  it('lets no two overlap, wherever they lie', () => {
    const boxes = Array.from({ length: 300 }, (_, at) => box((at * 37) % 290, (at * 53) % 190, 9, 7));
    const chips = place(...boxes).filter((chip) => chip !== null);
    expect(chips.length).toBeGreaterThan(20);
    const overlaps = chips.flatMap(([x, y], at) =>
      chips.slice(at + 1).filter(([left, top]) => Math.abs(left! - x!) < 50 && Math.abs(top! - y!) < 16),
    );
    expect(overlaps).toEqual([]);
  });
});
