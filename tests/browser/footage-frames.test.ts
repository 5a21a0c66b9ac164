import { BlobReader, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';
import { describe, expect, it } from 'vitest';
import type { FootageModel } from '../../src/app/bench/footage/footage-ports.ts';
import { RunFrames } from '../../src/app/bench/footage/run-frames.ts';
import { writeAnnotated } from '../../src/app/bench/footage/write-annotated.ts';
import { writeMp4, type WrittenSample } from '../../src/base/mp4/write-mp4.ts';
import { openAnnotatedWriter } from '../../src/platform/browser/media/annotated-video.ts';
import { decodedFootage } from '../../src/platform/browser/media/decoded-footage.ts';
import { openVideoFootage } from '../../src/platform/browser/media/open-footage.ts';
import { playedFootage } from '../../src/platform/browser/media/played-footage.ts';
import { picturesFootage } from '../../src/platform/browser/media/pictures-footage.ts';
import type { FootageReader, ReadFootageFrame } from '../../src/platform/ports/footage-reader.ts';
import { failedFrame, footageFrame, memoryFootageStore, runSetup } from '../footage-frames.ts';
import grays from './fixtures/twenty-grays.webm?url';

const everMs = new AbortController().signal;

/** An MP4 video of `count` frames, each lighter than the one before, 40 ms each but for one that lasts three times as long. */
async function grayFilm(
  count: number,
  widthPx: number,
  heightPx: number,
  wanted = 'vp09.00.10.08',
  colours = false,
): Promise<Blob> {
  const samples: WrittenSample[] = [];
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let track: { codec: string; description?: Uint8Array<ArrayBuffer> } = { codec: '' };
  const encoder = new VideoEncoder({
    output(chunk, metadata) {
      const { codec = '', description = null } = metadata?.decoderConfig ?? {};
      if (codec) track = { codec, ...(description && { description: new Uint8Array(description as ArrayBuffer) }) };
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      parts.push(bytes);
      samples.push({ sizeBytes: bytes.length, timeUs: chunk.timestamp, isKey: chunk.type === 'key' });
    },
    error(error) {
      throw error;
    },
  });
  encoder.configure({
    codec: wanted,
    width: widthPx,
    height: heightPx,
    bitrate: 400_000,
    ...(wanted.startsWith('avc1') && { avc: { format: 'avc' } }),
  });
  const canvas = new OffscreenCanvas(widthPx, heightPx);
  const context = canvas.getContext('2d')!;
  for (let at = 0; at < count; at++) {
    const level = 30 + 9 * at;
    context.fillStyle = colours ? `rgb(${level} 30 ${255 - level})` : `rgb(${level} ${level} ${level})`;
    context.fillRect(0, 0, widthPx, heightPx);
    const frame = new VideoFrame(canvas, { timestamp: timeUs(at) });
    encoder.encode(frame, { keyFrame: at % 5 === 0 });
    frame.close();
  }
  await encoder.flush();
  encoder.close();
  const { head, tail } = writeMp4({ ...track, widthPx, heightPx }, samples, timeUs(count));
  return new Blob([head, ...parts, tail], { type: 'video/mp4' });
}

const timeUs = (at: number): number => 40_000 * (at > 3 ? at + 2 : at);

async function lightnessOf(image: ReadFootageFrame['image']): Promise<number> {
  const bitmap = await createImageBitmap(image);
  if (!(image instanceof Blob)) image.close();
  const context = new OffscreenCanvas(1, 1).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, 1, 1).data[1]!;
}

interface Seen {
  readonly index: number;
  readonly timeMs: number;
  readonly lightness: number;
}

async function all(reader: FootageReader, behind: Parameters<FootageReader['frames']>[0] = null): Promise<Seen[]> {
  const seen: Seen[] = [];
  for await (const { index, timeMs, image } of reader.frames(behind, everMs))
    seen.push({ index, timeMs, lightness: await lightnessOf(image) });
  return seen;
}

