import {
  isYuvFrame,
  type ReadFrame,
  yuvLayout,
  type YuvMatrix,
  type YuvPlanes,
} from '../../machine/vision/face/frames.ts';

/** A frame that the kernel takes: four bytes a pixel, or the planes of a camera. */
export type KernelFrame = Exclude<ReadFrame, { format: 'rgba16' }> | YuvPlanes;

export type Bytes = Uint8Array<ArrayBuffer> | Uint8ClampedArray<ArrayBuffer>;

/** Hands out the kernel's memory for one job. */
export interface Places {
  /** Gives room for so many bytes: its address. */
  place(byteLength: number): number;
  /** Where bytes lie that are in this memory already; null of all others. */
  keptAt(bytes: Bytes): number | null;
  /** the first byte that nobody has */
  end(): number;
}

/** Where a frame and what is needed to take its rows apart lie in the kernel's memory, in bytes. */
export type SourceLayout = ReturnType<typeof layOutSource>;

const fieldCount = 14;
const constantCount = 8;
const noRow = 0xffff_ffff;

export function layOutSource(frame: KernelFrame, { place, keptAt }: Places) {
  const isYuv = isYuvFrame(frame);
  // Rows are worked on 16 pixels at a time, and a row has room on both sides for the pixels that go on beyond an edge.
  const stride = 16 * Math.ceil(frame.widthPx / 16) + 16;
  const bytes = bytesOf(frame);
  const kept = keptAt(bytes);
  return {
    stride,
    isKept: kept !== null,
    pixels: kept ?? place(bytes.length),
    source: place(4 * fieldCount),
    constants: isYuv ? place(2 * constantCount) : 0,
    chroma: isYuv ? place(3 * 2 * stride) : 0,
    premultiplied: isYuv ? 0 : place(4 * frame.widthPx),
    bytes: place(16 + 3 * stride) + 16,
  };
}

/** Writes a frame for the kernel. The order of fields is class Source's in assembly/source-row.ts. */
export function writeSource(buffer: ArrayBuffer, frame: KernelFrame, layout: SourceLayout): void {
  const { widthPx, heightPx } = frame;
  const fields = isYuvFrame(frame) ? yuvFields(frame, layout) : [4 * widthPx, 0, 0, 0, 0, 0];
  if (!layout.isKept) new Uint8Array(buffer).set(bytesOf(frame), layout.pixels);
  new Uint32Array(buffer, layout.source, fieldCount).set([
    widthPx,
    heightPx,
    layout.stride,
    layout.pixels,
    ...fields,
    layout.chroma,
    noRow,
    layout.premultiplied,
    layout.bytes,
  ]);
  if (isYuvFrame(frame)) new Int16Array(buffer, layout.constants, constantCount).set(constantsOf(frame.matrix));
}

function bytesOf(frame: KernelFrame): Bytes {
  return 'planes' in frame ? frame.planes : frame.samples;
}

function yuvFields(frame: YuvPlanes, { pixels, constants }: SourceLayout): readonly number[] {
  const { u, v, chromaStride, chromaStep } = yuvLayout(frame);
  return [frame.widthPx, constants, pixels + u, pixels + v, chromaStride, chromaStep];
}

/** The order is class YuvConstants' in assembly/yuv-row.ts. */
function constantsOf({ scale, bias, redOfV, greenOfU, greenOfV, blueOfU }: YuvMatrix): readonly number[] {
  const factor = 257 * scale;
  return [factor >> 16, (factor >> 8) & 0xff, factor & 0xff, bias, blueOfU, greenOfU, greenOfV, redOfV];
}
