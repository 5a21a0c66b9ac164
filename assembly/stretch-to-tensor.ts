import { blendRows } from './blend-rows';
import { convertYCbCrRow } from './convert-row';
import { packByteRow, packFloatRow } from './pack-row';
import { isOpaque, premultiplyRow } from './premultiply-row';
import { splitRow, stretchRow } from './stretch-row';

// What the loader lays out in memory, in this order (u32 each): see writeKernelJob in src/platform/kernel-job.ts.
@unmanaged
class Job {
  source: u32;
  sourceWidth: i32;
  sourceHeight: i32;
  ycbcr: u32;
  width: i32;
  /** width rounded up to a multiple of 8: the length of a plane's row on the way */
  paddedWidth: i32;
  height: i32;
  /** 0 = the frame already has the model's size */
  columnTable: u32;
  columnTapGroups: i32;
  rowTable: u32;
  rowTapPairs: i32;
  /** 2 · rowTapPairs stretched rows of three planes */
  ring: u32;
  /** addresses of one window's rows in the ring */
  windowRows: u32;
  /** one row of three planes */
  planes: u32;
  /** one premultiplied source row */
  premultiplied: u32;
  /** three planes of one float32 row */
  floats: u32;
  channels: u32;
  tensor: u32;
  isFloat: u32;
  nhwc: u32;
  bgr: u32;
}

// @ts-ignore: decorator
@inline
function opaqueRow(job: Job, y: i32): usize {
  const row = <usize>job.source + 4 * job.sourceWidth * y;
  if (isOpaque(row, job.sourceWidth)) return row;
  premultiplyRow(row, job.sourceWidth, job.columnTable !== 0, job.premultiplied);
  return job.premultiplied;
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
    packFloatRow(planes, stride, bgr, job.width, job.height, y, nhwc, job.channels, job.floats, job.tensor);
  } else {
    packByteRow(planes, stride, bgr, job.width, job.height, y, nhwc, job.tensor);
  }
}

function packUnstretched(job: Job): void {
  for (let y = 0; y < job.height; y++) {
    splitRow(opaqueRow(job, y), job.paddedWidth, job.planes);
    packRow(job, y);
  }
}

/**
 * Runs a job. Source rows are stretched once, when the first window needs them, into a ring no longer than a window:
 * it stays in the first-level cache, and so does everything up to the tensor.
 */
export function stretchToTensor(address: usize): void {
  const job = changetype<Job>(address);
  if (!job.columnTable) return packUnstretched(job);
  const taps = 2 * job.rowTapPairs;
  const rowLength = 3 * job.paddedWidth;
  const entryBytes: usize = 12 + 4 * job.rowTapPairs;
  let entry: usize = job.rowTable;
  let stretched: i32 = 0;
  for (let y = 0; y < job.height; y++, entry += entryBytes) {
    const start = load<i32>(entry);
    const end = min(start + taps, job.sourceHeight);
    if (stretched < start) stretched = start;
    for (; stretched < end; stretched++) {
      const slot = <usize>job.ring + 2 * rowLength * (stretched % taps);
      stretchRow(opaqueRow(job, stretched), job.columnTable, job.columnTapGroups, job.paddedWidth, slot);
    }
    for (let tap = 0; tap < taps; tap++) {
      store<u32>(<usize>job.windowRows + 4 * tap, job.ring + 2 * rowLength * ((start + tap) % taps));
    }
    blendRows(entry, job.windowRows, job.rowTapPairs, rowLength, job.planes);
    packRow(job, y);
  }
}
