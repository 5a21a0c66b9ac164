import { expect, it } from 'vitest';
import type { TransformStep } from '../../config/parse/machine-config.ts';
import type { TracedStage } from './trace.ts';
import { uprightOnSource } from './upright-on-source.ts';

const source: TracedStage = { step: null, widthPx: 200, heightPx: 100 };
const crop: TransformStep = {
  type: 'crop',
  attributes: { xMin: 50, yMin: 20, xMax: 150, yMax: 80, overlayCropBox: false },
};
const half: TransformStep = { type: 'resize', attributes: { widthPx: 100, heightPx: 50 } };
const turned: TransformStep = { type: 'rotate', attributes: { angleDegs: 90 } };
const tilted: TransformStep = { type: 'rotate', attributes: { angleDegs: 45 } };

it.each<[string, TracedStage[], number[], number[]]>([
  ['without steps', [source], [0, 0, 200, 100], [0, 0, 1, 1]],
  ['after a crop', [source, { step: crop, widthPx: 100, heightPx: 60 }], [0, 0, 100, 60], [0.25, 0.2, 0.75, 0.8]],
  [
    'of which an odd column and row were left away',
    [{ ...source, uncut: { widthPx: 201, heightPx: 101 } }],
    [20.1, 0, 100.5, 50.5],
    [0.1, 0, 0.5, 0.5],
  ],
  ['after a resize', [source, { step: half, widthPx: 100, heightPx: 50 }], [10, 10, 60, 50], [0.1, 0.2, 0.6, 1]],
  // clockwise: the source's left edge is the top
  ['after a quarter turn', [source, { step: turned, widthPx: 100, heightPx: 200 }], [0, 0, 100, 50], [0, 0, 0.25, 1]],
  // a square of 20 about the centre stands on its corner, 20·√2 wide
  [
    'around what an eighth of a turn tilted',
    [source, { step: tilted, widthPx: 200, heightPx: 100 }],
    [90, 40, 110, 60],
    [0.5 - Math.SQRT2 / 20, 0.5 - Math.SQRT2 / 10, 0.5 + Math.SQRT2 / 20, 0.5 + Math.SQRT2 / 10],
  ],
  ['beyond the edges', [source], [-20, 50, 220, 150], [0, 0.5, 1, 1]],
])('lies where it is on the source, %s', (_, stages, [xMin, yMin, xMax, yMax], expected) => {
  const found = uprightOnSource({ xMin: xMin!, yMin: yMin!, xMax: xMax!, yMax: yMax! }, stages)!;
  const { xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized } = found;
  [xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized].forEach((edge, at) =>
    expect(edge).toBeCloseTo(expected[at]!, 12),
  );
});

it.each([
  ['left', -20, 0, -1, 10],
  ['right', 201, 0, 220, 10],
  ['above', 0, -20, 10, -1],
  ['below', 0, 101, 10, 120],
])('is none where it lies outside, %s', (_, xMin, yMin, xMax, yMax) => {
  expect(uprightOnSource({ xMin, yMin, xMax, yMax }, [source])).toBeNull();
});

it.each([
  ['left', -20, 0, 0, 10],
  ['right', 200, 0, 220, 10],
  ['above', 0, -20, 10, 0],
  ['below', 0, 100, 10, 120],
])('is a line where it touches the edge from outside, %s', (_, xMin, yMin, xMax, yMax) => {
  const found = uprightOnSource({ xMin, yMin, xMax, yMax }, [source])!;
  expect([found.xMaxNormalized - found.xMinNormalized, found.yMaxNormalized - found.yMinNormalized]).toContain(0);
});

it('is none where nothing is known of the way', () => {
  expect(uprightOnSource({ xMin: 0, yMin: 0, xMax: 1, yMax: 1 }, [])).toBeNull();
});
