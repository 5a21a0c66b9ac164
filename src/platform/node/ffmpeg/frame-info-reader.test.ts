import { describe, expect, it } from 'vitest';
import { FrameInfoReader } from './frame-info-reader.ts';

const base = '[Parsed_showinfo_0 @ 0x1] [info] config in time_base: 1/25000, frame_rate: 25/2';
const frame = (pts: string): string =>
  `[Parsed_showinfo_0 @ 0x1] [info] n:   1 pts:${pts} pts_time:0.08    pos:    46023 fmt:yuv420p sar:0/1 s:768x432 i:P iskey:0 type:P checksum:8049909D`;
const colour =
  '[Parsed_showinfo_0 @ 0x1] [info] color_range:tv color_space:smpte170m color_primaries:unknown color_trc:unknown';

describe('FrameInfoReader', () => {
  it('reads time, size and colours, also before and after they are asked for', async () => {
    const reader = new FrameInfoReader();
    for (const line of [
      base,
      '[Parsed_showinfo_0 @ 0x1] [info] config out time_base: 0/0, frame_rate: 0/0',
      frame('   2000'),
      colour,
    ])
      reader.read(line);
    const expected = {
      timeMs: 80,
      widthPx: 768,
      heightPx: 432,
      pixelFormat: 'yuv420p',
      matrix: 'smpte170m',
      range: 'tv',
    };
    expect(await reader.next()).toEqual(expected);
    const next = reader.next();
    reader.read(frame('NOPTS'));
    reader.read(colour);
    expect(await next).toEqual({ ...expected, timeMs: null });
    const none = reader.next();
    reader.end();
    expect(await none).toBeNull();
    expect(await reader.next()).toBeNull();
  });

  it('reads the duration, and keeps the last errors', () => {
    const reader = new FrameInfoReader();
    reader.read('[info]   Duration: 01:02:03.50, start: 0.000000, bitrate: 744 kb/s');
    for (const text of ['one', 'two', 'three', 'four']) reader.read(`[h264 @ 0x5] [error] ${text}`);
    reader.read('[warning] not that bad');
    reader.read('half a line of something else');
    expect(reader.durationMs).toBe(3_723_500);
    expect([reader.errors.count, reader.errors.text]).toEqual([4, 'two three four']);
    expect(new FrameInfoReader().errors.text).toBe('it does not say why');
  });
});
