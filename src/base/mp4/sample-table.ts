import { boxOn, versionOf, type Box } from './boxes.ts';
import { Mp4Error } from './mp4-error.ts';
import type { SampleWriter } from './sample-columns.ts';

/** Adds the samples that a track's sample table lists (14496-12, 8.6 and 8.7); none where all are in fragments. @throws Mp4Error */
export function readSampleTable(view: DataView, stbl: Box, into: SampleWriter): void {
  const table = (type: string): Box | null => boxOn(view, stbl, type);
  const [stts, stsc, stsz] = [table('stts'), table('stsc'), table('stsz')];
  const chunks = table('stco') ?? table('co64');
  if (!stts || !stsc || !stsz || !chunks) throw new Mp4Error('its list of frames is incomplete');
  const oneSize = view.getUint32(stsz.start + 4);
  const count = view.getUint32(stsz.start + 8);
  const need = (box: Box, entries: number, bytes: number, head = 8): void => {
    if (box.start + head + entries * bytes > box.end) throw new Mp4Error('its list of frames is cut off');
  };
  if (oneSize === 0) need(stsz, count, 4, 12);
  const isLong = chunks.type === 'co64';
  const chunkCount = view.getUint32(chunks.start + 4);
  need(chunks, chunkCount, isLong ? 8 : 4);
  const runCount = view.getUint32(stsc.start + 4);
  need(stsc, runCount, 12);

  const durations = entriesOf(view, stts);
  const ctts = table('ctts');
  // Version 0 says unsigned offsets, and encoders write negative ones into it all the same: both fit 32 bits.
  const shifts = ctts && entriesOf(view, ctts);
  const keys = keysOf(view, table('stss'));

  let sample = 0;
  let decodedAt = 0;
  for (let run = 0; run < runCount && sample < count; run++) {
    const entry = stsc.start + 8 + 12 * run;
    const first = view.getUint32(entry) - 1;
    const perChunk = view.getUint32(entry + 4);
    const end = run + 1 < runCount ? view.getUint32(entry + 12) - 1 : chunkCount;
    for (let chunk = first; chunk < Math.min(end, chunkCount); chunk++) {
      const place = chunks.start + 8 + chunk * (isLong ? 8 : 4);
      let offset = isLong ? Number(view.getBigUint64(place)) : view.getUint32(place);
      for (let k = 0; k < perChunk && sample < count; k++, sample++) {
        const size = oneSize || view.getUint32(stsz.start + 12 + 4 * sample);
        const duration = durations();
        into.add(offset, size, decodedAt + (shifts ? shifts() | 0 : 0), duration, keys(sample));
        decodedAt += duration;
        offset += size;
      }
    }
  }
}

/** Gives the value of each sample in turn, from entries of how many samples have which value; 0 behind the last. */
function entriesOf(view: DataView, box: Box): () => number {
  const count = Math.min(view.getUint32(box.start + 4), Math.floor((box.end - box.start - 8) / 8));
  let entry = -1;
  let left = 0;
  let value = 0;
  return () => {
    while (left === 0) {
      if (++entry >= count) return 0;
      left = view.getUint32(box.start + 8 + 8 * entry);
      value = view.getUint32(box.start + 12 + 8 * entry);
    }
    left--;
    return value;
  };
}

/** Whether a sample is a key frame, asked in rising order: without a list of them, all are. */
function keysOf(view: DataView, stss: Box | null): (sample: number) => boolean {
  if (!stss) return () => true;
  const count = Math.min(view.getUint32(stss.start + 4), Math.floor((stss.end - stss.start - 8) / 4));
  let at = 0;
  return (sample) => {
    while (at < count && view.getUint32(stss.start + 8 + 4 * at) - 1 < sample) at++;
    return at < count && view.getUint32(stss.start + 8 + 4 * at) - 1 === sample;
  };
}

/**
 * The part of the track's time that its one edit shows, in units of the track (14496-12, 8.6.6): the media time at which it begins, less the
 * empty time before it, and the media time at which it ends. @throws Mp4Error where there are several
 */
export function shownPart(
  view: DataView,
  trak: Box,
  movieScale: number,
  trackScale: number,
): { readonly shownFrom: number; readonly shownUntil: number } {
  const elst = boxOn(view, trak, 'edts', 'elst');
  if (!elst) return { shownFrom: 0, shownUntil: Infinity };
  const isLong = versionOf(view, elst) === 1;
  const bytes = isLong ? 20 : 12;
  const count = Math.min(view.getUint32(elst.start + 4), Math.floor((elst.end - elst.start - 8) / bytes));
  let empty = 0;
  let part: { readonly shownFrom: number; readonly shownUntil: number } | null = null;
  for (let at = elst.start + 8, edit = 0; edit < count; edit++, at += bytes) {
    const lasts = isLong ? Number(view.getBigUint64(at)) : view.getUint32(at);
    const from = isLong ? Number(view.getBigInt64(at + 8)) : view.getInt32(at + 4);
    if (from >= 0 && part) throw new Mp4Error('its edit list puts it together of several parts');
    // For fragments an edit gives no length. A length is rounded to the movie's units.
    if (from >= 0)
      part = {
        shownFrom: from - empty,
        shownUntil: lasts === 0 ? Infinity : from + ((lasts + 1) / movieScale) * trackScale,
      };
    else if (!part) empty += (lasts / movieScale) * trackScale;
  }
  return part ?? { shownFrom: -empty, shownUntil: Infinity };
}
