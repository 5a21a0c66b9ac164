import { describe, expect, it } from 'vitest';
import { answerColors, inOrder, type ColorAnswer } from '../../../../tests/oracle/cases/answer-colors.ts';
import { colorCase } from '../../../../tests/oracle/cases/color-cases.ts';
import type { Frame } from '../frame/frame.ts';
import { detectColors } from './detect-colors.ts';
import answers from './machine-answers.json' with { type: 'json' };
import { pixelTest } from './pixel-test.ts';

const rule = { hueDeg: 0, tolerance: 0.1, saturationCutoff: 0.2, valueCutoff: 0.3, minAreaPx: 1, label: 'ball' };

/** A picture of rows of letters: R is red, everything else black. */
function frameOf(...rows: readonly string[]): Frame {
  const samples = rows.flatMap((row) => [...row].flatMap((letter) => [letter === 'R' ? 255 : 0, 0, 0, 255]));
  return { format: 'rgba8', widthPx: rows[0]!.length, heightPx: rows.length, samples: Uint8ClampedArray.from(samples) };
}

function boxes(frame: Frame, minAreaPx = 1): readonly string[] {
  const { count, box } = detectColors(frame, { rule: { ...rule, minAreaPx }, test: pixelTest(rule) });
  return Array.from({ length: count }, (_, row) => box.subarray(4 * row, 4 * row + 4).join(','));
}

describe('detectColors', () => {
  it('answers as the machine’s own code did', () => {
    const machine = answers as Readonly<Record<string, ColorAnswer>>;
    const kinds = ['nrgba', 'nrgba', 'rgba', 'nrgba64', 'ycbcr'] as const;
    const here = Object.keys(machine).map((number) => [number, answerColors(colorCase(11, Number(number), kinds))]);
    const ordered = (rows: readonly (readonly unknown[])[]) =>
      Object.fromEntries(rows.map(([number, answer]) => [number, inOrder(answer as ColorAnswer)]));
    expect(ordered(here)).toEqual(ordered(Object.entries(machine)));
  });

  it.each<[title: string, rows: readonly string[], found: readonly string[], minAreaPx?: number]>([
    ['a square, from its first to its last pixel', ['....', '.RR.', '.RR.'], ['1,1,2,2']],
    ['a group one pixel wide has no area', ['.R.', '.R.', '.R.'], []],
    ['and is there where no area is asked for', ['.R.', '.R.', '.R.'], ['1,0,1,2'], -1],
    ['corners do not touch', ['RR..', 'RR..', '..RR', '..RR'], ['0,0,1,1', '2,2,3,3']],
    ['arms that meet below', ['R.R', 'R.R', 'RRR'], ['0,0,2,2']],
    ['arms that meet above and on the right', ['RRRR', 'R..R', 'RR.R', '...R'], ['0,0,3,3']],
    ['three groups that one run joins', ['R.R.R', 'R.R.R', 'RRRRR'], ['0,0,4,2']],
    ['the largest first', ['RR.RRR', 'RR.RRR'], ['3,0,5,1', '0,0,1,1']],
    [
      'equal areas by their first pixels, column by column',
      ['..RR', 'RRRR', 'RR..', '....', 'RR..', 'RR..', '..RR', '..RR'],
      ['0,0,3,2', '0,4,1,5', '2,6,3,7'],
    ],
    [
      'a group is found at the top of its first column, wherever its first row is',
      ['...RR', 'RR.RR', 'RR...', '.....'],
      ['0,1,1,2', '3,0,4,1'],
    ],
    ['a box as large as asked', ['RRR', 'RRR'], ['0,0,2,1'], 2],
    ['a box that is smaller', ['RRR', 'RRR'], [], 3],
    ['rows do not run on', ['...RR', 'RR.RR', 'RR...'], ['0,1,1,2', '3,0,4,1']],
  ])('%s', (_, rows, found, minAreaPx) => {
    expect(boxes(frameOf(...rows), minAreaPx)).toEqual(found);
  });

  it('says its label with score 1, in the frame’s size', () => {
    const found = detectColors(frameOf('RR', 'RR'), { rule, test: pixelTest(rule) });
    expect(found).toMatchObject({ count: 1, labels: ['ball'], frameWidthPx: 2, frameHeightPx: 2, droppedNaN: 0 });
    expect([...found.score, ...found.labelIndex]).toEqual([1, 0]);
  });

  it('finds more groups than it has room for at first', () => {
    const specks = 'R.'.repeat(40);
    expect(
      boxes(frameOf(...Array.from({ length: 40 }, (_, y) => (y % 2 === 0 ? specks : '.'.repeat(80)))), -1),
    ).toHaveLength(800);
  });
});
