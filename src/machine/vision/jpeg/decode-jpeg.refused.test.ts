import { describe, expect, it } from 'vitest';
import { decoded, three } from '../../../../tests/decoded-jpeg.ts';
import { flatJpeg, segment } from '../../../../tests/flat-jpeg.ts';

describe('what is refused', () => {
  const frameOf = (...body: number[]) => Uint8Array.from([0xff, 0xd8, ...segment(0xc0, body), 0xff, 0xd9]);
  const components = (...factors: number[]) => factors.flatMap((factor, k) => [k + 1, factor, 0]);
  const flat = [...flatJpeg()];
  const before = (marker: number, ...bytes: number[]) => {
    const at = flat.lastIndexOf(marker) - 1;
    return Uint8Array.from([...flat.slice(0, at), ...bytes, ...flat.slice(at)]);
  };
  it.each([
    ['damaged', 'begin', Uint8Array.of(0x89, 0x50)],
    ['damaged', 'no scan', Uint8Array.of(0xff, 0xd8, 0xff, 0xd9)],
    ['damaged', 'no scan', frameOf(8, 0, 8, 0, 8, 1, 1, 0x11, 0)],
    ['damaged', 'ends after', Uint8Array.of(0xff, 0xd8)],
    ['damaged', 'ends after', flatJpeg().subarray(0, -2)],
    ['damaged', 'segment of 1', Uint8Array.of(0xff, 0xd8, 0xff, 0xfe, 0, 1)],
    ['damaged', 'FF02 in place', before(0xda, 0xff, 0x02, 0, 2)],
    ['damaged', 'two frame headers', before(0xda, ...segment(0xc0, [8, 0, 8, 0, 16, 1, 1, 0x11, 0]))],
    ['damaged', 'before its frame header', Uint8Array.of(0xff, 0xd8, ...segment(0xda, [1, 1, 0, 0, 63, 0]))],
    ['damaged', 'says 1 components', frameOf(8, 0, 8, 0, 8, 1, ...components(0x11, 0x11, 0x11))],
    ['damaged', 'id 1', frameOf(8, 0, 8, 0, 8, 3, 1, 0x11, 0, 1, 0x11, 0, 3, 0x11, 0)],
    ['damaged', 'quantization table 4', frameOf(8, 0, 8, 0, 8, 1, 1, 0x11, 4)],
    ['damaged', 'sampled 0×1', frameOf(8, 0, 8, 0, 8, 1, 1, 0x01, 0)],
    ['damaged', 'sampled 1×5', frameOf(8, 0, 8, 0, 8, 1, 1, 0x15, 0)],
    ['damaged', 'quantization table 4', before(0xda, ...segment(0xdb, [4, ...Array.from({ length: 64 }, () => 1)]))],
    ['damaged', 'precision 2', before(0xda, ...segment(0xdb, [0x20, 0, 0, 0]))],
    ['damaged', '3 bytes for', before(0xda, ...segment(0xdb, [0, 1, 2, 3]))],
    ['damaged', 'of class 2', before(0xda, ...segment(0xc4, [0x20, 1, ...new Uint8Array(15), 0]))],
    ['damaged', 'Huffman table 4; 3', Uint8Array.of(0xff, 0xd8, ...segment(0xc4, [4, 1, ...new Uint8Array(15), 0]))],
    ['damaged', 'Huffman table 2; 1', before(0xda, ...segment(0xc4, [0x02, 1, ...new Uint8Array(15), 0]))],
    ['damaged', 'of 0 codes', before(0xda, ...segment(0xc4, [0x00, ...new Uint8Array(16)]))],
    ['damaged', 'of 510 codes', before(0xda, ...segment(0xc4, [0x00, 255, 255, ...new Uint8Array(14 + 510)]))],
    ['damaged', 'ends after 3', before(0xda, ...segment(0xc4, [0x00, 1, 0, 0]))],
    ['damaged', '1 symbols', before(0xda, ...segment(0xc4, [0x00, 2, ...new Uint8Array(15), 0]))],
    ['damaged', 'interval of 3', before(0xda, ...segment(0xdd, [0, 0, 0]))],
    ['damaged', 'for 2 of its 1', before(0xda, ...segment(0xda, [2, 1, 0, 2, 0, 0, 63, 0]))],
    ['damaged', 'for 1 of its 1', before(0xda, ...segment(0xda, [1, 1, 0, 0, 63, 0, 0]))],
    ['damaged', 'a component 9', before(0xda, ...segment(0xda, [1, 9, 0, 0, 63, 0]))],
    ['damaged', 'tables 2 and 0', before(0xda, ...segment(0xda, [1, 1, 0x20, 0, 63, 0]))],
    ['damaged', 'tables 0 and 2', before(0xda, ...segment(0xda, [1, 1, 0x02, 0, 63, 0]))],
    ['damaged', 'does not define', before(0xda, ...segment(0xda, [1, 1, 0x11, 0, 63, 0]))],
    ['damaged', 'scan ends early', Uint8Array.from([...flat.slice(0, -4), 0xff, 0xd9])],
    ['unsupported-format', '12 bits', frameOf(12, 0, 8, 0, 8, 1, 1, 0x11, 0)],
    ['unsupported-format', 'no 1, 3 or 4', frameOf(8, 0, 8, 0, 8, 2, ...components(0x11, 0x11))],
    ['unsupported-format', 'sampled 3×1', frameOf(8, 0, 8, 0, 8, 1, 1, 0x31, 0)],
    ['unsupported-format', 'sampled 1×4', frameOf(8, 0, 8, 0, 8, 3, ...components(0x14, 0x11, 0x11))],
    ['unsupported-format', 'sampled 2×1', frameOf(8, 0, 8, 0, 8, 3, ...components(0x11, 0x21, 0x21))],
    ['unsupported-format', 'sampled 1×2', frameOf(8, 0, 8, 0, 8, 3, ...components(0x22, 0x11, 0x12))],
    ['unsupported-format', 'sampled 2×1', frameOf(8, 0, 8, 0, 8, 4, ...components(0x21, 0x11, 0x11, 0x21))],
    ['unsupported-format', 'sampled 4×4', frameOf(8, 0, 8, 0, 8, 4, ...components(0x44, 0x11, 0x11, 0x44))],
    ['unsupported-format', 'sampled 2×2', frameOf(8, 0, 8, 0, 8, 4, ...components(0x22, 0x22, 0x11, 0x22))],
    ['unsupported-format', 'sampled 1×1', frameOf(8, 0, 8, 0, 8, 4, ...components(0x22, 0x11, 0x11, 0x11))],
    ['unsupported-format', 'no Adobe', flatJpeg({ components: [1, 2, 3, 4].map((id) => ({ id, level: () => 1 })) })],
    ['unsupported-format', 'lossless', before(0xda, ...segment(0xc3, [8, 0, 8, 0, 8, 1, 1, 0x11, 0]))],
    ['unsupported-format', 'arithmetic', before(0xda, ...segment(0xc9, [8, 0, 8, 0, 8, 1, 1, 0x11, 0]))],
    ['unsupported-format', 'arithmetic', before(0xda, ...segment(0xcc, [0, 1]))],
    ['unsupported-format', 'arithmetic', before(0xda, ...segment(0xcf, [0]))],
    ['unsupported-format', 'lossless or hierarchical', before(0xda, ...segment(0xc7, [0]))],
    ['unsupported-format', 'uses an extension', before(0xda, ...segment(0xc8, [0]))],
    ['unsupported-format', 'uses an extension', before(0xda, ...segment(0xdd + 1, [0]))],
    ['damaged', 'FFBF in place', before(0xda, ...segment(0xbf, [0]))],
    ['damaged', 'FF0A in place', before(0xda, ...segment(0x0a, [0]))],
    ['unsupported-format', 'number of lines', before(0xd9, ...segment(0xdc, [0, 8]))],
    ['unsupported-format', 'extension', before(0xda, ...segment(0xf0, [0]))],
  ])('refuses as %s, by "%s"', (code, words, bytes) => {
    expect(() => decoded(bytes)).toThrow(
      expect.objectContaining({ name: 'JpegError', code, message: expect.stringContaining(words) }),
    );
  });

  it('refuses more than ten blocks in a unit of a scan', () => {
    const components = [1, 2, 3].map((id) => ({ id, blocksWide: 2, blocksHigh: 2, level: () => 1 }));
    expect(() => decoded(flatJpeg({ components }))).toThrow('12 blocks');
  });

  it.each([
    ['0 to 5', 0, 5, 0, 1],
    ['6 to 5', 6, 5, 0, 1],
    ['1 to 64', 1, 64, 0, 1],
    ['1 to 5', 1, 5, 0, 3],
    ['bit 3 to bit 1', 1, 5, 0x31, 1],
  ])('refuses a progressive scan of %s', (words, first, last, approximation, count) => {
    const bytes = [...flatJpeg({ components: three([1, 2, 3]), frameMarker: 0xc2 })];
    const scan = bytes.lastIndexOf(0xda) - 1;
    const selectors = [1, 0, 2, 0, 3, 0].slice(0, 2 * count);
    const header = segment(0xda, [count, ...selectors, first, last, approximation]);
    expect(() => decoded(Uint8Array.from([...bytes.slice(0, scan), ...header, 0xff, 0xd9]))).toThrow(words);
  });
});
