import { describe, expect, it } from 'vitest';
import { fixedSession, float32, imageInput } from '../../../tests/fixed-session.ts';
import { visionServiceConfig } from '../../../tests/machine-configs.ts';
import type { VisionServiceConfig } from '../../../src/machine/config/parse/machine-config.ts';
import type { Frame } from '../../../src/machine/vision/frame/frame.ts';
import { referenceStretchKernel } from '../../../src/machine/vision/preprocess/preprocess.ts';
import type { StatedFeeding } from '../../../src/machine/vision/inference/stated-feeding.ts';
import type { Tensor } from '../../../src/machine/vision/tensor/tensor.ts';
import { buildVisionService } from '../../../src/machine/vision/vision-service.ts';
import { solveSymptom } from './solve-symptom.ts';

const noMask = { leftPx: 0, topPx: 0, widthPx: 0, heightPx: 0, alpha: new Uint8Array() };
const ports = {
  font: { advanceOf: () => 0, maskOf: () => noMask },
  stretchKernel: referenceStretchKernel,
  turn: <T>(task: () => Promise<T>) => task(),
};
const side = 40;

/** A black frame with a wide red rectangle at the upper left. */
const frame: Frame = {
  format: 'rgba8',
  widthPx: side,
  heightPx: side,
  samples: Uint8ClampedArray.from({ length: 4 * side * side }, (_, i) => {
    const [x, y] = [(i >> 2) % side, Math.floor((i >> 2) / side)];
    return i % 4 === 3 || (i % 4 === 0 && x >= 4 && x < 20 && y >= 6 && y < 12) ? 255 : 0;
  }),
};

/** A detector for bright areas of the first channel: boxes [y, x, y, x] as fractions; the score grows with brightness and for wide areas. */
function rectangle({ data }: Tensor): Readonly<Record<string, Tensor>> {
  let [x0, y0, x1, y1, most] = [side, side, 0, 0, 0];
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const bright = Number(data[3 * (y * side + x)]);
      if (bright < 0.4) continue;
      [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x + 1), Math.max(y1, y + 1)];
      most = Math.max(most, bright);
    }
  const sure = most === 0 ? 0.02 : 0.9 * Math.min(1, most) * (x1 - x0 > y1 - y0 ? 1 : 0.3);
  const box = most === 0 ? [0.4, 0.4, 0.6, 0.6] : [y0 / side, x0 / side, y1 / side, x1 / side];
  return { location: float32([1, 1, 4], box), category: float32([1, 1], [0]), score: float32([1, 1], [sure]) };
}

interface Asked {
  readonly attributes?: Partial<VisionServiceConfig>;
  readonly seen?: Frame;
  readonly budgetMs?: number;
  readonly signal?: AbortSignal;
  readonly answer?: typeof rectangle;
  readonly dtype?: 'uint8' | 'float32';
  readonly statedFeeding?: StatedFeeding | null;
}

async function solve(asked: Asked = {}) {
  const { attributes = {}, seen = frame, budgetMs = 1000, signal, answer = rectangle } = asked;
  const { dtype = 'float32', statedFeeding = null } = asked;
  const session = fixedSession(imageInput([1, side, side, 3], dtype), answer, Object.keys(answer(blank)));
  const config = visionServiceConfig({ meanValue: [0, 0, 0], stdDev: [1, 1, 1], ...attributes });
  const service = buildVisionService(config, { session, labels: ['rectangle'] });
  const fractions: number[] = [];
  let nowMs = 0;
  const causes = await solveSymptom({
    service,
    filter: config,
    dropsFirstLabel: false,
    symptom: 'unsure',
    ownLabels: null,
    budgetMs,
    statedFeeding,
    frames: [{ frame: seen, run: null, drawn: [] }],
    ports: { ...ports, nowMs: () => nowMs++ },
    onProgress: (fraction) => fractions.push(fraction),
    signal: signal ?? new AbortController().signal,
  });
  return { causes, session, fractions };
}
const blank = float32([1, side, side, 3], Array<number>(3 * side * side).fill(0));

