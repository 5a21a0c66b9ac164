import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeStem, UniqueNames } from './unique-names.ts';

describe('safeStem', () => {
  it.each([
    ['frame 1', 'frame_1'],
    ['2024-05-01T12:34:56.789Z', '2024-05-01T12_34_56.789Z'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['con', '_con'],
    ['LPT1.x', '_LPT1.x'],
    ['name.', 'name'],
    ['-rf', 'rf'],
    ['', 'image'],
    ['...', 'image'],
    ['a\u0308', '\u00e4'],
    ['\ud800', '_'],
    ['x'.repeat(300), 'x'.repeat(48)],
  ])('makes %j a name for every system: %j', (stem, safe) => {
    expect(safeStem(stem)).toBe(safe);
  });
});

describe('UniqueNames', () => {
  it('gives no two names of one stem, whatever their case and extension', () => {
    const names = new UniqueNames();
    expect(names.take('a.jpg', '.jpg', 'x')).toBe('a.jpg');
    const second = names.take('A.png', '.png', 'y');
    expect(second).toMatch(/^A-[0-9a-f]{8}\.png$/);
    expect(new UniqueNames().take('A.png', '.png', 'y')).toBe('A.png');
    const again = new UniqueNames();
    again.take('A.png', '.png', 'z');
    expect(again.take('A.png', '.png', 'y')).toBe(second); // the digits depend on the content id, not on the order
  });

  it('gives safe and different names for any names', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 20 }), (fileNames) => {
        const names = new UniqueNames();
        const given = fileNames.map((fileName) => names.take(fileName, '.png', 'one id for all'));
        expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(given.length);
        for (const name of given) {
          expect(name).toMatch(/^[^.\-<>:"/\\|?*\p{Cc}\p{Cs}\p{Z}][^<>:"/\\|?*\p{Cc}\p{Cs}\p{Z}]*\.png$/u);
          expect(new TextEncoder().encode(name).length).toBeLessThan(255);
        }
      }),
      { seed: 20261121, numRuns: 80 },
    );
  });
});
