import { describe, expect, it } from 'vitest';
import { transformCamera } from '../../../tests/machine-configs.ts';
import type { PictureIo } from '../../../src/platform/ports/picture-io.ts';
import { pixelsOf, toGpu, withStep } from '../../../src/machine/vision/gpu/gpu-frame.ts';
import { closePictures, lookDuring, lookSize, type DrawnPictures } from '../../../src/machine/vision/gpu/looks.ts';
import { patternFrame } from '../../../src/machine/vision/frame/pattern-frame.ts';
import type { Stage } from '../../../src/machine/vision/run-result.ts';
import type { PictureSize } from '../../../src/machine/vision/trace/trace.ts';
import type { ReadFrame, YuvFrame } from '../../../src/machine/vision/yuv/yuv-frame.ts';
import { randomSource, randomYuvFrame } from '../../../tests/random-frame.ts';
import type { BenchPlan } from '../protocol.ts';
import { projected, Projector } from './projector.ts';

const plan: BenchPlan = {
  config: { cameras: [], visionServices: [] },
  visionName: null,
  cameraName: null,
  models: {},
  undistortPreview: false,
  shownStage: null,
  thumbnails: true,
};
const source = patternFrame('rgba8', 320, 200);
const turned = withStep(toGpu(source), { type: 'rotate', attributes: { angleDegs: 90 } });
const stages: readonly Stage[] = [
  { step: -1, type: '', frame: source },
  { step: 0, type: 'rotate', frame: turned },
];

const ofSize = (widthPx: number, heightPx: number) => ({ widthPx, heightPx, fx: 300, fy: 300, ppx: 100, ppy: 150 });
const distortion = { rk1: 0.1, rk2: 0, rk3: 0, tp1: 0, tp2: 0 };
function undistorted(widthPx: number, heightPx: number): BenchPlan {
  const camera = { ...transformCamera('seen', 'webcam'), intrinsics: ofSize(widthPx, heightPx), distortion };
  return { ...plan, config: { cameras: [camera], visionServices: [] }, cameraName: 'seen', undistortPreview: true };
}

interface Closable extends ImageBitmap {
  readonly isClosed: boolean;
}
function bitmap(width: number, height: number): Closable {
  let isClosed = false;
  return {
    width,
    height,
    close: () => void (isClosed = true),
    get isClosed() {
      return isClosed;
    },
  };
}

/** What the GPU drew of the looks, and a projector that counts the frames that the CPU draws. */
function projecting(shown: BenchPlan, withThumbnails: boolean, within: PictureSize | null = null) {
  const onCpu: ReadFrame[] = [];
  const draw = async (frame: ReadFrame) => (onCpu.push(frame), bitmap(frame.widthPx, frame.heightPx));
  const projector = new Projector({ picture: draw, thumbnail: draw } as unknown as PictureIo);
  const drawn: DrawnPictures = new Map();
  for (const look of projector.looks(shown, within, withThumbnails)(stages)) {
    expect(lookDuring(look, turned)).not.toBeNull();
    const { widthPx, heightPx } = lookSize(look.frame, look.longestSidePx);
    drawn.set(look, bitmap(widthPx, heightPx));
  }
  return { projector, drawn, onCpu, all: [...drawn.values()] as Closable[] };
}

it('hands a camera’s planes on as they are: pictures of them need not have all colours', async () => {
  const { projector, onCpu } = projecting(plan, false);
  const planes = randomYuvFrame(randomSource(1), 'i420', 32, 20);
  const untouched: YuvFrame = {
    ...planes,
    pixels: () => {
      throw new Error('All colours were made.');
    },
  };
  const seen = [{ step: -1, type: '' as const, frame: untouched }];
  await projector.show(seen, plan, { widthPx: 16, heightPx: 16 });
  await projector.thumbnail(untouched);
  expect(onCpu).toEqual([untouched, untouched]);
});

it.each([
  [[1, 500], true],
  [[1, 2000], false],
] as const)(
  'knows a picture of a frame 1 px wide for reduced by its height: %j',
  async ([width, height], isReduced) => {
    const shown = await projected({ widthPx: 1, heightPx: 2000 }, Promise.resolve(bitmap(width, height)));
    expect(shown.isReduced).toBe(isReduced);
  },
);

