import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { hasFfmpeg, makeVideo, withoutFfmpeg } from '../../../../tests/ffmpeg.ts';
import { pixelsOf } from '../../../machine/vision/gpu/gpu-frame.ts';
import { readVideoTraits, videoFrames, type DecodedFrame } from './video-frames.ts';
import { VideoWriter } from './video-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightglass-video-'));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

async function decode(path: string): Promise<{ frames: DecodedFrame[]; errors: number }> {
  const frames: DecodedFrame[] = [];
  let errors = 0;
  const traits = await readVideoTraits(path);
  for await (const frame of videoFrames(path, traits, (count) => (errors = count))) frames.push(frame);
  return { frames, errors };
}
const colourAt = ({ frame }: DecodedFrame, x: number, y: number): number[] =>
  [...pixelsOf(frame).samples.subarray(4 * (frame.widthPx * y + x))].slice(0, 3);

it('says what is missing and how to get it, where there is no ffmpeg', async () => {
  vi.stubEnv('PATH', folder);
  try {
    await expect(readVideoTraits('clip.mp4')).rejects.toMatchObject({
      code: 'no-ffmpeg',
      message: expect.stringMatching(/ffmpeg.*apt install ffmpeg.*--frames DIR/s) as string,
    });
  } finally {
    vi.unstubAllEnvs();
  }
});

