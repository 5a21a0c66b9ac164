import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { cameraErrorOf } from '../../src/platform/browser/media/camera-error.ts';
import { createCameraPort } from '../../src/platform/browser/media/camera.ts';
import { createStillPort } from '../../src/platform/browser/media/stills.ts';
import { createVideoPort } from '../../src/platform/browser/media/video-file.ts';
import type { OpenVideo } from '../../src/platform/ports/frame-source.ts';
import type { FrameInfo } from '../../src/machine/vision/frame/frame-info.ts';
// 20 frames, 10 a second, 64×48, frame n of luma 30 + 10·n:
// ffmpeg -f lavfi -i "color=c=black:s=64x48:r=10:d=2,format=yuv420p,geq=lum='N*10+30':cb=128:cr=128" -c:v libvpx -b:v 20k -g 5
import grays from './fixtures/twenty-grays.webm?url';

describe('the camera', () => {
  const camera = createCameraPort();
  afterEach(() => void vi.restoreAllMocks());

  it('lists devices, gives frames of the size asked for and lets go of the device', async () => {
    const open = await camera.open({ widthPx: 640, heightPx: 480 });
    expect(open).toMatchObject({ widthPx: 640, heightPx: 480 });
    const [device] = await camera.devices();
    expect(device!.deviceId).not.toBe('');
    expect(open.label).toContain(device!.label.split(' ')[0]);
    const reader = open.frames.getReader();
    const { value: frame } = await reader.read();
    expect([frame!.displayWidth, frame!.displayHeight]).toEqual([640, 480]);
    frame!.close();
    open.stop();
    let rest = await reader.read();
    for (; !rest.done; rest = await reader.read()) rest.value.close();
    expect(rest.done).toBe(true);
  });

  it('says in words that a size or a device is not there', async () => {
    await expect(camera.open({ widthPx: 12_345, heightPx: 7 })).rejects.toMatchObject({
      name: 'SourceError',
      code: 'overconstrained',
      cure: expect.stringContaining('resolution'),
    });
    await expect(camera.open({ deviceId: 'unplugged' })).rejects.toMatchObject({
      code: 'overconstrained',
      cure: expect.stringContaining('another camera'),
    });
  });

  const refusal = () => new OverconstrainedError('', 'Invalid constraint');

  it('is taken as it is where the browser refuses wishes, and knows its size once a frame came', async () => {
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockImplementation(async (constraints) => {
      if (constraints?.video !== true) throw refusal();
      const stream = await ask({ video: { width: 320, height: 240 } });
      vi.spyOn(stream.getVideoTracks()[0]!, 'getSettings').mockReturnValue({});
      return stream;
    });
    const open = await camera.open({});
    expect(open).toMatchObject({ widthPx: 320, heightPx: 240 });
    open.stop();
    await expect(camera.open({ widthPx: 640 })).rejects.toMatchObject({ code: 'overconstrained' });
    await expect(camera.open({ deviceId: 'a' })).rejects.toThrow('The chosen camera is no longer connected.');
  });

  it.each([{}, { deviceId: 'a' }, { widthPx: 640, heightPx: 480 }])(
    'is said not to be there where the browser calls that overconstrained, asked for %j',
    async (request) => {
      vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockRejectedValue(refusal());
      vi.spyOn(navigator.mediaDevices, 'enumerateDevices').mockResolvedValue([]);
      await expect(camera.open(request)).rejects.toMatchObject({
        code: 'not-found',
        message: 'No camera is connected.',
      });
    },
  );

  it('says that a page without https is given none', async () => {
    vi.spyOn(navigator, 'mediaDevices', 'get').mockReturnValue(undefined as never);
    vi.stubGlobal('isSecureContext', false);
    onTestFinished(() => void vi.unstubAllGlobals());
    await expect(camera.open({})).rejects.toMatchObject({
      code: 'insecure-page',
      cure: expect.stringContaining('https'),
    });
  });

  it.each([
    ['NotAllowedError', 'not-allowed'],
    ['NotFoundError', 'not-found'],
    ['NotReadableError', 'not-readable'],
    ['OverconstrainedError', 'overconstrained'],
    ['SecurityError', 'insecure-page'],
    ['AbortError', 'not-readable'],
    ['TypeError', 'unsupported'],
  ])('has words and a cure for %s', (name, code) => {
    const error = cameraErrorOf(new DOMException('no', name), { widthPx: 640 });
    expect(error.code).toBe(code);
    expect(error.message).not.toBe('');
    expect(error.cure).not.toBe('');
  });
});

