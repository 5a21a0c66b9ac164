import { acceptBox } from '../../item/accept-box.ts';
import type { DatasetBox, DatasetItem, SizePx } from '../../item/dataset-item.ts';
import type { DatasetReport } from '../../item/dataset-report.ts';
import type { FileIndex } from '../../files/file-index.ts';
import { folderOf } from '../../item/inner-path.ts';
import { Claims, type DatasetImporter } from '../importing.ts';
import { boxAroundTurned, partsOf } from '../picture-item.ts';
import { trackAt, type KeyFrame } from '../../tracks/track.ts';
import { annotationFiles, labelsIn, readAnnotations } from '../cvat/annotation-files.ts';
import { frameFiles, sequenceItems, sequenceNameOf } from '../frame-items.ts';
import { child, childText, type XmlElement } from '../pascal-voc/read-xml.ts';

/**
 * Reads CVAT for video 1.1 (see `exportCvatVideo`): tracks of boxes. The pictures are files beside it whose names end
 * with the frame number. If the file leaves out a frame of a track, its box is interpolated.
 */
export const cvatVideoImporter: DatasetImporter = { detect, importItems };

async function detect(files: FileIndex) {
  const video = (await annotationFiles(files)).find(({ isVideo }) => isVideo);
  return video ? { start: video.file } : { start: null, missing: 'there is no .xml file with <annotations> of tracks' };
}

async function* importItems(files: FileIndex, report: DatasetReport): AsyncGenerator<DatasetItem> {
  const claims = new Claims();
  for (const { file, isVideo } of await annotationFiles(files)) {
    const root = isVideo ? await readAnnotations(file, report) : null;
    if (!root) continue;
    for (const label of labelsIn(root)) report.addClass(label);
    const folder = folderOf(file.path);
    const task = child(child(root, 'meta'), 'task') ?? child(child(root, 'meta'), 'job');
    const frames = frameFiles(files, folder, claims, Number(childText(task, 'start_frame')) || 0);
    report.expectedImages = (report.expectedImages ?? 0) + frames.length;
    const tracks = tracksIn(root, file.path, report);
    if (frames.length === 0)
      report.error(file.path, null, `It has ${tracks.length} tracks of a video, and no pictures are beside it. Export the task with “Save images”, or put its frames there with their numbers as names.`); // prettier-ignore
    const known = new Set(frames.map(({ frame }) => frame));
    for (const { rows } of tracks)
      for (const { frame } of rows)
        if (frames.length > 0 && !known.has(frame)) report.error(file.path, null, `There is no picture of frame ${frame}; a box on it is left out.`); // prettier-ignore
    const said = frames.map((one) => {
      const found = tracks.flatMap((track) => rowAt(track, one.frame) ?? []);
      const boxesIn = (sizePx: SizePx) => found.flatMap((row) => boxOf(row, sizePx, file.path, report) ?? []);
      return { ...one, said: { shapeCount: found.length, boxesIn } };
    });
    yield* sequenceItems(said, childText(task, 'name') || sequenceNameOf(folder), file.path, { claims, report });
  }
}

type Edges = readonly [xMin: number, yMin: number, xMax: number, yMax: number];

/** A box of a track in pixels, written in the file or interpolated. */
interface Row {
  readonly id: number;
  readonly label: string | undefined;
  readonly frame: number;
  readonly isKey: boolean;
  readonly isOutside: boolean;
  readonly edges: Edges;
  readonly written: readonly unknown[];
}

interface CvatTrack {
  /** sorted by frame */
  readonly rows: readonly Row[];
  readonly byFrame: ReadonlyMap<number, Row>;
}

function tracksIn(root: XmlElement, path: string, report: DatasetReport): CvatTrack[] {
  const tracks = root.children.filter(({ name }) => name === 'track');
  const ids = new Set<number>();
  return tracks.flatMap(({ attributes: { id: written, label }, children }, index) => {
    const wanted = Number(written);
    const isFree = Number.isInteger(wanted) && wanted >= 0 && wanted < 1e9 && !ids.has(wanted);
    const id = isFree ? wanted : freeId(ids, index);
    ids.add(id);
    const rows = children.flatMap((shape) => rowOf(shape, id, label, path, report) ?? []);
    const byFrame = new Map(rows.map((row) => [row.frame, row]));
    return rows.length === 0 ? [] : [{ rows: [...byFrame.values()].toSorted((a, b) => a.frame - b.frame), byFrame }];
  });
}

function freeId(ids: ReadonlySet<number>, from: number): number {
  let id = from;
  while (ids.has(id)) id++;
  return id;
}

function rowOf(
  { name, attributes, children }: XmlElement,
  id: number,
  label: string | undefined,
  path: string,
  report: DatasetReport,
): Row | null {
  if (name !== 'box') {
    report.lose(lostShapes[name] ?? 'others');
    return null;
  }
  const frame = Number(attributes['frame'] || NaN);
  if (!Number.isInteger(frame) || frame < 0) {
    report.error(path, null, `A box of track ${id} is on no frame, but on “${attributes['frame'] ?? ''}”.`);
    return null;
  }
  const isOutside = attributes['outside'] === '1';
  const hasMore = children.some((one) => one.name === 'attribute') || attributes['occluded'] === '1';
  if (hasMore && !isOutside) report.lose('attributes');
  const written = ['xtl', 'ytl', 'xbr', 'ybr'].map((edge) => attributes[edge]);
  const straight = written.map((edge) => (edge ? Number(edge) : NaN)) as unknown as Edges;
  const turn = Number(attributes['rotation'] ?? 0);
  if (turn !== 0) report.lose('turned');
  const middle = [(straight[0] + straight[2]) / 2, (straight[1] + straight[3]) / 2] as const;
  const edges = turn === 0 ? straight : boxAroundTurned(straight, turn, middle);
  return { id, label, frame, isKey: attributes['keyframe'] !== '0', isOutside, edges, written };
}

const lostShapes = { polygon: 'polygons', mask: 'masks', polyline: 'lines', points: 'points' } as Readonly<
  Record<string, 'polygons' | 'masks' | 'lines' | 'points'>
>;

/** The box of a track on a frame: the written one, otherwise interpolated. Null if the track is not visible there. */
function rowAt({ rows, byFrame }: CvatTrack, frame: number): Row | null {
  const here = byFrame.get(frame);
  if (here) return here.isOutside ? null : here;
  const after = rows.findIndex((row) => row.frame > frame);
  const before = rows.at(after === -1 ? -1 : after - 1);
  if (after === 0 || !before || before.isOutside) return null;
  const next = after === -1 || rows[after]!.isOutside ? [] : [keyOf(rows[after]!)];
  const { xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized } = trackAt([keyOf(before), ...next], frame)!.corners; // prettier-ignore
  return { ...before, frame, isKey: false, edges: [xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized] };
}

/** A row as a key frame for `trackAt`. Its corners are pixels instead of fractions, which makes no difference for interpolation. */
const keyOf = ({ frame, edges: [xMin, yMin, xMax, yMax] }: Row): KeyFrame => ({
  at: frame,
  box: { xMinNormalized: xMin, yMinNormalized: yMin, xMaxNormalized: xMax, yMaxNormalized: yMax },
  isLast: false,
});

function boxOf(
  { id, label, isKey, edges, written }: Row,
  sizePx: SizePx,
  path: string,
  report: DatasetReport,
): DatasetBox | null {
  const box = acceptBox({ label, corners: partsOf(edges, sizePx), written }, report, path, null);
  return box && { ...box, track: { id, isKey, isLast: false } };
}
