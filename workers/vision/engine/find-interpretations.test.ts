import { describe, expect, it } from 'vitest';
import { fixedSession, float32, imageInput, int64 } from '../../../tests/fixed-session.ts';
import { visionServiceConfig } from '../../../tests/machine-configs.ts';
import type { VisionServiceConfig } from '../../../src/machine/config/parse/machine-config.ts';
import type { Frame } from '../../../src/machine/vision/frame/frame.ts';
import { oneAtATime } from '../../../src/base/schedule/one-at-a-time.ts';
import { infer } from '../../../src/machine/vision/pipeline.ts';
import { referenceStretchKernel } from '../../../src/machine/vision/preprocess/preprocess.ts';
import { probe } from '../../../src/machine/vision/probe.ts';
import type { Tensor } from '../../../src/machine/vision/tensor/tensor.ts';
import { buildVisionService } from '../../../src/machine/vision/vision-service.ts';
import { findInputInterpretations, findOutputInterpretations } from './find-interpretations.ts';
import { judgeRun } from './judge-run.ts';

const noMask = { leftPx: 0, topPx: 0, widthPx: 0, heightPx: 0, alpha: new Uint8Array() };
const ports = {
  font: { advanceOf: () => 0, maskOf: () => noMask },
  stretchKernel: referenceStretchKernel,
  turn: oneAtATime(),
  nowMs: () => 0,
};
const [widthPx, heightPx] = [16, 8];

/** Black, with a red rectangle at the upper left. */
const frame: Frame = {
  format: 'rgba8',
  widthPx,
  heightPx,
  samples: Uint8ClampedArray.from({ length: 4 * widthPx * heightPx }, (_, i) => {
    const [x, y] = [(i >> 2) % widthPx, (i >> 2) >> 4];
    return i % 4 === 3 || (i % 4 === 0 && x >= 1 && x < 5 && y >= 1 && y < 4) ? 255 : 0;
  }),
};

/** Finds the rectangle in the first channel, as [x, y, x, y] parts of the frame, surer the brighter it is. */
function lookForRectangle({ data }: Tensor): Readonly<Record<string, Tensor>> {
  const bright = (x: number, y: number) => Number(data[3 * (y * widthPx + x)]);
  let [x0, y0, x1, y1, most] = [widthPx, heightPx, 0, 0, 0];
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++) {
      if (bright(x, y) < 100) continue;
      [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)];
      most = Math.max(most, bright(x, y));
    }
  const box = [x0 / 15, y0 / 7, x1 / 15, y1 / 7];
  return {
    ids: int64([1, 1], [0]),
    rects: float32([1, 1, 4], most > 0 ? box : [0.4, 0.4, 0.6, 0.6]),
    sureness: float32([1, 1], [most > 0 ? 0.9 : 0.03]),
  };
}

async function search(attributes: Partial<VisionServiceConfig> = {}, answer = lookForRectangle) {
  const session = fixedSession(imageInput([1, heightPx, widthPx, 3], 'uint8'), answer, ['ids', 'rects', 'sureness']);
  const service = buildVisionService(visionServiceConfig(attributes), { session, labels: ['rectangle'] });
  const vision = { service, abilities: await probe(service, ports) };
  session.feeds.length = 0;
  const inference = await infer(frame, service, ports);
  const fractions: number[] = [];
  return {
    session,
    vision,
    inference,
    fractions,
    search: {
      vision,
      dropsFirstLabel: false,
      seen: frame,
      inference,
      ports,
      onProgress: (fraction: number) => fractions.push(fraction),
      signal: new AbortController().signal,
    },
  };
}

describe('findOutputInterpretations', () => {
  it('leaves the order that the mirror agrees with, and runs nothing but the mirror', async () => {
    const { session, search: asked } = await search();
    const { interpretations, left } = await findOutputInterpretations(asked);
    expect(left).toBe(1);
    expect(interpretations[0]).toMatchObject({
      why: 'boxes are x, y, x, y',
      isPresent: false,
      boxes: [{ label: 'rectangle', box: [1 / 15, 1 / 7, 4 / 15, 3 / 7].map((value) => expect.closeTo(value)) }],
      edits: { attributes: { boxOrder: [0, 1, 2, 3] }, needs: [] },
    });
    expect(interpretations.some(({ isPresent }) => isPresent)).toBe(true);
    expect(session.feeds).toHaveLength(2);
  });

  it('knows what the configuration says already', async () => {
    const { search: asked } = await search({ boxOrder: [0, 1, 2, 3] });
    const { interpretations } = await findOutputInterpretations(asked);
    expect(interpretations[0]).toMatchObject({ isPresent: true, edits: { attributes: {}, labelConfidences: null } });
  });

  it('runs the frame where that was not done, and tells how far it is', async () => {
    const { session, search: asked, fractions } = await search();
    await findOutputInterpretations({ ...asked, inference: null });
    expect([session.feeds.length, fractions]).toEqual([3, [0, 0.5]]);
  });

  it('does not let a model speak that does not look', async () => {
    const boxes = float32([1, 2, 4], [0.1, 0.2, 0.4, 0.6, 0.5, 0.5, 0.9, 0.8]);
    const { search: asked } = await search({}, () => ({
      ids: int64([1, 2], [0, 0]),
      rects: boxes,
      sureness: float32([1, 2], [0.9, 0.72]),
    }));
    const { interpretations, left } = await findOutputInterpretations(asked);
    expect(new Set(interpretations.map(({ plausibility }) => plausibility)).size).toBe(1);
    expect(left).toBeGreaterThan(1);
  });

  it('ends when it is told to', async () => {
    const { search: asked } = await search();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(findOutputInterpretations({ ...asked, signal })).rejects.toThrow('enough');
    await expect(findInputInterpretations({ ...asked, signal })).rejects.toThrow('enough');
  });
});

