import { expect, it } from 'vitest';
import { readHuffmanTables, type HuffmanTables } from './huffman-tables.ts';

it('lays the codes of a table that has too many over the first ones, as the machine does', () => {
  const tables: HuffmanTables = { dc: [], ac: [] };
  // Three codes of one bit, where two can be: the third one comes to lie over the first.
  const counts = [3, ...Array<number>(15).fill(0)];
  readHuffmanTables(Uint8Array.of(0x00, ...counts, 5, 6, 7), tables, true);
  const { lookup } = tables.dc[0]!;
  expect([lookup[0], lookup[127], lookup[128], lookup[255]]).toEqual([0x701, 0x701, 0x601, 0x601]);
});
