import type { InputSpec } from '../vision/preprocess/input-spec.ts';
import { normalizedBytes } from '../vision/preprocess/pack-tensor.ts';
import type { ColumnTable } from './column-table.ts';
import type { KernelMemory } from './kernel-memory.ts';
import { layOutSource, writeSource, type KernelFrame } from './kernel-source.ts';
import type { WeightTable } from './weight-table.ts';

/** What the kernel is asked to do, its tables included. */
export interface KernelRequest {
  readonly frame: KernelFrame;
  readonly widthPx: number;
  readonly heightPx: number;
  /** null = the frame has the model's size already */
  readonly stretch: { readonly columns: ColumnTable; readonly rows: WeightTable } | null;
  readonly spec: Pick<InputSpec, 'dtype' | 'layout' | 'bgr' | 'mean' | 'stdDev'>;
}

/** Where everything of one job lies in the kernel's memory, in bytes. */
export type KernelLayout = ReturnType<typeof layOutKernelJob>;

const jobFieldCount = 19;

/** Columns are worked on eight at a time. */
export const padColumns = (widthPx: number) => Math.ceil(widthPx / 8) * 8;

export function layOutKernelJob(request: KernelRequest, memory: KernelMemory) {
  const { place, end } = memory.startPlaces();
  const { frame, widthPx, heightPx, stretch, spec } = request;
  const paddedWidth = padColumns(widthPx);
  const planesBytes = 3 * 2 * paddedWidth;
  const rowTaps = stretch?.rows.taps ?? 0;
  const places = {
    source: layOutSource(frame, place),
    job: place(4 * jobFieldCount),
    channels: place(3 * 12),
    columnTable: stretch ? place(stretch.columns.bytes.length) : 0,
    rowTable: stretch ? place(stretch.rows.bytes.length) : 0,
    windowRows: place(4 * rowTaps),
    ring: place(rowTaps * planesBytes),
    planes: place(planesBytes),
    floats: place(3 * 4 * paddedWidth),
    tensor: place((spec.dtype === 'float32' ? 4 : 1) * 3 * widthPx * heightPx),
  };
  return { ...places, paddedWidth, endByte: end() };
}

/** Writes a job with its frame. The order of fields is class Job's in assembly/stretch-to-tensor.ts. */
export function writeKernelJob(buffer: ArrayBuffer, request: KernelRequest, layout: KernelLayout): void {
  const { frame, stretch, spec } = request;
  writeSource(buffer, frame, layout.source);
  const fields = [
    layout.source.source,
    frame.format === 'ycbcr8' ? 1 : 0,
    request.widthPx,
    layout.paddedWidth,
    request.heightPx,
    stretch?.columns.kind ?? 0,
    layout.columnTable,
    stretch?.columns.taps ?? 0,
    layout.rowTable,
    (stretch?.rows.taps ?? 0) / 2,
    layout.ring,
    layout.windowRows,
    layout.planes,
    layout.floats,
    layout.channels,
    layout.tensor,
    spec.dtype === 'float32' ? 1 : 0,
    spec.layout === 'nhwc' ? 1 : 0,
    spec.bgr ? 1 : 0,
  ];
  new Uint32Array(buffer, layout.job, jobFieldCount).set(fields);
  const bytes = new Uint8Array(buffer);
  if (stretch) {
    bytes.set(stretch.columns.bytes, layout.columnTable);
    bytes.set(stretch.rows.bytes, layout.rowTable);
  }
  const view = new DataView(buffer, layout.channels);
  for (let k = 0; k < 3; k++) {
    const { mean, scale, divides } = knownConstants(spec.mean[k]!, spec.stdDev[k]!);
    view.setFloat32(12 * k, mean, true);
    view.setFloat32(12 * k + 4, scale, true);
    view.setUint32(12 * k + 8, divides ? 1 : 0, true);
  }
}

type ChannelConstants = ReturnType<typeof channelConstants>;

const constantsKept = 32;
const constants = new Map<string, ChannelConstants>();

/** Every frame of a model asks for the same, and finding them tries all bytes. */
function knownConstants(mean: number, stdDev: number): ChannelConstants {
  const key = `${mean} ${stdDev}`;
  const known = constants.get(key);
  if (known) return known;
  const found = channelConstants(mean, stdDev);
  if (constants.size >= constantsKept) constants.clear();
  constants.set(key, found);
  return found;
}

/** A division is slow: `scale` is 1/stdDev where that gives the same 256 results as dividing, else stdDev. */
export function channelConstants(mean: number, stdDev: number) {
  const mean32 = Math.fround(mean);
  const inverse = Math.fround(1 / Math.fround(stdDev));
  const multiplies = normalizedBytes(mean, stdDev).every((expected, byte) =>
    Object.is(Math.fround(Math.fround(Math.fround(byte / 255) - mean32) * inverse), expected),
  );
  return { mean: mean32, scale: multiplies ? inverse : Math.fround(stdDev), divides: !multiplies };
}
