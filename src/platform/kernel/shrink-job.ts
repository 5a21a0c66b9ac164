import { type FrameSize, yuvLayout, type YuvPlanes } from '../../machine/vision/face/frames.ts';
import { layOutSource, writeSource, type Places } from './kernel-source.ts';

const jobFieldCount = 8;
const planeFieldCount = 6;
/** Bytes of an entry in a table of columns, for eight of them. */
const entryBytes = 32;

/** Where everything of one job lies in the kernel's memory, in bytes. */
type ShrinkLayout = ReturnType<typeof layOutShrinkJob>;

/** Lays out a camera's frame that is made smaller. */
export function layOutShrinkJob(planes: YuvPlanes, { widthPx, heightPx }: FrameSize, places: Places) {
  const { place } = places;
  const layOutPlane = ({ widthPx: width, heightPx: height }: FrameSize) => ({
    fields: place(4 * planeFieldCount),
    first: place(halfOf(width, height)),
    second: place(halfOf(width, height)),
    columnTable: place(entryBytes * Math.ceil(widthPx / 8)),
  });
  const chroma = chromaSize(planes);
  const chromaBytes = planes.format === 'nv12' ? chroma.widthPx * chroma.heightPx : 0;
  return {
    source: layOutSource(planes, places),
    luma: layOutPlane(planes),
    u: layOutPlane(chroma),
    v: layOutPlane(chroma),
    /** chroma of pairs, taken apart */
    split: [place(chromaBytes), place(chromaBytes)],
    line: place(planes.widthPx),
    job: place(4 * jobFieldCount),
    out: place(4 * widthPx * heightPx),
  };
}

/** Writes a job with its frame. The order of fields is class ShrinkJob's and class Plane's in assembly/shrink-to-rgba.ts. */
export function writeShrinkJob(buffer: ArrayBuffer, planes: YuvPlanes, size: FrameSize, layout: ShrinkLayout): void {
  writeSource(buffer, planes, layout.source);
  const { pixels } = layout.source;
  const { u, v } = yuvLayout(planes);
  const [splitU, splitV] = layout.split;
  const isSplit = planes.format === 'nv12';
  const writePlane = (bytes: number, { widthPx, heightPx }: FrameSize, plane: ShrinkLayout['luma']) => {
    const { fields, first, second, columnTable } = plane;
    new Uint32Array(buffer, fields, planeFieldCount).set([bytes, widthPx, heightPx, first, second, columnTable]);
  };
  writePlane(pixels, planes, layout.luma);
  writePlane(isSplit ? splitU! : pixels + u, chromaSize(planes), layout.u);
  writePlane(isSplit ? splitV! : pixels + v, chromaSize(planes), layout.v);
  new Uint32Array(buffer, layout.job, jobFieldCount).set([
    layout.source.source,
    size.widthPx,
    size.heightPx,
    layout.luma.fields,
    layout.u.fields,
    layout.v.fields,
    layout.line,
    layout.out,
  ]);
}

function chromaSize({ widthPx, heightPx }: FrameSize): FrameSize {
  return { widthPx: Math.ceil(widthPx / 2), heightPx: Math.ceil(heightPx / 2) };
}

/** The bytes of a plane with one side halved. */
function halfOf(width: number, height: number): number {
  return Math.max(Math.ceil(width / 2) * height, width * Math.ceil(height / 2));
}
