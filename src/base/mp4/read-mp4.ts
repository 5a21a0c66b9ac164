import { boxAt, boxesIn, boxOn, fourLetters, largestHeaderBytes, versionOf, type Box } from './boxes.ts';
import { readCodec, type Mp4Codec } from './codec-string.ts';
import { fragmentDefaults, readFragment } from './fragments.ts';
import { Mp4Error } from './mp4-error.ts';
import { SampleWriter, type SampleColumns } from './sample-columns.ts';
import { readSampleTable, shownPart } from './sample-table.ts';

/** Bytes of a file by their place: it is never read as a whole. */
export interface ByteSource {
  readonly sizeBytes: number;
  /** Bytes from `from` to `to`, fewer at the end of the file. */
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** The video track of a file. */
export interface Mp4Video extends Mp4Codec {
  readonly samples: SampleColumns;
  /** units of time a second */
  readonly timescale: number;
  /** the time of the track that is shown first, in its units */
  readonly shownFrom: number;
  /** how far a player turns its pictures clockwise, in degrees */
  readonly rotation: 0 | 90 | 180 | 270;
}

/** A movie's own box holds some bytes a frame: more than this is damage. */
const largestMovieBytes = 2 ** 30;

/**
 * Reads what an MP4, M4V or MOV file says of its video track: codec, and where and when each of its frames is. Frames themselves are not
 * read. Files in fragments, as live recorders write them, are read too.
 * @param source of the file
 * @returns its first video track
 * @throws Mp4Error if it is no such file, has no video track, one of an unknown codec, or one that is damaged or cut into parts
 */
export async function readMp4(source: ByteSource): Promise<Mp4Video> {
  const found = await findBoxes(source);
  const moov = found.find(({ type }) => type === 'moov');
  if (!moov) throw new Mp4Error('it is not an MP4 or MOV file, or was cut off before it was finished');
  if (moov.end - moov.start > largestMovieBytes) throw new Mp4Error('its list of frames is too large');
  const view = viewOf(await source.read(moov.start, moov.end));
  const movie: Box = { type: 'moov', start: 0, end: view.byteLength };
  const { trak, mdia, stbl } = videoTrack(view, movie);
  const [tkhd, mdhd] = [boxOn(view, trak, 'tkhd'), boxOn(view, mdia, 'mdhd')];
  const [stsd, mvhd] = [boxOn(view, stbl, 'stsd'), boxOn(view, movie, 'mvhd')];
  if (!tkhd || !mdhd || !stsd || !mvhd) throw new Mp4Error('its video track is damaged');
  const timescale = scaleOf(view, mdhd);
  if (timescale === 0) throw new Mp4Error('its video track counts no time');
  const writer = new SampleWriter(source.sizeBytes);
  readSampleTable(view, stbl, writer);
  const trackId = view.getUint32(tkhd.start + (versionOf(view, tkhd) === 1 ? 20 : 12));
  const defaults = fragmentDefaults(view, movie, trackId);
  if (defaults) {
    let decodedAt = 0;
    for (const { type, headerAt, start, end } of found) {
      if (type !== 'moof') continue;
      const moof = viewOf(await source.read(start, end));
      const content: Box = { type, start: 0, end: moof.byteLength };
      decodedAt = readFragment(moof, content, headerAt, defaults, writer, decodedAt);
    }
  }
  const samples = writer.done();
  if (samples.count === 0) throw new Mp4Error('its video track has no frames');
  const { shownFrom, shownUntil } = shownPart(view, trak, scaleOf(view, mvhd), timescale);
  if (samples.shownAt.some((at) => at >= shownUntil)) throw new Mp4Error('its edit list leaves out its last frames');
  return { ...readCodec(view, stsd), rotation: rotationOf(view, tkhd), samples, timescale, shownFrom };
}

/** The boxes of the file itself. */
async function findBoxes(source: ByteSource): Promise<readonly (Box & { readonly headerAt: number })[]> {
  const found: (Box & { readonly headerAt: number })[] = [];
  for (let at = 0; at + 8 <= source.sizeBytes;) {
    const head = viewOf(await source.read(at, at + largestHeaderBytes));
    if (!/^[\w ]{4}$/.test(fourLetters(head, 4))) break;
    const box = boxAt(head, 0, source.sizeBytes - at);
    if (!box) break;
    found.push({ type: box.type, headerAt: at, start: at + box.start, end: at + box.end });
    at += box.end;
  }
  return found;
}

function videoTrack(view: DataView, moov: Box): { readonly trak: Box; readonly mdia: Box; readonly stbl: Box } {
  for (const trak of boxesIn(view, moov)) {
    const mdia = trak.type === 'trak' ? boxOn(view, trak, 'mdia') : null;
    const hdlr = mdia && boxOn(view, mdia, 'hdlr');
    if (!hdlr || fourLetters(view, hdlr.start + 8) !== 'vide') continue;
    const stbl = boxOn(view, mdia, 'minf', 'stbl');
    if (stbl) return { trak, mdia, stbl };
  }
  throw new Mp4Error('it has no video track');
}

const viewOf = (bytes: Uint8Array<ArrayBuffer>): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Units of time a second, of a movie's or a track's header. */
const scaleOf = (view: DataView, header: Box): number =>
  view.getUint32(header.start + (versionOf(view, header) === 1 ? 20 : 12));

/** By the matrix of the track (14496-12, 8.3.2). @throws Mp4Error where it is more than a quarter turn */
function rotationOf(view: DataView, tkhd: Box): Mp4Video['rotation'] {
  const at = tkhd.start + (versionOf(view, tkhd) === 1 ? 52 : 40);
  const matrix = [0, 4, 12, 16].map((step) => Math.sign(view.getInt32(at + step))).join();
  const turns: Readonly<Record<string, Mp4Video['rotation']>> = {
    '1,0,0,1': 0,
    '0,1,-1,0': 90,
    '-1,0,0,-1': 180,
    '0,-1,1,0': 270,
  };
  const turn = turns[matrix];
  if (turn === undefined) throw new Mp4Error('its pictures are mirrored');
  return turn;
}
