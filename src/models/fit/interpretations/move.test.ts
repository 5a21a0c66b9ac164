import { expect, it } from 'vitest';
import { referenceStretchKernel } from '../../../machine/vision/preprocess/preprocess.ts';
import type { Frame } from '../../../machine/vision/frame/frame.ts';
import type { InputSpec } from '../../../machine/vision/preprocess/input-spec.ts';
import { flattening } from './flatten.ts';
import { moving, movedBack } from './move.ts';

const side = 20;
/** Black, with one pixel in red, green and blue of 200, 100, 50 at 3, 4. */
const frame: Frame = {
  format: 'rgba8',
  widthPx: side,
  heightPx: side,
  samples: Uint8ClampedArray.from({ length: 4 * side * side }, (_, i) => {
    const isThere = i >> 2 === 4 * side + 3;
    return i % 4 === 3 ? 255 : isThere ? [200, 100, 50][i % 4]! : 0;
  }),
};
const spec = (layout: InputSpec['layout']): InputSpec => ({
  tensorName: 'image',
  dtype: 'uint8',
  layout,
  widthPx: side,
  heightPx: side,
  bgr: false,
  mean: [0, 0, 0],
  stdDev: [1, 1, 1],
});
const at = (data: ArrayLike<unknown>, layout: string, x: number, y: number) =>
  [0, 1, 2].map(
    (channel) => data[layout === 'nchw' ? channel * side * side + y * side + x : 3 * (y * side + x) + channel],
  );

it.each(['nchw', 'nhwc'] as const)('moves a picture to the right and down, %s', (layout) => {
  const { data } = moving(referenceStretchKernel).stretchToTensor(frame, spec(layout));
  // 0.08 of 20 pixels are two to the right, 0.05 one down.
  expect(at(data, layout, 5, 5)).toEqual([200, 100, 50]);
  expect(at(data, layout, 3, 4)).toEqual([0, 0, 0]);
});

it('takes its boxes back', () => {
  const rows = { count: 1, score: Float64Array.of(1), category: Float64Array.of(0), classCount: null, firstBoxSum: 1 };
  const box = Float64Array.of(0.3, 0.4, 0.5, 0.7);
  const back = movedBack({ ...rows, box, space: 'proportional' }, { inputWidthPx: side, inputHeightPx: side });
  expect([...back.box]).toEqual([0.2, 0.35, 0.4, 0.65].map((value) => expect.closeTo(value)));
});

it.each(['nchw', 'nhwc'] as const)('makes one even colour of a picture, %s', (layout) => {
  const { data } = flattening(referenceStretchKernel).stretchToTensor(
    { ...frame, samples: frame.samples.map((value, i) => (i % 4 === 3 ? value : [40, 80, 120][i % 4]!)) } as Frame,
    spec(layout),
  );
  expect(at(data, layout, 0, 0)).toEqual([40, 80, 120]);
  expect(at(flattening(referenceStretchKernel).stretchToTensor(frame, spec(layout)).data, layout, 3, 4)).toEqual([
    0, 0, 0,
  ]);
});