describe('findInputInterpretations', () => {
  it('prefers the order of colours with which the model is sure', async () => {
    const { search: asked, fractions } = await search({ boxOrder: [0, 1, 2, 3], bgr: true });
    const { interpretations, left } = await findInputInterpretations(asked);
    expect([left, interpretations.map(({ why, isPresent }) => [why, isPresent])]).toEqual([
      1,
      [
        ['colours are RGB', false],
        ['the input as configured', true],
      ],
    ]);
    expect(interpretations[0]!.edits.attributes).toEqual({ bgr: false });
    expect(fractions).toEqual([0, 0.5]);
  });

  it('has none where the service finds no boxes', async () => {
    const { search: asked } = await search({
      remapOutputNames: { gone: 'location', ids: 'category', sureness: 'score' },
    });
    expect(await findInputInterpretations(asked)).toEqual({ interpretations: [], left: 0 });
  });
});

describe('a background class', () => {
  const boxes = Array.from({ length: 30 }, (_, row) => [
    0.02 * row,
    0.03 * (row % 9),
    0.02 * row + 0.3,
    0.03 * (row % 9) + 0.4,
  ]);
  const answer = () => ({
    b: float32([1, 30, 4], boxes.flat()),
    s: float32(
      [1, 30, 2],
      boxes.flatMap((_, row) => (row === 3 ? [0.1, 0.9] : [0.97, 0.03])),
    ),
  });
  const given = { remapOutputNames: { b: 'location', s: 'score' } };

  async function of(dropsFirstLabel: boolean) {
    const session = fixedSession(imageInput([1, heightPx, widthPx, 3], 'uint8'), answer, ['s', 'b']);
    const service = buildVisionService(visionServiceConfig(given), { session, labels: ['none', 'thing'] });
    const vision = { service, abilities: await probe(service, ports) };
    const inference = await infer(frame, service, ports);
    const found = await findOutputInterpretations({
      vision,
      dropsFirstLabel,
      seen: frame,
      inference,
      ports,
      onProgress: () => {},
      signal: new AbortController().signal,
    });
    return { verdict: judgeRun(vision, inference, dropsFirstLabel).detector!, found };
  }

  it('is refused for a thing, and known where the service leaves it out', async () => {
    const shown = await of(false);
    expect([shown.verdict.kind, shown.verdict.seen[0]]).toEqual(['refused', expect.stringContaining('“none”')]);
    expect(shown.found.interpretations.some(({ isPresent }) => isPresent)).toBe(false);
    const dropped = await of(true);
    expect(dropped.verdict.kind).toBe('plausible');
    expect(dropped.found.interpretations.find(({ isPresent }) => isPresent)!.why).toBe(
      'boxes are y, x, y, x, class 0 is background',
    );
  });
});

describe('judgeRun', () => {
  it('judges boxes as the machine reads them, and says labels', async () => {
    const { vision, inference } = await search({ boxOrder: [0, 1, 2, 3] });
    expect(judgeRun(vision, inference, false)).toEqual({
      detector: { kind: 'plausible', seen: [], notes: [] },
      classifier: null,
    });
  });

  it('judges a classifier that is none', async () => {
    const session = fixedSession(imageInput([1, heightPx, widthPx, 3]), {
      out: float32([1, 5, 6], Array(30).fill(0.1)),
    });
    const service = buildVisionService(visionServiceConfig(), { session, labels: null });
    const vision = { service, abilities: await probe(service, ports) };
    expect(judgeRun(vision, await infer(frame, service, ports), false)).toMatchObject({
      detector: null,
      classifier: { kind: 'refused' },
    });
  });
});
