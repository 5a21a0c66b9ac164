import { expect, it } from 'vitest';
import { traceToSource, type TracedStage } from '../../../machine/vision/trace/trace.ts';
import { placeOnPicture } from './place-on-picture.ts';

const stages: readonly TracedStage[] = [
  { step: null, widthPx: 640, heightPx: 480 },
  {
    step: { type: 'crop', attributes: { xMin: 100, yMin: 40, xMax: 400, yMax: 240, overlayCropBox: false } },
    widthPx: 300,
    heightPx: 200,
  },
  { step: { type: 'rotate', attributes: { angleDegs: 90 } }, widthPx: 200, heightPx: 300 },
  { step: { type: 'rotate', attributes: { angleDegs: 30 } }, widthPx: 324, heightPx: 360 },
  { step: { type: 'resize', attributes: { widthPx: 108, heightPx: 90 } }, widthPx: 108, heightPx: 90 },
];

it.each(stages.map((_, at) => at))('finds the way back to where a point came from, after %i steps', (count) => {
  const until = stages.slice(0, count + 1);
  const place = placeOnPicture(until);
  const box = { xMin: 3, yMin: -7, xMax: 50.5, yMax: 61 };
  const there = traceToSource(box, until).map(place);
  const corners = [
    [box.xMin, box.yMin],
    [box.xMax, box.yMin],
    [box.xMax, box.yMax],
    [box.xMin, box.yMax],
  ];
  for (const [at, { x, y }] of there.entries()) {
    expect(x).toBeCloseTo(corners[at]![0]!, 9);
    expect(y).toBeCloseTo(corners[at]![1]!, 9);
  }
});
