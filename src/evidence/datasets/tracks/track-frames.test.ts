import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DatasetBox } from '../item/dataset-item.ts';
import { fillTracks, settleTracks, type TrackFrame } from './track-frames.ts';

type Frames = readonly TrackFrame<DatasetBox>[];

/** A box of a track, written as its left edge in hundredths; `!` = key frame, `.` = the track ends there. */
function boxOf(text: string): DatasetBox {
  const [, id, left, marks] = /^(\d+)@(\d+)([!.]*)$/.exec(text)!;
  const x = Number(left) / 100;
  const track = { id: Number(id), isKey: marks!.includes('!'), isLast: marks!.includes('.') };
  const corners = { xMinNormalized: x, yMinNormalized: 0, xMaxNormalized: x + 0.1, yMaxNormalized: 1 };
  return { label: 'cup', ...corners, track };
}
const framesOf = (...texts: string[]): Frames =>
  texts.map((text, at) => ({ at, boxes: text.split(' ').filter(Boolean).map(boxOf) }));
const textOf = ({ xMinNormalized, track }: Pick<DatasetBox, 'xMinNormalized' | 'track'>) =>
  `${track!.id}@${Math.round(xMinNormalized * 100)}${track!.isKey ? '!' : ''}${track!.isLast ? '.' : ''}`;
const textsOf = (boxes: readonly (readonly Pick<DatasetBox, 'xMinNormalized' | 'track'>[])[]) =>
  boxes.map((on) => on.map(textOf).join(' '));

describe('fillTracks', () => {
  it('puts in what lies between key frames and behind the last one', () => {
    expect(textsOf(fillTracks(framesOf('1@0!', '', '1@20!', '', '2@50!. 1@30!.', '', '2@70!')))).toEqual(
      ['1@0!', '1@10', '1@20!', '1@25', '2@50!. 1@30!.', '', '2@70!'],
    ); // prettier-ignore
  });

  it('counts frames by their place: one that is missing is a step all the same', () => {
    const frames = framesOf('1@0!', '', '1@30!').map((frame, index) => ({ ...frame, at: [100, 101, 103][index]! }));
    expect(textsOf(fillTracks(frames))).toEqual(['1@0!', '1@10', '1@30!']);
  });

  it('takes the first of two boxes that a track has on a frame, and leaves both', () => {
    expect(textsOf(fillTracks(framesOf('1@0! 1@90!', '')))).toEqual(['1@0! 1@90!', '1@0']);
  });
});

describe('settleTracks', () => {
  it.each([
    ['a straight way', ['1@0!', '1@10', '1@20!'], ['1@0!', '1@10', '1@20!']],
    ['a bend without a key frame', ['1@0!', '1@30', '1@20!'], ['1@0!', '1@30!', '1@20!']],
    [
      'a bend before the key frame ahead',
      ['1@0!', '1@10', '1@20', '1@50', '1@40!'],
      ['1@0!', '1@10', '1@20!', '1@50!', '1@40!'],
    ],
    ['a first box that is none', ['', '1@30', '1@30'], ['', '1@30!', '1@30']],
    ['a gap', ['1@0', '1@10', '', '1@50', ''], ['1@0!', '1@10!.', '', '1@50!.', '']],
    ['an end that is none', ['1@0!.', '1@10!'], ['1@0!', '1@10!']],
    ['a move at the end', ['1@0!', '1@10', '1@20'], ['1@0!', '1@10!', '1@20!']],
    ['two tracks', ['1@0! 2@5!', '1@10', '1@20! 2@9'], ['1@0! 2@5!.', '1@10', '1@20! 2@9!']],
  ])('of %s', (_, before, after) => {
    expect(textsOf(settleTracks(framesOf(...before)))).toEqual(after);
  });

  it('marks so that interpolation gives all boxes back, whatever they are, and marks that once', () => {
    const row = fc.option(fc.record({ left: fc.nat(90), isKey: fc.boolean(), isLast: fc.boolean() }));
    fc.assert(
      fc.property(fc.array(fc.tuple(row, row), { minLength: 1, maxLength: 12 }), (rows) => {
        const frames = rows.map((tracks, at) => ({
          at: at * 3,
          boxes: tracks.flatMap((one, id) =>
            one ? [boxOf(`${id}@${one.left}${one.isKey ? '!' : ''}${one.isLast ? '.' : ''}`)] : [],
          ),
        }));
        const settled = settleTracks(frames);
        const keysOnly = settled.map((boxes, at) => ({ at: at * 3, boxes: boxes.filter(({ track }) => track!.isKey) }));
        const sorted = (boxes: readonly (readonly DatasetBox[])[]) => boxes.map((on) => on.map(textOf).toSorted());
        expect(sorted(fillTracks(keysOnly))).toEqual(sorted(settled));
        expect(settleTracks(settled.map((boxes, at) => ({ at: at * 3, boxes })))).toEqual(settled);
      }),
      { seed: 20261122, numRuns: 500 },
    );
  });
});
