import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVisionClient, type VisionClient } from '../../workers/vision/client/vision-client.ts';
import { sha256 } from '../../src/platform/browser/bytes/sha256.ts';
import type { BenchPlan, FrameResult, KeptFrame } from '../../workers/vision/protocol.ts';

const picturesOnly: BenchPlan = {
  config: { cameras: [], visionServices: [] },
  visionName: null,
  cameraName: null,
  models: {},
  undistortPreview: false,
  shownStage: -1,
  thumbnails: false,
};

let client: VisionClient;
beforeEach(async () => {
  client = createVisionClient(
    () => new Worker(new URL('../../workers/vision/entry.ts', import.meta.url), { type: 'module', name: 'vision' }),
    `${location.origin}/`,
  );
  await client.setPlan(picturesOnly);
});
afterEach(() => client.dispose());

const info = (index: number) => ({ name: 'webcam', index, timestampMs: index * 33 });
/** Two grey levels for the halves of a frame, which encode the frame's number (up to 300). */
const greysOf = (index: number): [number, number] => [10 + 12 * (index % 20), 10 + 12 * Math.floor(index / 20)];

function cameraFrame(index: number, widthPx = 64, heightPx = 32): VideoFrame {
  const canvas = new OffscreenCanvas(widthPx, heightPx);
  const context = canvas.getContext('2d')!;
  const [left, right] = greysOf(index);
  context.fillStyle = `rgb(${left} ${left} ${left})`;
  context.fillRect(0, 0, widthPx / 2, heightPx);
  context.fillStyle = `rgb(${right} ${right} ${right})`;
  context.fillRect(widthPx / 2, 0, widthPx / 2, heightPx);
  return new VideoFrame(canvas, { timestamp: index * 33_000, alpha: 'discard' });
}

/** Decodes the frame number from a captured picture. */
async function numberIn({ content, widthPx, heightPx }: KeptFrame): Promise<number> {
  const bitmap = await createImageBitmap(content);
  const context = new OffscreenCanvas(widthPx, heightPx).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  const greyAt = (x: number) => context.getImageData(x, heightPx / 2, 1, 1).data[0]!;
  const steps = [greyAt(widthPx / 4), greyAt((3 * widthPx) / 4)].map((grey) => Math.round((grey - 10) / 12));
  return steps[0]! + 20 * steps[1]!;
}

/** A stream of frames that is as fast as its reader. */
const streamOf = (count: number): ReadableStream<VideoFrame> => {
  let index = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (index === count) controller.close();
        else controller.enqueue(cameraFrame(index++));
      },
    },
    { highWaterMark: 0 },
  );
};

describe('keeping the frame of a result', () => {
  it('keeps the bytes of a file as they are', async () => {
    const file = await (await fetch('/builtin/frames/sample1.jpg')).blob();
    await client.run(file, { name: 'sample1.jpg', index: 0, timestampMs: 0 });
    const kept = await client.capture({ name: 'sample1.jpg', index: 0, timestampMs: 0 });
    const bytes = new Uint8Array(await file.arrayBuffer());
    expect(new Uint8Array(await kept!.content.arrayBuffer())).toEqual(bytes);
    expect(kept).toMatchObject({ encoding: 'original', sha256: await sha256(bytes) });
    expect(kept!.content.type).toBe('image/jpeg');
    expect((await createImageBitmap(kept!.thumbnail!)).width).toBeLessThanOrEqual(256);
  });

  it('keeps the frame that gave the result, not a later one', async () => {
    const kept: Promise<KeptFrame | null>[] = [];
    const results: FrameResult[] = [];
    client.onResult((result) => {
      results.push(result);
      kept.push(client.capture(result.frame));
    });
    await client.follow(streamOf(40), { name: 'webcam' });
    await expect.poll(() => results.at(-1)?.frame.index).toBe(39);
    const frames = await Promise.all(kept);
    const shown = await Promise.all(frames.map((frame) => numberIn(frame!)));
    expect(shown).toEqual(results.map(({ frame }) => frame.index));
    expect(frames[0]).toMatchObject({ encoding: { quality: 0.92 }, widthPx: 64, heightPx: 32 });
  });

  it('keeps a live frame to the last bit where that is wanted', async () => {
    await client.run(cameraFrame(7), info(7));
    const kept = await client.capture(info(7), { mediaType: 'image/png' });
    expect([kept!.content.type, kept!.encoding, await numberIn(kept!)]).toEqual(['image/png', { quality: null }, 7]);
  });

  it('keeps one frame several times', async () => {
    await client.run(cameraFrame(3), info(3));
    await client.rerun();
    const [first, again] = await Promise.all([client.capture(info(3)), client.capture(info(3))]);
    expect(first!.sha256).toBe(again!.sha256);
  });

  it('says that a frame is gone', async () => {
    for (let index = 0; index < 6; index++) await client.run(cameraFrame(index), info(index));
    expect(await client.capture(info(0))).toBeNull();
    expect(await numberIn((await client.capture(info(5)))!)).toBe(5);
  });

  it('tells how bright the source is where', async () => {
    const result = await client.run(cameraFrame(19), info(19)); // frame 19 is light on the left and dark on the right
    expect([result!.grey!.length, result!.grey![0]! > 200, result!.grey![15]! < 30]).toEqual([256, true, true]);
    expect(result!.receivedAtMs! >= result!.frame.takenAtMs!).toBe(true);
  });
});

describe('a burst', () => {
  it('keeps every frame of ten seconds at 30 a second, in order, seen or not', async () => {
    const kept: KeptFrame[] = [];
    const failures: unknown[] = [];
    const end = client.startBurst(
      (frame) => kept.push(frame),
      (error) => failures.push(error),
    );
    await client.follow(streamOf(300), { name: 'webcam' });
    await end();
    expect(failures).toEqual([]);
    expect(kept.map(({ info }) => info.index)).toEqual(Array.from({ length: 300 }, (_, index) => index));
    const shown = await Promise.all(kept.map(numberIn));
    expect(shown).toEqual(kept.map(({ info }) => info.index));
  });

  it('keeps images that came encoded as they are, as those of a machine do', async () => {
    const kept: KeptFrame[] = [];
    const failures: unknown[] = [];
    const end = client.startBurst(
      (frame) => kept.push(frame),
      (error) => failures.push(error),
    );
    const canvas = new OffscreenCanvas(8, 6);
    canvas.getContext('2d')!.fillRect(0, 0, 4, 6);
    const png = await canvas.convertToBlob({ type: 'image/png' });
    for (const index of [0, 1, 2]) await client.run(png, info(index));
    await end();
    expect([kept.length, failures]).toEqual([3, []]);
    for (const { content } of kept) expect(await content.bytes()).toEqual(await png.bytes());
  });

  it('takes nothing more once it ended', async () => {
    const kept: KeptFrame[] = [];
    await client.startBurst(
      (frame) => kept.push(frame),
      () => undefined,
    )();
    await client.run(cameraFrame(1), info(1));
    expect(kept).toEqual([]);
  });
});