describe('a video file', () => {
  let video: OpenVideo;
  const seen: { frame: VideoFrame; info: FrameInfo }[] = [];
  afterEach(() => {
    video.close();
    for (const { frame } of seen.splice(0)) frame.close();
  });

  async function open(): Promise<void> {
    video = await createVideoPort().open(await (await fetch(grays)).blob(), 'grays.webm');
    video.onFrame((frame, info) => seen.push({ frame: frame as VideoFrame, info }));
    await expect.poll(() => seen.length).toBe(1);
  }
  const latest = () => seen.at(-1)!;
  async function lumaOf(frame: VideoFrame): Promise<number> {
    const bytes = new Uint8Array(frame.allocationSize());
    const [plane] = await frame.copyTo(bytes);
    return bytes[plane!.offset]!;
  }

  it('shows its first frame and knows its size and length', async () => {
    await open();
    expect(video).toMatchObject({ widthPx: 64, heightPx: 48, playing: false, positionMs: 0 });
    expect(video.durationMs).toBeCloseTo(2000, -2);
    expect(seen).toHaveLength(1);
    expect(latest().info).toEqual({ name: 'grays.webm', index: 0, timestampMs: 0 });
  });

  it('steps by whole frames, forwards and back', async () => {
    await open();
    const lumas: number[] = [];
    const indices: number[] = [];
    for (const frames of [1, 1, 1, 5, -1, -3]) {
      await video.step(frames);
      lumas.push(Math.round((await lumaOf(latest().frame)) / 10) * 10);
      indices.push(latest().info.index);
    }
    expect(indices).toEqual([1, 2, 3, 8, 7, 4]);
    expect(lumas).toEqual([40, 50, 60, 110, 100, 70]);
  });

  /** Replaces `new VideoFrame` until the test ends. */
  function replaceReading(
    read: (target: typeof VideoFrame, args: ConstructorParameters<typeof VideoFrame>) => VideoFrame,
  ) {
    const original = globalThis.VideoFrame;
    globalThis.VideoFrame = new Proxy(original, { construct: read });
    onTestFinished(() => void (globalThis.VideoFrame = original));
  }

  it('waits for its frame where the element has none in hand, although its state says otherwise', async () => {
    let failures = 0;
    let failNext = 2; // Chromium also fails at times on a busy computer
    replaceReading((target, args) => {
      if (failures++ < failNext) throw new DOMException('Invalid source state', 'InvalidStateError');
      return new target(...args);
    });
    await open();
    expect([failures, latest().info.index]).toEqual([3, 0]);
    [failures, failNext] = [0, 1]; // fails the first probe of a frame's duration
    await video.step(1);
    expect([latest().info.index, latest().info.timestampMs]).toEqual([1, 100]);
    [failures, failNext] = [0, 3]; // fails also the frame of the step itself
    await video.step(1);
    expect([latest().info.index, latest().info.timestampMs]).toEqual([2, 200]);
  });

  it('waits for the frame of a step while the element still shows the one before', async () => {
    await open();
    await video.step(1);
    let isPresented = false;
    const original = HTMLVideoElement.prototype.requestVideoFrameCallback;
    HTMLVideoElement.prototype.requestVideoFrameCallback = function (callback) {
      return original.call(this, (...given) => {
        isPresented = true;
        callback(...given);
      });
    };
    onTestFinished(() => void (HTMLVideoElement.prototype.requestVideoFrameCallback = original));
    const before = latest().frame.clone();
    onTestFinished(() => before.close());
    replaceReading((target, args) => (isPresented ? new target(...args) : before.clone()));
    await video.step(1);
    expect([latest().info.index, latest().info.timestampMs]).toEqual([2, 200]);
  });

  it('ends a seek that its end overtakes', async () => {
    await open();
    const seeking = video.seek(1250);
    video.close();
    await seeking;
  });

  it('steps from the frame that was sought last, also while the seeks are under way', async () => {
    await open();
    await video.step(1);
    seen.splice(1).forEach(({ frame }) => frame.close());
    const moves = [video.seek(250), video.seek(550), video.seek(1450), video.step(1)];
    await Promise.all(moves);
    expect(seen.map(({ info }) => info.index)).toEqual([0, 14, 15]);
  });

  it('seeks to the frame of a moment', async () => {
    await open();
    await video.seek(1250);
    expect(latest().info).toMatchObject({ timestampMs: 1200, index: 12 });
  });

  it('plays every shown frame once and stops at the end', async () => {
    await open();
    const ended = new Promise<void>((resolve) =>
      video.onStateChange(() => {
        if (video.positionMs >= video.durationMs - 1 && !video.playing) resolve();
      }),
    );
    await video.play();
    expect(video.playing).toBe(true);
    await ended;
    const times = seen.map(({ info }) => info.timestampMs);
    expect(new Set(times).size).toBe(times.length);
    expect(times.length).toBeGreaterThan(5);
  });

  it('says in words what it cannot play', async () => {
    await open();
    const words = new Blob(['no video'], { type: 'video/mp4' });
    await expect(createVideoPort().open(words, 'words.mp4')).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('words.mp4'),
    });
  });
});

describe('stills', () => {
  const stills = createStillPort(`${location.origin}/`);

  it('has built-in photographs', async () => {
    const builtin = await stills.builtin('faces');
    expect(builtin.map(({ name }) => name)).toContain('builtin/sample1.jpg');
    const blobs = await Promise.all([builtin[0]!.blob(), builtin[0]!.blob()]);
    expect(blobs[0]!.size).toBeGreaterThan(10_000);
    expect(blobs[1]).toBe(blobs[0]); // stage, filmstrip and rotation note share one fetch
    expect((await stills.builtin('things')).map(({ name }) => name)).toContain('builtin/coffee.jpg');
  });

  it('says in words what an address did not give', async () => {
    await expect(stills.fromUrl('face.jpg')).rejects.toMatchObject({
      code: 'network',
      cure: expect.stringContaining('https://'),
    });
    await expect(stills.fromUrl('http://127.0.0.1:1/face.jpg')).rejects.toMatchObject({
      code: 'network',
      message: expect.stringContaining('CORS'),
    });
    const still = await stills.fromUrl(`${location.origin}/builtin/frames/sample1.jpg`);
    expect(still.name).toBe('sample1.jpg');
  });
});
