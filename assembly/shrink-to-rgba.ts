import { joinRow } from './planar-row';
import { halveColumns, halveRows, shrinkRow, splitPairs, writeColumns } from './shrink-plane';
import { Source } from './source-row';
import { YuvConstants, convertYuvRow, fullChromaRow } from './yuv-row';

/** A plane that is made smaller. Laid out by the loader, as the job: see writeShrinkJob in src/platform/kernel/shrink-job.ts. */
@unmanaged
class Plane {
  bytes: u32;
  width: i32;
  height: i32;
  /** where it lies when it was halved, in turn: each has room for half of it */
  first: u32;
  second: u32;
  columnTable: u32;
}

@unmanaged
class ShrinkJob {
  source: u32;
  width: i32;
  height: i32;
  luma: u32;
  u: u32;
  v: u32;
  /** one row of the widest plane */
  line: u32;
  out: u32;
}

// @ts-ignore: decorator
@inline
function otherPlace(plane: Plane): u32 {
  return plane.bytes == plane.first ? plane.second : plane.first;
}

function halve(address: u32, toWidth: i32, toHeight: i32): Plane {
  const plane = changetype<Plane>(<usize>address);
  while (plane.height >= 2 * toHeight) {
    const out = otherPlace(plane);
    halveRows(plane.bytes, plane.width, plane.height, out);
    plane.bytes = out;
    plane.height = (plane.height + 1) >> 1;
  }
  while (plane.width >= 2 * toWidth) {
    const out = otherPlace(plane);
    halveColumns(plane.bytes, plane.width, plane.height, out);
    plane.bytes = out;
    plane.width = (plane.width + 1) >> 1;
  }
  writeColumns(plane.width, toWidth, plane.columnTable);
  return plane;
}

// @ts-ignore: decorator
@inline
function shrinkPlaneRow(plane: Plane, y: i32, job: ShrinkJob, out: usize): void {
  shrinkRow(plane.bytes, plane.width, plane.height, y, job.height, plane.columnTable, job.width, job.line, out);
}

/** Writes the planes of a camera as opaque RGBA, made smaller. Writes up to 60 bytes past the last row. */
export function shrinkToRgba(address: usize): void {
  const job = changetype<ShrinkJob>(address);
  const source = changetype<Source>(<usize>job.source);
  const constants = changetype<YuvConstants>(<usize>source.yuv);
  if (source.chromaStep == 2) {
    const u = changetype<Plane>(<usize>job.u);
    splitPairs(source.u, u.width * u.height, u.bytes, changetype<Plane>(<usize>job.v).bytes);
  }
  const luma = halve(job.luma, job.width, job.height);
  const u = halve(job.u, job.width, job.height);
  const v = halve(job.v, job.width, job.height);
  const stride = source.stride;
  const bytes = <usize>source.bytes;
  let out = <usize>job.out;
  for (let y = 0; y < job.height; y++, out += 4 * job.width) {
    shrinkPlaneRow(u, y, job, bytes);
    shrinkPlaneRow(v, y, job, bytes + stride);
    fullChromaRow(bytes, bytes + stride, job.width, stride, constants, source.chroma);
    shrinkPlaneRow(luma, y, job, bytes + 2 * stride);
    convertYuvRow(bytes + 2 * stride, job.width, stride, constants, source.chroma, bytes);
    joinRow(bytes, job.width, stride, out);
  }
}
