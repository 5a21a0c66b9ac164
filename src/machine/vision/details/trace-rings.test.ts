import { describe, expect, it } from 'vitest';
import { traceRings } from './trace-rings.ts';

/** Signs of a field as text; the border around it is outside. */
function fieldOf(text: readonly string[]) {
  const width = text[0]!.length + 2;
  const empty = ' '.repeat(width);
  const signs = [empty, ...text.map((row) => ` ${row} `), empty].join('');
  const places = (count: number) => Array.from({ length: count }, (_, k) => k);
  return {
    field: Float32Array.from(signs, (sign) => (sign === '#' ? 1 : sign === '+' ? 3 : -1)),
    places: { xs: places(width), ys: places(text.length + 2) },
  };
}

/** Twice the area with its sign: holes go round the other way. */
function areaOf(ring: readonly number[]): number {
  let area = 0;
  for (let at = 0; at < ring.length; at += 2) {
    const next = (at + 2) % ring.length;
    area += ring[at]! * ring[next + 1]! - ring[next]! * ring[at + 1]!;
  }
  return area / 2;
}

describe('traceRings', () => {
  it.each([
    ['nothing', ['   ', '   '], []],
    ['one place', ['   ', ' # ', '   '], [0.5]],
    ['a rectangle', ['####', '####'], [7.5]],
    ['two places apart', ['#  #'], [0.5, 0.5]],
    ['a hole', ['###', '# #', '###'], [8.5, -0.5]],
    ['opposite corners, apart where the middle is outside', ['# ', ' #'], [0.5, 0.5]],
    ['opposite corners, joined where the middle is inside', ['+ ', ' +'], [2.625]],
    ['the other two corners', [' +', '+ '], [2.625]],
  ])('goes round %s', (_, text, areas) => {
    const { field, places } = fieldOf(text);
    const rings = traceRings(field, places);
    const found = rings.map(areaOf);
    expect(found.map(Math.abs).toSorted()).toEqual(areas.map(Math.abs).toSorted());
    // A ring has the inside always on the same hand, so a hole has the other sign.
    const [outer] = found.toSorted((a, b) => Math.abs(b) - Math.abs(a));
    expect(found.filter((area) => Math.sign(area) !== Math.sign(outer ?? 0))).toHaveLength(
      areas.filter((area) => area < 0).length,
    );
  });

  it('crosses a side where the field is 0 between its ends', () => {
    const field = Float32Array.of(-1, -1, -1, -1, 3, -1, -1, -1, -1);
    const [ring] = traceRings(field, { xs: [10, 20, 30], ys: [0, 1, 2] });
    expect(new Set(ring!.filter((_, k) => k % 2 === 0))).toEqual(new Set([12.5, 20, 27.5]));
    expect(new Set(ring!.filter((_, k) => k % 2 === 1))).toEqual(new Set([0.25, 1, 1.75]));
  });
});
