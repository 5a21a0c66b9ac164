import type { FrameSize } from '../../../machine/vision/face/frames.ts';

// Uncompressed frames with their times, as Matroska (RFC 9559) that is written without seeking: raw video alone has no times.

/** @returns what stands before the first frame: RGBA frames of one size, times in µs */
export function matroskaStart({ widthPx, heightPx }: FrameSize): Uint8Array {
  const video = element([0xe0], [
    element([0xb0], number(widthPx)),
    element([0xba], number(heightPx)),
    element([0x2e, 0xb5, 0x24], text('RGBA')),
  ]); // prettier-ignore
  const track = element([0xae], [
    element([0xd7], number(1)),
    element([0x73, 0xc5], number(1)),
    element([0x83], number(1)),
    element([0x86], text('V_UNCOMPRESSED')),
    video,
  ]); // prettier-ignore
  const info = element([0x15, 0x49, 0xa9, 0x66], [
    element([0x2a, 0xd7, 0xb1], number(1000)),
    element([0x4d, 0x80], text('Sightglass')),
    element([0x57, 0x41], text('Sightglass')),
  ]); // prettier-ignore
  return Buffer.concat([
    element([0x1a, 0x45, 0xdf, 0xa3], [element([0x42, 0x82], text('matroska'))]),
    Uint8Array.of(0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), // a segment of unknown size
    info,
    element([0x16, 0x54, 0xae, 0x6b], [track]),
  ]);
}

/**
 * @param timeMs not before that of the frame before
 * @param sampleBytes how long its samples are
 * @returns what stands before the frame's samples
 */
export function matroskaFrame(timeMs: number, sampleBytes: number): Uint8Array {
  const time = element([0xe7], number(Math.round(timeMs * 1000)));
  const block = Uint8Array.of(0x81, 0, 0, 0x80); // track 1, at the cluster's time, a key frame
  const blockHead = Buffer.concat([Uint8Array.of(0xa3), size(block.length + sampleBytes)]);
  const clusterBytes = time.length + blockHead.length + block.length + sampleBytes;
  return Buffer.concat([Uint8Array.of(0x1f, 0x43, 0xb6, 0x75), size(clusterBytes), time, blockHead, block]);
}

function element(id: readonly number[], content: Uint8Array | readonly Uint8Array[]): Uint8Array {
  const bytes = content instanceof Uint8Array ? content : Buffer.concat(content);
  return Buffer.concat([Uint8Array.from(id), size(bytes.length), bytes]);
}

/** A size of eight bytes: 56 bits behind a marker. */
function size(bytes: number): Uint8Array {
  const written = number(bytes);
  written[0] = 0x01;
  return written;
}

function number(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
