import { describe, expect, it } from 'vitest';
import { writeFlatbuffer } from './write-flatbuffer.ts';
import { FlatTable } from './flat-table.ts';

describe('FlatTable', () => {
  it('reads fields by their number, and defaults for those left out', () => {
    const bytes = writeFlatbuffer(
      [{ int8: -3 }, { int32: -70_000 }, undefined, { text: 'é' }, { float32s: [0.5] }, { int64s: [-9, 2 ** 40] }],
      'TEST',
    );
    const table = FlatTable.root(bytes);
    expect([table.int8(0), table.int32(1), table.uint32(1), table.string(3)]).toEqual([
      -3,
      -70_000,
      2 ** 32 - 70_000,
      'é',
    ]);
    expect([table.float32s(4), table.int64s(5)]).toEqual([[0.5], [-9, 2 ** 40]]);
    expect([table.int32(2, 7), table.int32(99, 7), table.string(2), table.int32s(2), table.table(2)]).toEqual([
      7,
      7,
      '',
      [],
      null,
    ]);
  });

  it('refuses a list that is longer than the file', () => {
    const bytes = writeFlatbuffer([{ int32s: [1, 2, 3] }], 'TEST');
    const at = FlatTable.root(bytes).listAt(0);
    new DataView(bytes.buffer).setUint32(at, 2 ** 31, true);
    expect(() => FlatTable.root(bytes).int32s(0)).toThrow(`of ${bytes.length}`);
  });

  it('does not read one long list again and again', () => {
    const ones = Array.from({ length: 1000 }, () => 1);
    const bytes = writeFlatbuffer([{ tables: [[{ int32s: ones }], ...ones.map(() => [])] }], 'TEST');
    const view = new DataView(bytes.buffer);
    const list = FlatTable.root(bytes).listAt(0);
    const first = list + 4 + view.getUint32(list + 4, true);
    expect(
      FlatTable.root(bytes)
        .tables(0)
        .flatMap((table) => table.int32s(0)),
    ).toHaveLength(1000);
    for (let i = 1; i <= 1000; i++) view.setUint32(list + 4 + 4 * i, first - (list + 4 + 4 * i), true);
    expect(() =>
      FlatTable.root(bytes)
        .tables(0)
        .flatMap((table) => table.int32s(0)),
    ).toThrow('again and again');
  });
});
