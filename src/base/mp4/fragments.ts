import { boxesIn, boxOn, firstBox, flagsOf, versionOf, type Box } from './boxes.ts';
import { Mp4Error } from './mp4-error.ts';
import type { SampleWriter } from './sample-columns.ts';

/** What fragments take of the movie where they say nothing themselves (14496-12, 8.8.3). */
export interface FragmentDefaults {
  readonly trackId: number;
  readonly duration: number;
  readonly sizeBytes: number;
  readonly flags: number;
}

/** The defaults of a track; null: the movie has no fragments. */
export function fragmentDefaults(view: DataView, moov: Box, trackId: number): FragmentDefaults | null {
  const mvex = boxOn(view, moov, 'mvex');
  const trex =
    mvex && firstBox(view, mvex, ({ type, start }) => type === 'trex' && view.getUint32(start + 4) === trackId);
  if (!trex) return null;
  const [duration, sizeBytes, flags] = [12, 16, 20].map((at) => view.getUint32(trex.start + at)) as [
    number,
    number,
    number,
  ];
  return { trackId, duration, sizeBytes, flags };
}

const isNoKey = 0x10000;

/**
 * Adds the samples of a fragment (14496-12, 8.8.4 to 8.8.8). `view` holds the box "moof", which begins at `moofOffset` in the file.
 * `decodedAt`: when its first sample is decoded, where it does not say. Returns when the one after its last is.
 */
export function readFragment(
  view: DataView,
  moof: Box,
  moofOffset: number,
  defaults: FragmentDefaults,
  into: SampleWriter,
  decodedAt: number,
): number {
  let time = decodedAt;
  for (const traf of boxesIn(view, moof)) {
    const tfhd = traf.type === 'traf' ? boxOn(view, traf, 'tfhd') : null;
    if (!tfhd || view.getUint32(tfhd.start + 4) !== defaults.trackId) continue;
    const has = flagsOf(view, tfhd);
    let at = tfhd.start + 8;
    const next = (): number => view.getUint32((at += 4) - 4);
    let base = moofOffset;
    if (has & 0x1) {
      base = Number(view.getBigUint64(at));
      at += 8;
    }
    if (has & 0x2) at += 4;
    const duration = has & 0x8 ? next() : defaults.duration;
    const sizeBytes = has & 0x10 ? next() : defaults.sizeBytes;
    const flags = has & 0x20 ? next() : defaults.flags;
    const tfdt = boxOn(view, traf, 'tfdt');
    if (tfdt) {
      time = versionOf(view, tfdt) === 1 ? Number(view.getBigUint64(tfdt.start + 4)) : view.getUint32(tfdt.start + 4);
    }
    let offset = base;
    for (const trun of boxesIn(view, traf)) {
      if (trun.type !== 'trun') continue;
      [offset, time] = readRun(view, trun, { base, offset, time, duration, sizeBytes, flags }, into);
    }
  }
  return time;
}

interface RunStart {
  readonly base: number;
  readonly offset: number;
  readonly time: number;
  readonly duration: number;
  readonly sizeBytes: number;
  readonly flags: number;
}

/** Returns where the samples after it lie, and when they are decoded. @throws Mp4Error */
function readRun(view: DataView, trun: Box, start: RunStart, into: SampleWriter): [offset: number, time: number] {
  const has = flagsOf(view, trun);
  const count = view.getUint32(trun.start + 4);
  let at = trun.start + 8;
  let { offset, time } = start;
  if (has & 0x1) {
    offset = start.base + view.getInt32(at);
    at += 4;
  }
  const firstFlags = has & 0x4 ? view.getUint32((at += 4) - 4) : start.flags;
  if (count > 0 && !(has & 0x200) && start.sizeBytes === 0) throw new Mp4Error('its list of frames is damaged');
  const bytesEach = 4 * [0x100, 0x200, 0x400, 0x800].filter((bit) => has & bit).length;
  for (let sample = 0; sample < count && at + bytesEach <= trun.end; sample++) {
    const next = (): number => view.getUint32((at += 4) - 4);
    const duration = has & 0x100 ? next() : start.duration;
    const sizeBytes = has & 0x200 ? next() : start.sizeBytes;
    const flags = has & 0x400 ? next() : sample === 0 ? firstFlags : start.flags;
    const shift = has & 0x800 ? next() | 0 : 0;
    into.add(offset, sizeBytes, time + shift, duration, !(flags & isNoKey));
    offset += sizeBytes;
    time += duration;
  }
  return [offset, time];
}
