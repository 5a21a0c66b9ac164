import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../../tests/random-frame.ts';
import { GraphBuilder } from '../../onnx/edit-model.ts';
import { openNodeSession } from '../../../platform/node/onnxruntime.ts';
import type { Letterbox } from '../structure/family.ts';
import { letterbox } from './letterbox.ts';

const size = { widthPx: 40, heightPx: 32 };

async function run(values: Float32Array, widthPx: number, heightPx: number, box: Letterbox, boxes: readonly number[]) {
  const build = new GraphBuilder();
  const frame = build.input('image', 'float32', [1, 3, 'height', 'width']);
  const { picture, ontoFrame } = letterbox(build, frame, size, box);
  build.output('picture', picture, 'float32', [1, 3, size.heightPx, size.widthPx]);
  build.output('location', ontoFrame(build.floats([1, 1, 4], boxes)), 'float32', [1, 1, 4]);
  const session = await openNodeSession(build.build({ graphName: 'g', producer: 'p', opset: 18 }));
  const outputs = await session.run({ image: { dtype: 'float32', shape: [1, 3, heightPx, widthPx], data: values } });
  await session.release();
  return {
    picture: Array.from(outputs['picture']!.data, Number),
    location: Array.from(outputs['location']!.data, Number),
  };
}

/** Where the frame lies in the input, as the families' own code rounds it. */
function placing(widthPx: number, heightPx: number, at: Letterbox['at']) {
  const scale = Math.min(size.widthPx / widthPx, size.heightPx / heightPx);
  const round = (value: number) => (at === 'centre' ? Math.round(value) : Math.floor(value));
  const covered = { widthPx: round(widthPx * scale), heightPx: round(heightPx * scale) };
  const before = (free: number) => (at === 'centre' ? Math.round(free / 2 - 0.1) : 0);
  return {
    scale,
    covered,
    left: before(size.widthPx - covered.widthPx),
    top: before(size.heightPx - covered.heightPx),
  };
}

describe.each([
  ['wide', 90, 30],
  ['high', 21, 77],
  ['in proportion', 80, 64],
  ['small', 5, 5],
  ['of one row', 60, 1],
])('a frame that is %s', (_, widthPx, heightPx) => {
  it.each(['centre', 'top-left'] as const)(
    'lies %s with its proportions kept, and boxes come back onto it',
    async (at) => {
      const random = randomSource(widthPx);
      const values = Float32Array.from({ length: 3 * widthPx * heightPx }, () => random() * 255);
      const { scale, covered, left, top } = placing(widthPx, heightPx, at);
      covered.heightPx = Math.max(1, covered.heightPx);
      // A quarter and three quarters of the frame, as the model would see them.
      const onInput = [0.25, 0.25, 0.75, 0.75].map((share, k) =>
        k % 2 === 0
          ? (share * heightPx * scale + top) / size.heightPx
          : (share * widthPx * scale + left) / size.widthPx,
      );
      const { picture, location } = await run(values, widthPx, heightPx, { border: 114, at }, onInput);
      location.forEach((value, k) => expect(value).toBeCloseTo([0.25, 0.25, 0.75, 0.75][k]!, 5));

      const sample = (channel: number, x: number, y: number) => {
        const clamp = (value: number, most: number) => Math.min(most - 1, Math.max(0, value));
        const [x0, y0] = [Math.floor(x), Math.floor(y)];
        const at = (dx: number, dy: number) =>
          values[(channel * heightPx + clamp(y0 + dy, heightPx)) * widthPx + clamp(x0 + dx, widthPx)]!;
        const row = (dy: number) => at(0, dy) + (at(1, dy) - at(0, dy)) * (x - x0);
        return row(0) + (row(1) - row(0)) * (y - y0);
      };
      for (let i = 0; i < picture.length; i++) {
        const [channel, y, x] = [
          Math.floor(i / (size.widthPx * size.heightPx)),
          Math.floor(i / size.widthPx) % size.heightPx,
          i % size.widthPx,
        ];
        const isFrame = x >= left && x < left + covered.widthPx && y >= top && y < top + covered.heightPx;
        const wanted = isFrame
          ? sample(
              channel,
              ((x - left + 0.5) * widthPx) / covered.widthPx - 0.5,
              ((y - top + 0.5) * heightPx) / covered.heightPx - 0.5,
            )
          : 114;
        expect(Math.abs(picture[i]! - wanted)).toBeLessThan(0.01);
      }
    },
  );
});
