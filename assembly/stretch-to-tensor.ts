import { blendRows, blendToFloats } from './blend-rows';
import { convertYCbCrRow } from './convert-row';
import { NORMALIZATION_BYTES, Normalization } from './normalization';
import { interleaveFloats, packByteRow, packFloatRow } from './pack-row';
import { joinRow, widenRow } from './planar-row';
import { Source, takeRow } from './source-row';
import { stretchFar, stretchNear, stretchToHalf } from './stretch-row';

/** How columns are stretched: the numbers of `ColumnTable` in src/platform/kernel/column-table.ts. */
const AS_THEY_ARE: u32 = 0;
const TO_HALF: u32 = 1;
const NEAR: u32 = 2;

// What the loader lays out in memory, in this order (u32 each): see writeKernelJob in src/platform/kernel/kernel-job.ts.
@unmanaged
class Job {
  source: u32;
  ycbcr: u32;
  width: i32;
  /** width rounded up to a multiple of 8: the length of a plane's row on the way */
  paddedWidth: i32;
  height: i32;
  columns: u32;
  columnTable: u32;
  /** pairs of taps, or of far windows groups of eight */
  columnTaps: i32;
  rowTable: u32;
  rowTapPairs: i32;
  /** 2 · rowTapPairs stretched rows of three planes */
  ring: u32;
  /** addresses of one window's rows in the ring */
  windowRows: u32;
  /** one row of three planes */
  planes: u32;
  /** three planes of one float32 row */
  floats: u32;
  /** one for each channel of the tensor */
  normalizations: u32;
  tensor: u32;
  isFloat: u32;
  nhwc: u32;
  bgr: u32;
}

// @ts-ignore: decorator
@inline
function packRow(job: Job, y: i32): void {
  const planes = <usize>job.planes;
  const stride = job.paddedWidth;
  if (job.ycbcr) convertYCbCrRow(planes, stride);
  const bgr = job.bgr !== 0;
  const nhwc = job.nhwc !== 0;
  if (job.isFloat) {
    packFloatRow(planes, stride, bgr, job.width, job.height, y, nhwc, job.normalizations, job.floats, job.tensor);
  } else {
    packByteRow(planes, stride, bgr, job.width, job.height, y, nhwc, job.tensor);
  }
}

/** The last pass of a row whose colours are the tensor's: blended and packed in one. */
function blendFloatRow(job: Job, entry: usize, y: i32): void {
  const stride = job.paddedWidth;
  const tensor = <usize>job.tensor;
  const rowBytes: usize = 4 * job.width;
  const floatBytes: usize = 4 * stride;
  const floats = <usize>job.floats;
  // Where rows are no multiple of eight long, the last eight columns would reach into the next one.
  const isInPlace = !job.nhwc && job.width == stride;
  for (let k: i32 = 0; k < 3; k++) {
    const plane = 2 * stride * (job.bgr ? 2 - k : k);
    const row = tensor + rowBytes * (k * job.height + y);
    const out = isInPlace ? row : floats + floatBytes * k;
    const normalization = changetype<Normalization>(<usize>job.normalizations + NORMALIZATION_BYTES * k);
    blendToFloats(entry, job.windowRows, job.rowTapPairs, plane, stride, normalization, out);
    if (!isInPlace && !job.nhwc) memory.copy(row, out, rowBytes);
  }
  if (job.nhwc) {
    interleaveFloats(floats, floats + floatBytes, floats + 2 * floatBytes, job.width, tensor + 3 * rowBytes * y);
  }
}

function packUnstretched(job: Job, source: Source): void {
  for (let y = 0; y < job.height; y++) {
    takeRow(source, y, false);
    widenRow(source.bytes, source.stride, job.paddedWidth, job.planes);
    packRow(job, y);
  }
}

// @ts-ignore: decorator
@inline
function stretchColumns(job: Job, source: Source, planes: usize): void {
  const bytes = <usize>source.bytes;
  const table = <usize>job.columnTable;
  if (job.columns == TO_HALF) stretchToHalf(bytes, source.width, source.stride, job.paddedWidth, planes);
  else if (job.columns == NEAR) stretchNear(bytes, source.stride, table, job.columnTaps, job.paddedWidth, planes);
  else stretchFar(bytes, source.stride, table, job.columnTaps, job.paddedWidth, planes);
}

/**
 * Runs a job. Source rows are converted and stretched once, when the first window needs them, into a ring no longer than a window:
 * it stays in the first-level cache, and so does everything up to the tensor.
 */
export function stretchToTensor(address: usize): void {
  const job = changetype<Job>(address);
  const source = changetype<Source>(<usize>job.source);
  if (job.columns == AS_THEY_ARE) return packUnstretched(job, source);
  const taps = 2 * job.rowTapPairs;
  const rowLength = 3 * job.paddedWidth;
  const entryBytes: usize = 12 + 4 * job.rowTapPairs;
  let entry: usize = job.rowTable;
  let stretched: i32 = 0;
  for (let y = 0; y < job.height; y++, entry += entryBytes) {
    const start = load<i32>(entry);
    const end = min(start + taps, source.height);
    if (stretched < start) stretched = start;
    for (; stretched < end; stretched++) {
      takeRow(source, stretched, true);
      stretchColumns(job, source, <usize>job.ring + 2 * rowLength * (stretched % taps));
    }
    for (let tap = 0; tap < taps; tap++) {
      store<u32>(<usize>job.windowRows + 4 * tap, job.ring + 2 * rowLength * ((start + tap) % taps));
    }
    if (job.isFloat && !job.ycbcr) {
      blendFloatRow(job, entry, y);
    } else {
      blendRows(entry, job.windowRows, job.rowTapPairs, rowLength, job.planes);
      packRow(job, y);
    }
  }
}

/** Converts rows `from` to `to` of a frame to opaque RGBA, from `out` on. Writes up to 60 bytes past the last one. */
export function convertRows(address: usize, from: i32, to: i32, out: usize): void {
  const source = changetype<Source>(address);
  const rowBytes: usize = 4 * source.width;
  for (let y = from; y < to; y++, out += rowBytes) {
    takeRow(source, y, false);
    joinRow(source.bytes, source.width, source.stride, out);
  }
}

export { markRows } from './mark-pixels';
export { shrinkToRgba } from './shrink-to-rgba';
