import { describe, expect, it } from 'vitest';
import { fixedSession, float32, imageInput } from '../../../../tests/fixed-session.ts';
import type { Frame } from '../../../machine/vision/frame/frame.ts';
import { asUnits } from '../../../machine/vision/preprocess/normalizations.ts';
import { referenceStretchKernel } from '../../../machine/vision/preprocess/preprocess.ts';
import type { Tensor } from '../../../machine/vision/tensor/tensor.ts';
import { feedingWords } from './rank-feedings.ts';
import { tryFeedings, type FeedingSearch } from './try-feedings.ts';

/** Red on the left, blue on the right, twice as wide as high. */
const frame: Frame = {
  format: 'rgba8',
  widthPx: 32,
  heightPx: 16,
  samples: Uint8ClampedArray.from({ length: 4 * 32 * 16 }, (_, at) => {
    const isLeft = Math.floor(at / 4) % 32 < 16;
    return [isLeft ? 255 : 0, 0, isLeft ? 0 : 255, 255][at % 4]!;
  }),
};
const size = 16;
/** The first channel's value in a pixel of a tensor 1×16×16×3. */
const first = ({ data }: Tensor, x: number, y = 8) => Number(data[3 * (y * size + x)]);

function search(session: FeedingSearch['session'], more: Partial<FeedingSearch> = {}): FeedingSearch {
  return {
    session,
    kind: 'classifications',
    present: { bgr: false, meanValue: asUnits.mean, stdDev: asUnits.stdDev, fit: 'stretch' },
    isFedByOptions: false,
    frame,
    answer: { category: 1, box: null },
    ports: { stretchKernel: referenceStretchKernel, turn: (task) => task(), nowMs: () => 0 },
    onProgress: () => undefined,
    signal: new AbortController().signal,
    ...more,
  };
}
const input = imageInput([1, size, size, 3], 'float32');

describe('tryFeedings', () => {
  it('says how sure a classifier is in each view, for each way of feeding', async () => {
    // Sure of class 1 where the first channel is 1 on the left, which is so in RGB and 0..1 unless mirrored.
    const session = fixedSession(
      input,
      (image) => {
        const sureness = Math.abs(first(image, 2) - 1) < 1e-6 ? 0.75 : 0.25;
        return { probability: float32([1, 2], [1 - sureness, sureness]) };
      },
      ['probability'],
    );
    const told: number[] = [];
    const { inputs, tried } = await tryFeedings(
      search(session, { onProgress: (fraction) => void told.push(fraction) }),
    );
    const byWords = Object.fromEntries(inputs.map((one, at) => [feedingWords(one), tried[at]]));
    expect(byWords['RGB, values from 0 to 1']).toEqual([0.75, 0.25, 0.75]);
    expect(byWords['BGR, values from 0 to 1']).toEqual([0.25, 0.75, 0.25]);
    expect(byWords['RGB, values from 0 to 255']).toEqual([0.25, 0.25, 0.25]);
    expect(session.feeds.length).toBe(30);
    expect([told[0], told.length, told.every((one, at) => at === 0 || one > told[at - 1]!)]).toEqual([0, 30, true]);
  });

  it('takes the boxes of every view back onto the frame, and out of the border', async () => {
    // One box over the red half as the model sees it: of the frame with its border, mirrored, or moved.
    const session = fixedSession(
      input,
      (image) => {
        const isRed = (x: number) => first(image, x) > 0.9;
        const red = Array.from({ length: size }, (_, x) => x).filter(isRed);
        const [xMin, xMax] = red.length > 0 ? [red[0]! / size, (red.at(-1)! + 1) / size] : [0, 0];
        return {
          location: float32([1, 1, 4], [0.25, xMin, 0.75, xMax]),
          category: float32([1, 1], [1]),
          score: float32([1, 1], [red.length > 0 ? 0.8 : 0]),
        };
      },
      ['location', 'category', 'score'],
    );
    const present = { bgr: false, meanValue: asUnits.mean, stdDev: asUnits.stdDev, fit: 'letterbox' } as const;
    const boxes = { kind: 'detections', present, isFedByOptions: true } as const;
    const at = async (box: FeedingSearch['answer']['box']) => {
      const { tried } = await tryFeedings(search(session, { ...boxes, answer: { category: 1, box } }));
      return tried[0]!.map((one) => Number(one.toFixed(2)));
    };
    expect(await at([0, 0, 0.5, 1])).toEqual([0.8, 0.8, 0.8]);
    expect(await at([0.5, 0, 1, 1])).toEqual([0, 0, 0]);
    expect(await at(null)).toEqual([0.8, 0.8, 0.8]);
  });

  it('is given up between two runs', async () => {
    const giving = new AbortController();
    const session = fixedSession(input, () => {
      giving.abort(new Error('Given up.'));
      return { probability: float32([1, 2], [0, 1]) };
    }, ['probability']);
    await expect(tryFeedings(search(session, { signal: giving.signal }))).rejects.toThrow('Given up.');
    expect(session.feeds.length).toBe(1);
  });
});
