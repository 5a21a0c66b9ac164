import { describe, expect, it } from 'vitest';
import { frameNumber, placeFrames, sequenceOf, sequenceTag, withSequences } from './sequences.ts';

const picture = (fileName: string, second: number | null = null) => ({
  contentId: `id of ${fileName}`,
  fileName,
  capturedAt: second === null ? null : `2026-01-01T00:00:0${second}Z`,
});
const placesOf = (pictures: Parameters<typeof placeFrames>[0]) =>
  placeFrames(pictures).map(({ at, picture: { fileName } }) => `${at} ${fileName}`);

describe('a sequence', () => {
  it('is a tag of its frames', () => {
    expect(sequenceOf(['night', sequenceTag('walk: 2'), 'sequence:'])).toBe('walk: 2');
    expect(sequenceOf(['sequence:b', 'sequence:a'])).toBe('a');
    expect(sequenceOf(['sequences', 'sequence:'])).toBeNull();
  });

  it.each([
    ['clip-000123.jpg', 123],
    ['cam2_17 (edited).png', 17],
    ['frame.mp4', null],
    ['000000', 0],
  ])('reads of %s the number %s', (name, number) => {
    expect(frameNumber(name)).toBe(number);
  });

  it('has its frames in order of their numbers, which count those that are missing', () => {
    expect(placesOf([picture('a-10.png', 1), picture('a-9.png', 2), picture('a-12.png', 3)])).toEqual(
      ['9 a-9.png', '10 a-10.png', '12 a-12.png'],
    ); // prettier-ignore
  });

  it('goes by time where a number is missing or there twice, else by what never changes', () => {
    const [first, second] = [Date.parse('2026-01-01T00:00:01Z'), Date.parse('2026-01-01T00:00:02Z')];
    expect(placesOf([picture('b.png', 2), picture('a1.png', 1)])).toEqual([`${first} a1.png`, `${second} b.png`]);
    expect(placesOf([picture('x/1.png', 2), picture('y/1.png', 1)])).toEqual([`${first} y/1.png`, `${second} x/1.png`]);
    expect(placesOf([picture('b.png', 1), picture('a.png', 1), picture('c.png')])).toEqual(
      ['0 c.png', '1 a.png', '2 b.png'],
    ); // prettier-ignore
  });
});

describe('withSequences', () => {
  const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.5, yMaxNormalized: 1 };
  const box = { label: 'cup', ...corners, track: { id: 4, isKey: true, isLast: false } };

  it('fills tracks over the frames of each sequence, and leaves all else as it is', () => {
    const alone = { ...picture('a2.png'), tags: [], boxes: [] };
    const [first, second] = [1, 2].map((n) => ({ ...picture(`a${n}.png`), tags: ['sequence:s'], boxes: n === 1 ? [box] : [] })); // prettier-ignore
    const other = { ...picture('a3.png'), tags: ['sequence:t'], boxes: [] };
    const full = withSequences([second!, alone, other, first!]);
    expect(full.map(({ sequence, boxes }) => [sequence, boxes.map(({ track }) => track)])).toEqual([
      [{ name: 's', at: 2 }, [{ id: 4, isKey: false, isLast: false }]],
      [undefined, []],
      [{ name: 't', at: 3 }, []],
      [{ name: 's', at: 1 }, [box.track]],
    ]);
    expect(full[1]).toBe(alone);
    const none = [alone];
    expect(withSequences(none)).toBe(none);
  });
});