describe('the frames of a video file', () => {
  it('come in order, each once, with their times, and from any of them on', async () => {
    const film = await grayFilm(14, 64, 48);
    const reader = await decodedFootage(film, 'film.mp4', '');
    expect(reader).toMatchObject({ frameCount: 14, durationMs: 640, whySlow: '' });
    const seen = await all(reader);
    expect(seen.map(({ index, timeMs }) => [index, 1000 * timeMs])).toEqual(
      Array.from({ length: 14 }, (_, at) => [at, timeUs(at)]),
    );
    for (const [at, { lightness }] of seen.entries()) expect(Math.abs(lightness - (30 + 9 * at))).toBeLessThan(5);
    expect(await all(reader, seen[7]!)).toEqual(seen.slice(8));
    expect(await all(reader, seen[13]!)).toEqual([]);
    for (const at of [13, 0, 6])
      expect(await lightnessOf((await reader.frameAt(seen[at]!, everMs))!)).toBe(seen[at]!.lightness);
  });

  it.each([
    [64, 48, 'vp09.00.10.08'],
    [66, 50, 'vp09.00.10.08'],
    [64, 48, 'avc1.42001e'],
  ])('have the colours and size that the player shows, at %i × %i of %s', async (widthPx, heightPx, codec) => {
    const film = await grayFilm(6, widthPx, heightPx, codec, true);
    const [decoded, played] = [await decodedFootage(film, 'a', ''), await playedFootage(film, 'a', '', 'of the test')];
    for (const timeMs of [0, 120]) {
      const [one, other] = [
        await decoded.frameAt({ index: 0, timeMs }, everMs),
        await played.frameAt({ index: 0, timeMs }, everMs),
      ];
      const [a, b] = [one as VideoFrame, other as VideoFrame];
      expect([a.displayWidth, a.displayHeight, a.timestamp]).toEqual([b.displayWidth, b.displayHeight, b.timestamp]);
      const [pixelsA, pixelsB] = await Promise.all(
        [a, b].map(async (frame) => {
          const bytes = new Uint8Array(frame.allocationSize({ format: 'RGBA' }));
          await frame.copyTo(bytes, { format: 'RGBA', colorSpace: 'srgb' });
          frame.close();
          return bytes;
        }),
      );
      expect(pixelsA!.length).toBe(pixelsB!.length);
      // A player on a GPU rounds otherwise.
      expect(Math.max(...pixelsA!.map((value, at) => Math.abs(value - pixelsB![at]!)))).toBeLessThanOrEqual(2);
    }
  });

  it('are stepped through where no decoder takes the file, with the reason', async () => {
    const reader = await openVideoFootage(await (await fetch(grays)).blob(), 'grays.webm');
    expect(reader.whySlow).toContain('is not an MP4');
    const seen = await all(reader);
    expect(seen.map(({ index, timeMs }) => [index, timeMs])).toEqual(
      Array.from({ length: 20 }, (_, at) => [at, 100 * at]),
    );
    expect(await all(reader, seen[16]!)).toEqual(seen.slice(17));
    expect(await lightnessOf((await reader.frameAt(seen[4]!, everMs))!)).toBe(seen[4]!.lightness);
  });

  it('end early where nobody wants them any more', async () => {
    const reader = await decodedFootage(await grayFilm(14, 64, 48), 'film.mp4', '');
    const wanted = new AbortController();
    let count = 0;
    for await (const { image } of reader.frames(null, wanted.signal)) {
      (image as VideoFrame).close();
      if (++count === 3) wanted.abort();
    }
    expect(count).toBe(3);
  });

  it('are told apart from those of another file by its bytes', async () => {
    const film = await grayFilm(4, 64, 48);
    const other = new Blob([film.slice(0, film.size - 1), 'x']);
    const [a, again, b] = await Promise.all([film, film, other].map((file) => openVideoFootage(file, 'a.mp4')));
    expect([a!.fingerprint === again!.fingerprint, a!.fingerprint === b!.fingerprint]).toEqual([true, false]);
  });
});

it('gives the pictures of a folder one by one', async () => {
  const blobs = ['a', 'bc', 'd'].map((text) => new Blob([text]));
  const pictures = blobs.map((blob, at) => ({ name: `${at}.png`, blob: async () => blob }));
  const reader = await picturesFootage('yard', pictures);
  const seen: [number, string, unknown][] = [];
  for await (const { index, name, image } of reader.frames({ index: 0, timeMs: 0 }, everMs))
    seen.push([index, name, image]);
  expect(seen).toEqual([
    [1, '1.png', blobs[1]],
    [2, '2.png', blobs[2]],
  ]);
  expect((await picturesFootage('yard', pictures.slice(1))).fingerprint).not.toBe(reader.fingerprint);
});

