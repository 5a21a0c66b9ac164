import type { InputSpec } from '../../machine/vision/face/feeding.ts';
import { knownNormalization, normalizationBytes, writeNormalization } from './channel-normalization.ts';
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
  const memoryPlaces = memory.startPlaces();
  const { place } = memoryPlaces;
  const { frame, widthPx, heightPx, stretch, spec } = request;
  const paddedWidth = padColumns(widthPx);
  const planesBytes = 3 * 2 * paddedWidth;
  const rowTaps = stretch?.rows.taps ?? 0;
  const places = {
    source: layOutSource(frame, memoryPlaces),
    job: place(4 * jobFieldCount),
    normalizations: place(3 * normalizationBytes),
    columnTable: stretch ? place(stretch.columns.bytes.length) : 0,
    rowTable: stretch ? place(stretch.rows.bytes.length) : 0,
    windowRows: place(4 * rowTaps),
    ring: place(rowTaps * planesBytes),
    planes: place(planesBytes),
    floats: place(3 * 4 * paddedWidth),
    tensor: place((spec.dtype === 'float32' ? 4 : 1) * 3 * widthPx * heightPx),
  };
  return { ...places, paddedWidth, endByte: memoryPlaces.end() };
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
    layout.normalizations,
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
  for (let k = 0; k < 3; k++) {
    const normalization = knownNormalization(spec.mean[k]!, spec.stdDev[k]!);
    writeNormalization(new DataView(buffer, layout.normalizations + k * normalizationBytes), normalization);
  }
}
