import { describe, expect, it } from 'vitest';
import { memoryBlobStore } from '../../../tests/memory-store/memory-blob-store.ts';
import type { ByteRange } from '../../data-service/ports/blob-store.ts';
import type { BinaryRecord } from '../../data-service/ports/stored-captures.ts';
import type { FileStores } from '../../data-service/ports/read-file.ts';
import { AnswerFiles } from './answer-files.ts';

const kibibyte = 1024;

/** Files `0`, `1`, … in a store, and what an answer with them holds. */
async function filesOf(contents: readonly string[] | number) {
  const blobs = memoryBlobStore({ now: () => 0 });
  const put = async (content: string): Promise<BinaryRecord> => {
    const chunks = (async function* () {
      yield Buffer.from(content);
    })();
    const { address, sizeBytes, sha256 } = await blobs.put(chunks, new AbortController().signal);
    const record = { id: `o/l/${content.slice(0, 9)}`, organizationId: 'o', blobAddress: address, sizeBytes, sha256 };
    return record as BinaryRecord;
  };
  const texts = typeof contents === 'number' ? Array.from({ length: contents }, (_, n) => `${n}`) : contents;
  const records = await Promise.all(texts.map(put));
  const deleted = new Set<string>();
  const changed = new Set<string>();
  const opened = { now: 0, most: 0 };
  const watched = {
    async open(address: string) {
      const blob = await blobs.open(address);
      if (blob === null) return null;
      opened.most = Math.max(opened.most, ++opened.now);
      return {
        ...blob,
        async read(range: ByteRange) {
          const bytes = await blob.read(range);
          if (changed.has(address) && range.end === blob.sizeBytes) bytes[bytes.length - 1]! ^= 1;
          return bytes;
        },
        close: async () => void opened.now--,
      };
    },
    hash: blobs.hash,
  };
  const store = {
    blobs: { ...blobs, ...watched },
    binary: {
      get: async (_: string, ids: readonly string[]) =>
        ids.map((id) => records.find((record) => record.id === id && !deleted.has(id)) ?? null),
    },
  } as unknown as FileStores;
  const held: number[] = [];
  const closing = new AbortController();
  const holdAnswer = async (bytes: number): Promise<void> => void held.push(bytes);
  const files = new AnswerFiles(store, { closed: closing.signal, holdAnswer }, new Set());
  const remove = async (record: BinaryRecord): Promise<void> => {
    deleted.add(record.id);
    await blobs.delete(record.blobAddress);
  };
  return {
    blobs,
    changed,
    remove,
    records,
    opened,
    held,
    files,
    close: () => closing.abort(new Error('the client left')),
  };
}

async function textOf(files: AnswerFiles, file: number): Promise<string> {
  let text = '';
  for await (const bytes of files.bytesOf(file)) text += Buffer.from(bytes).toString();
  return text;
}

describe('the files of an answer', () => {
  it('hold memory by how many are open, and give it up one by one', async () => {
    const { records, opened, held, files, close } = await filesOf(3);
    expect(files.sizes).toBeNull();
    expect(await files.take(records)).toEqual([true, true, true]);
    expect(held).toEqual([(2 * 192 + 3 * 64) * kibibyte]);
    expect([files.sizes, opened.now]).toEqual([[1, 1, 1], 3]);
    expect(await textOf(files, 1)).toBe('1');
    expect(opened.now).toBe(2);
    close();
    expect(opened.now).toBe(0);
  });

  it('are those that are there, also of a page that takes the place of another', async () => {
    const { remove, records, opened, files } = await filesOf(4);
    await remove(records[1]!);
    expect(await files.take(records.slice(0, 2))).toEqual([true, false]);
    expect(files.sizes).toHaveLength(1);
    expect(await files.take(records.slice(1))).toEqual([false, true, true]);
    expect(opened.now).toBe(2);
    expect([await textOf(files, 0), await textOf(files, 1)]).toEqual(['2', '3']);
  });

  it('beyond a hundred are opened in their turn', async () => {
    const { remove, records, opened, held, files } = await filesOf(103);
    expect(await files.take(records)).toEqual(records.map(() => true));
    expect([opened.now, held]).toEqual([100, [(2 * 192 + 100 * 64) * kibibyte]]);
    for (let file = 0; file < 102; file++) expect(await textOf(files, file)).toBe(`${file}`);
    expect(opened).toEqual({ now: 0, most: 100 });
    await remove(records[102]!);
    await expect(textOf(files, 102)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('that were being opened when the client left are closed', async () => {
    const { records, opened, files, close } = await filesOf(3);
    const taking = files.take(records);
    close();
    await expect(taking).rejects.toThrow('the client left');
    expect(opened.now).toBe(0);
  });

  it('of another size than their rows say are damage, and what was opened is closed with the answer', async () => {
    const { records, opened, files, close } = await filesOf(2);
    await expect(files.take([records[0]!, { ...records[1]!, sizeBytes: 7 }])).rejects.toMatchObject({
      code: 'damaged',
    });
    close();
    expect(opened.now).toBe(0);
  });

  it('may be entries whose bytes are left out', async () => {
    const { records, opened, files } = await filesOf(3);
    expect(await files.take([records[0]!, null, records[2]!])).toEqual([true, true, true]);
    expect([files.sizes, opened.now]).toEqual([[1, 0, 1], 2]);
    expect([await textOf(files, 0), await textOf(files, 1), await textOf(files, 2)]).toEqual(['0', '', '2']);
  });

  it('whose bytes are lost, while their rows are there, are damage', async () => {
    const { blobs, records, files } = await filesOf(2);
    await blobs.delete(records[1]!.blobAddress);
    await expect(files.take(records)).rejects.toMatchObject({ code: 'damaged', subject: records[1]!.id });
  });

  it('with other bytes than were stored are damage before the answer begins', async () => {
    const { records, changed, files } = await filesOf(2);
    changed.add(records[1]!.blobAddress);
    await expect(files.take(records)).rejects.toMatchObject({ code: 'damaged', subject: records[1]!.id });
  });

  it('that are damaged are entries without bytes for whoever wants to know of them', async () => {
    const { blobs, records, changed, files } = await filesOf(4);
    await blobs.delete(records[0]!.blobAddress);
    changed.add(records[2]!.blobAddress);
    const damaged: string[] = [];
    expect(await files.take(records, ({ subject }) => damaged.push(subject))).toEqual([true, true, true, true]);
    expect(damaged).toEqual([records[0]!.id, records[2]!.id]);
    expect(files.sizes).toEqual([0, 1, 0, 1]);
    expect([await textOf(files, 0), await textOf(files, 1), await textOf(files, 2)]).toEqual(['', '1', '']);
  });

  it('of more than a megabyte fail before their last bytes, and the next time before the answer begins', async () => {
    const content = 'x'.repeat(2 ** 20 + 1);
    const { records, changed, opened, files, close } = await filesOf([content]);
    changed.add(records[0]!.blobAddress);
    expect(await files.take(records)).toEqual([true]);
    let given = 0;
    const drawn = (async () => {
      for await (const bytes of files.bytesOf(0)) given += bytes.length;
    })();
    await expect(drawn).rejects.toMatchObject({ code: 'damaged', subject: records[0]!.id });
    expect(given).toBeLessThan(content.length);
    await expect(files.take(records)).rejects.toMatchObject({ code: 'damaged' });
    changed.clear(); // a backup has brought it back
    expect(await files.take(records)).toEqual([true]);
    expect(await textOf(files, 0)).toBe(content);
    close();
    expect(opened.now).toBe(0);
  });
});