describe('solveSymptom', () => {
  it('finds nothing better than a right service, and says how far it is', async () => {
    const { causes, fractions } = await solve();
    expect(causes[0]).toMatchObject({ title: 'As it is now', isPresent: true, boxes: [{ label: 'rectangle' }] });
    expect(causes.length).toBeLessThanOrEqual(4);
    expect(fractions[0]).toBe(0);
    expect(fractions.every((fraction, at) => at === 0 || (fraction >= fractions[at - 1]! && fraction <= 1))).toBe(true);
  });

  it('names the order of boxes, draws them, and says what cures it', async () => {
    const { causes } = await solve({ attributes: { boxOrder: [0, 1, 2, 3] } });
    expect(causes[0]).toMatchObject({
      title: 'Boxes are y, x, y, x',
      isPresent: false,
      boxes: [{ box: [0.1, 0.15, 0.5, 0.3].map((value) => expect.closeTo(value)) }],
      cure: { edits: { attributes: { boxOrder: null }, needs: [] }, turnDegs: 0 },
    });
    expect(causes.filter(({ isPresent }) => isPresent)).toHaveLength(1);
  });

  it('feeds the model otherwise where that makes it surer', async () => {
    const { causes } = await solve({ attributes: { bgr: true } });
    expect(causes[0]).toMatchObject({ title: 'Colours are RGB', cure: { edits: { attributes: { bgr: false } } } });
  });

  it('names the feeding that a fitted file says first, though no usual one is it and the model is surer of another', async () => {
    // The highest scores come from the brightest input, like a model with false boxes.
    const range = { meanValue: [0.1, 0.1, 0.1], stdDev: [1.1, 1.1, 1.1] };
    const attributes = { meanValue: [0, 0, 0], stdDev: [1 / 255, 1 / 255, 1 / 255] };
    const seen = {
      attributes,
      statedFeeding: { source: 'fitted', guess: null, familyName: '', bgr: false, range },
    } as const;
    const [untold, told] = [await solve({ attributes }), await solve(seen)];
    expect(untold.causes[0]!.isPresent).toBe(true);
    expect(told.causes[0]).toMatchObject({ changes: ['range'], cure: { edits: { attributes: range } } });
    expect(told.causes[0]!.why).toMatch(
      /^The model file says that it is fed RGB colours and mean 0\.100, 0\.100, 0\.100 and deviation 1\.100/,
    );
  });

  it('names the feeding that a fitted file says together with another fault', async () => {
    const said = { meanValue: [0, 0, 0], stdDev: [1, 1, 1] };
    const { causes } = await solve({
      attributes: { bgr: true, boxOrder: [0, 1, 2, 3] },
      statedFeeding: { source: 'fitted', guess: null, familyName: '', bgr: false, range: said },
    });
    expect(causes[0]!.changes).toEqual(['colours', 'box-order']);
  });

  it('asks nothing of the range of a model that takes bytes', async () => {
    const range = { meanValue: [0, 0, 0], stdDev: [1, 1, 1] };
    const { causes } = await solve({
      dtype: 'uint8',
      statedFeeding: {
        source: 'fitted',
        guess: null,
        familyName: '',
        bgr: false,
        range: { ...range, stdDev: [2, 2, 2] },
      },
    });
    expect(causes[0]).toMatchObject({ isPresent: true, why: expect.not.stringContaining('model file') });
  });

  it('turns a frame that lies on its side, and draws boxes on it as it came', async () => {
    const turned: Frame = {
      format: 'rgba8',
      widthPx: side,
      heightPx: side,
      samples: Uint8ClampedArray.from({ length: 4 * side * side }, (_, i) => {
        const [x, y] = [(i >> 2) % side, Math.floor((i >> 2) / side)];
        return i % 4 === 3 || (i % 4 === 0 && x >= 6 && x < 12 && y >= 4 && y < 20) ? 255 : 0;
      }),
    };
    const { causes } = await solve({ seen: turned });
    expect(causes[0]).toMatchObject({
      changes: ['turn'],
      boxes: [{ box: [0.15, 0.1, 0.3, 0.5].map((value) => expect.closeTo(value)) }],
    });
    expect([90, 270]).toContain(causes[0]!.cure.turnDegs);
  });

  it('names a turn together with colours, and is not sure of one of them', async () => {
    // Sure of what is wide, and of little that stands in the lower half.
    const upright = (image: Tensor) => {
      const { score, ...others } = rectangle(image);
      const isLow = Number(others['location']!.data[0]) > 0.5;
      return { ...others, score: float32([1, 1], [Number(score!.data[0]) * (isLow ? 0.55 : 1)]) };
    };
    const samples = new Uint8ClampedArray(frame.samples.length);
    for (let at = 0; at < samples.length; at += 4)
      samples.set(frame.samples.subarray(samples.length - at - 4, samples.length - at), at);
    const { causes } = await solve({
      answer: upright,
      attributes: { bgr: true },
      seen: { ...frame, samples } as Frame,
      statedFeeding: { source: 'fitted', guess: null, familyName: '', bgr: false, range: null },
    });
    expect(causes.map(({ changes }) => changes.toSorted())).toContainEqual(['colours', 'turn']);
    expect(causes.some(({ isSure, changes }) => isSure && !changes.includes('turn'))).toBe(false);
  });

  it('hands over what no configuration says', async () => {
    const { causes } = await solve({
      answer: (image) => {
        const { score, ...others } = rectangle(image);
        const logit = Math.log(Number(score!.data[0]) / (1 - Number(score!.data[0])));
        return { ...others, score: float32([1, 1], [logit]) };
      },
    });
    expect(causes[0]).toMatchObject({
      title: 'Scores still need sigmoid',
      cure: {
        edits: {
          needs: [expect.stringContaining('sigmoid')],
          fitOptions: { boxes: 'location', activation: 'sigmoid' },
        },
      },
    });
  });

  it('tries no more feedings once its time is over', async () => {
    const [all, few] = [await solve(), await solve({ budgetMs: 3 })];
    expect(few.session.feeds.length).toBeLessThan(all.session.feeds.length / 2);
    expect(few.causes[0]!.isPresent).toBe(true);
  });

  it('has none for outputs that are neither boxes nor classes', async () => {
    const { causes } = await solve({
      answer: () => ({ a: float32([1, 40, 85], Array(3400).fill(0)), b: float32([1, 2], [0, 0]) }),
    });
    expect(causes).toEqual([]);
  });

  it('ends when it is told to', async () => {
    await expect(solve({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });
});

describe('of a classifier', () => {
  const answer = ({ data }: Tensor) => {
    let red = 0;
    for (let i = 0; i < data.length; i += 3) red += Number(data[i]) > 0.5 ? 1 : 0;
    const isSeen = red > 10 && red < 500;
    return { probability: float32([1, 3], isSeen ? [0.05, 0.9, 0.05] : [0.4, 0.3, 0.3]) };
  };

  it('counts its labels, and feeds it otherwise', async () => {
    const { causes } = await solve({ answer, attributes: { bgr: true } });
    expect(causes[0]).toMatchObject({
      title: 'Colours are RGB',
      boxes: [],
      classes: [{ score: expect.closeTo(0.9) }, {}, {}],
    });
  });
});