describe('a video with boxes', () => {
  it('has every picture at its time, in an even size', async () => {
    const writer = await openAnnotatedWriter({ widthPx: 65, heightPx: 49, kind: 'video' });
    expect([writer.extension, writer.whyZip]).toEqual(['.mp4', '']);
    const canvas = Object.assign(document.createElement('canvas'), { width: 65, height: 49 });
    const context = canvas.getContext('2d')!;
    for (let at = 0; at < 8; at++) {
      const level = 40 + 20 * at;
      context.fillStyle = `rgb(${level} ${level} ${level})`;
      context.fillRect(0, 0, 65, 49);
      await writer.add(canvas, timeUs(at) / 1000);
    }
    const file = await writer.finish(timeUs(8) / 1000);
    writer.close();
    const reader = await openVideoFootage(file, 'boxes.mp4');
    expect(reader).toMatchObject({ whySlow: '', frameCount: 8, durationMs: timeUs(8) / 1000 });
    for (const [at, { timeMs, lightness }] of (await all(reader)).entries()) {
      expect(timeMs).toBeCloseTo(timeUs(at) / 1000, 1);
      expect(Math.abs(lightness - (40 + 20 * at))).toBeLessThan(6);
    }
    const played = await playedFootage(file, 'boxes.mp4', '', '');
    const frame = (await played.frameAt({ index: 0, timeMs: 0 }, everMs)) as VideoFrame;
    expect([frame.displayWidth, frame.displayHeight]).toEqual([64, 48]);
    frame.close();
  });

  it('is a zip of pictures where the source is a folder', async () => {
    const writer = await openAnnotatedWriter({ widthPx: 8, heightPx: 8, kind: 'pictures' });
    const canvas = Object.assign(document.createElement('canvas'), { width: 8, height: 8 });
    canvas.getContext('2d');
    for (const timeMs of [0, 1000]) await writer.add(canvas, timeMs);
    const names = (await new ZipReader(new BlobReader(await writer.finish(2000))).getEntries()).map((e) => e.filename);
    expect([writer.extension, names]).toEqual(['.zip', ['000000-0ms.jpg', '000001-1000ms.jpg']]);
  });

  it('leaves out the frames of which the machine gives no picture, and says how many', async () => {
    const frames = new RunFrames(memoryFootageStore(), 'one');
    for (const frame of [footageFrame(0, []), footageFrame(1, [['cat', 0.9]]), failedFrame(2), footageFrame(3, [])])
      frames.add(frame);
    const pictures = Array.from({ length: frames.count }, (_, at) => ({
      name: `${at}.png`,
      blob: async () => new Blob(),
    }));
    let whyOther: string | null = null;
    const run = { reader: await picturesFootage('yard', pictures), frames, whyOther: async () => whyOther };
    const session = { run, rule: runSetup.filter, footage: { kind: 'pictures' } } as never;
    const draw: FootageModel['draw'] = async (_, { detections }) => {
      // As the machine where a box does not fit.
      if (detections.length > 0) throw Object.assign(new Error('It does not fit.'), { code: 'box-outside-frame' });
      return createImageBitmap(new ImageData(8, 8));
    };
    const ports = { openWriter: openAnnotatedWriter, prepare: async () => ({ draw }) as Partial<FootageModel> as FootageModel }; // prettier-ignore
    const { file, leftOut } = await writeAnnotated(session, ports, null, () => undefined, everMs);
    const names = (await new ZipReader(new BlobReader(file)).getEntries()).map((e) => e.filename);
    expect([names, leftOut]).toEqual([['000000-0ms.jpg', '000001-3000ms.jpg'], 2]);
    whyOther = 'the configuration differs';
    const again = writeAnnotated(session, ports, null, () => undefined, everMs);
    await expect(again).rejects.toThrow('the configuration differs. Run it again.');
  });
});