describe('what the GPU drew of a run', () => {
  it.each([
    ['the last stage', plan, turned],
    ['the source', { ...plan, shownStage: -1 }, source],
  ] as const)('is shown as it is, and the CPU draws nothing: %s', async (_, shown, expected) => {
    const { projector, drawn, onCpu } = projecting(shown, true);
    const { picture } = await projector.show(stages, shown, null, drawn);
    const thumbnails = await Promise.all(stages.map(({ frame }) => projector.thumbnail(frame, drawn)));
    expect([picture.width, picture.height]).toEqual([expected.widthPx, expected.heightPx]);
    expect(thumbnails.map(({ width }) => width)).toEqual([160, 100]);
    expect([onCpu, drawn.size]).toEqual([[], 0]);
  });

  it.each([
    ['none larger than the stage shows it', { widthPx: 100, heightPx: 100 }, [63, 100, true]],
    ['none larger than it, though not much smaller', { widthPx: 200, heightPx: 272 }, [170, 272, true]],
    ['in full where that is little more', { widthPx: 200, heightPx: 300 }, [200, 320, false]],
  ] as const)('is %s', async (_, within, expected) => {
    const { projector, drawn, onCpu } = projecting(plan, true, within);
    const { picture, isReduced } = await projector.show(stages, plan, within, drawn);
    expect([picture.width, picture.height, isReduced]).toEqual(expected);
    expect([onCpu, drawn.size]).toEqual([[], 2]);
  });

  it('is not asked for where thumbnails are not due', () => {
    expect(projecting(plan, false).drawn.size).toBe(1);
  });

  it('is closed where another stage is shown by now, which the CPU draws', async () => {
    const { projector, drawn, onCpu, all } = projecting({ ...plan, shownStage: -1 }, false);
    const { picture } = await projector.show(stages, plan, null, drawn);
    expect([picture.width, onCpu.length]).toEqual([200, 1]);
    closePictures(drawn);
    expect(all.map(({ isClosed }) => isClosed)).toEqual([true]);
  });

  it("is the last stage without its lens's distortion, and an earlier one as it is", async () => {
    const straight = undistorted(200, 320);
    const { projector, drawn, onCpu } = projecting(straight, false);
    expect([...drawn.keys()].map(({ lens }) => lens)).toEqual([{ intrinsics: ofSize(200, 320), distortion }]);
    await projector.show(stages, straight, null, drawn);
    expect([onCpu.length, drawn.size]).toEqual([0, 0]);
    const earlier = projecting({ ...straight, shownStage: -1 }, false);
    expect([...earlier.drawn.keys()].map(({ frame, lens }) => [frame, lens])).toEqual([[source, undefined]]);
  });

  it('is shown as it is where its lens is for another size, which is a problem', async () => {
    const { projector, drawn, onCpu } = projecting(undistorted(320, 200), false);
    expect(await projector.show(stages, undistorted(320, 200), null, drawn)).toMatchObject({
      picture: { width: 200, height: 320 },
      problems: [{ code: 'size-mismatch', where: 'seen' }],
    });
    expect(onCpu).toEqual([]);
  });

  it('is not taken for the picture of another lens', async () => {
    const { projector, drawn, onCpu } = projecting(undistorted(200, 320), false);
    await projector.show(stages, plan, null, drawn);
    expect([onCpu, drawn.size]).toEqual([[pixelsOf(turned)], 1]);
  });
});

describe('a look', () => {
  it('can be drawn of frames on the way of the run, not of others', () => {
    const look = (frame: Stage['frame']) => lookDuring({ frame, longestSidePx: 9 }, turned);
    expect(look(source)).toEqual({ afterSteps: 0, longestSidePx: 9 });
    expect(look(toGpu(source))).toEqual({ afterSteps: 0, longestSidePx: 9 });
    expect(look(turned)).toEqual({ afterSteps: 1, longestSidePx: 9 });
    const other = patternFrame('rgba8', 320, 200);
    expect([look(other), look(toGpu(other))]).toEqual([null, null]);
    expect(look(withStep(toGpu(source), { type: 'rotate', attributes: { angleDegs: 90 } }))).toBeNull();
    expect(look(withStep(turned, { type: '' }))).toBeNull();
  });
});