describe.skipIf(!hasFfmpeg)(`frames of a video${withoutFfmpeg}`, () => {
  it('are its planes as they are, with their times', async () => {
    const path = makeVideo(at('plain.mp4'));
    expect(await readVideoTraits(path)).toEqual({
      widthPx: 64,
      heightPx: 48,
      durationMs: 1000,
      colours: 'yuv420p, BT.601, limited range, converted to RGB as browsers do',
      readAs: 'yuv420p',
    });
    const { frames, errors } = await decode(path);
    expect(frames.map(({ index, timeMs }) => [index, timeMs])).toEqual(
      Array.from({ length: 10 }, (_, at) => [at, 100 * at]),
    );
    expect(errors).toBe(0);
    const raw = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-']);
    const planes = frames.map(({ frame }) => (frame.format === 'i420' ? frame.planes : new Uint8Array(0)));
    expect(Buffer.concat(planes).equals(raw)).toBe(true);
  });

  it('have times of any distance, and none is doubled or left out', async () => {
    const path = makeVideo(at('variable.mkv'), {
      output: ['-vf', "select='eq(n,0)+eq(n,1)+eq(n,4)+eq(n,9)'", '-vsync', 'passthrough', '-pix_fmt', 'yuv420p'],
    });
    expect((await decode(path)).frames.map(({ index, timeMs }) => [index, timeMs])).toEqual([[0, 0], [1, 100], [2, 400], [3, 900]]); // prettier-ignore
  });

  it('are turned as players turn them', async () => {
    const input = makeVideo(at('lying.mp4'), {
      input: 'color=red:size=64x48:rate=10:duration=0.2,drawbox=w=32:color=blue:t=fill',
    });
    const bytes = readFileSync(input);
    // The matrix of a track's header (ISO/IEC 14496-12, 8.3.2): x' = -y, y' = x turns clockwise by 90 degrees.
    const matrixAt = bytes.indexOf('tkhd') + 4 + 40;
    for (const [number, value] of [0, 0x10000, 0, -0x10000, 0].entries())
      bytes.writeInt32BE(value, matrixAt + 4 * number);
    writeFileSync(at('turned.mp4'), bytes);
    const { frames } = await decode(at('turned.mp4'));
    const [frame] = frames;
    expect([frame!.frame.widthPx, frame!.frame.heightPx]).toEqual([48, 64]);
    expect(colourAt(frame!, 24, 4)[2]).toBeGreaterThan(200); // blue was on the left and is on top
    expect(colourAt(frame!, 24, 60)[0]).toBeGreaterThan(200);
  });

  it.each([
    [['-pix_fmt', 'yuv420p', '-colorspace', 'bt709'], /BT.709, limited/, 'yuv420p'],
    [['-pix_fmt', 'yuvj420p'], /BT.601, full/, 'yuvj420p'],
    [['-pix_fmt', 'yuv422p'], /yuv422p, converted to RGB by ffmpeg/, 'rgba'],
    [['-pix_fmt', 'yuv420p', '-colorspace', 'bt2020nc'], /converted to RGB by ffmpeg/, 'rgba'],
  ])('have the colours of %j', async (colour, words, readAs) => {
    const filter = colour.includes('bt709') ? ['-vf', 'scale=out_color_matrix=bt709'] : colour.includes('bt2020nc') ? ['-vf', 'scale=out_color_matrix=bt2020'] : []; // prettier-ignore
    const path = makeVideo(at('colours.mp4'), { input: 'color=0xC86432:size=64x48:rate=10:duration=0.1', output: [...filter, ...colour] }); // prettier-ignore
    const traits = await readVideoTraits(path);
    expect(traits).toMatchObject({ colours: expect.stringMatching(words) as string, readAs });
    const [frame] = (await decode(path)).frames;
    for (const [channel, value] of colourAt(frame!, 30, 20).entries())
      expect(Math.abs(value - [0xc8, 0x64, 0x32][channel]!)).toBeLessThanOrEqual(3);
  });

  it('end with ffmpeg when nobody asks for more', async () => {
    const path = makeVideo(at('long.mp4'), { input: 'testsrc=size=320x240:rate=30:duration=20' });
    const frames: number[] = [];
    for await (const { index } of videoFrames(path, await readVideoTraits(path), () => {})) {
      frames.push(index);
      if (index === 2) break;
    }
    expect(frames).toEqual([0, 1, 2]);
  });

  it('of a file that is cut off are those before, and the errors are told', async () => {
    const path = makeVideo(at('whole.mkv'), { input: 'testsrc=size=64x48:rate=10:duration=20' });
    const bytes = readFileSync(path);
    writeFileSync(at('cut.mkv'), bytes.subarray(0, Math.round(bytes.length / 2)));
    const { frames, errors } = await decode(at('cut.mkv'));
    expect(frames.length).toBeGreaterThan(50);
    expect(frames.length).toBeLessThan(150);
    expect(errors).toBeGreaterThan(0);
  });

  it('of a file most of whose frames are damaged are the others, and the errors are told wherever it is left', async () => {
    const path = makeVideo(at('whole.mp4'), { output: ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p'] });
    const bytes = readFileSync(path);
    const [from, to] = [bytes.indexOf('mdat') + 4, bytes.indexOf('moov') - 4];
    bytes.fill(0, from + Math.round(0.12 * (to - from)), from + Math.round(0.85 * (to - from)));
    writeFileSync(at('mostly.mp4'), bytes);
    const { frames, errors } = await decode(at('mostly.mp4'));
    expect(frames.length).toBeGreaterThan(0);
    expect(frames.length).toBeLessThan(4);
    expect(errors).toBeGreaterThan(6);
    let [told, last] = [0, 0];
    for await (const { timeMs } of videoFrames(at('mostly.mp4'), { readAs: 'yuvj420p' }, (count) => (told = count))) {
      last = timeMs;
      if (timeMs > 500) break;
    }
    expect([last > 500, told > 6]).toEqual([true, true]);
  });

  it.each(['text.mp4', 'missing.mp4'])('cannot be had of %s', async (name) => {
    writeFileSync(at('text.mp4'), 'no video');
    await expect(readVideoTraits(at(name))).rejects.toMatchObject({
      code: 'bad-video',
      message: expect.stringMatching(/cannot decode ".*mp4": .*(Invalid data|No such file)/s) as string,
    });
  });
});

describe.skipIf(!hasFfmpeg)(`a video that is written${withoutFfmpeg}`, () => {
  const frameOf = (red: number, widthPx = 65) => ({
    format: 'rgba8' as const,
    widthPx,
    heightPx: 49,
    samples: new Uint8ClampedArray(4 * widthPx * 49).map((_, i) => (i % 4 === 0 ? red : i % 4 === 3 ? 255 : 40)),
  });

  it('keeps each frame with its time, and has even sides', async () => {
    const writer = await VideoWriter.open(at('written.mp4'), { widthPx: 65, heightPx: 49 });
    const times = [0, 40.04, 200.1, 1000.5];
    for (const [number, timeMs] of times.entries()) await writer.write(frameOf(60 * number), timeMs);
    await writer.close();
    const { frames } = await decode(at('written.mp4'));
    expect(frames).toHaveLength(4);
    for (const [number, frame] of frames.entries()) {
      expect(Math.abs(frame.timeMs - times[number]!)).toBeLessThan(0.02);
      expect([frame.frame.widthPx, frame.frame.heightPx]).toEqual([66, 50]);
      expect(Math.abs(colourAt(frame, 20, 20)[0]! - 60 * number)).toBeLessThan(6);
    }
  });

  it('refuses a frame of another size, and a place that cannot be written', async () => {
    const writer = await VideoWriter.open(at('sizes.mp4'), { widthPx: 65, heightPx: 49 });
    await expect(writer.write(frameOf(0, 70), 40)).rejects.toThrow('40 ms it is 70×49 px instead of 65×49');
    await writer.discard();
    const lost = await VideoWriter.open(at('no-folder/x.mp4'), { widthPx: 65, heightPx: 49 });
    await expect(
      (async () => {
        for (let at = 0; at < 500; at++) await lost.write(frameOf(0), 40 * at);
        await lost.close();
      })(),
    ).rejects.toThrow(/cannot write ".*x.mp4": .*No such file/);
  });
});
