import { describe, expect, it } from 'vitest';
import { memoryBlobStore } from '../data-service/memory-store/memory-blob-store.ts';
import type { BinaryRecord } from '../data-service/ports/capture.ts';
import { AnswerFiles } from './answer-files.ts';

const kibibyte = 1024;

/** Files `0`, `1`, … in a store, and what an answer with them holds. */
async function filesOf(count: number) {
  const blobs = memoryBlobStore({ now: () => 0 });
  const put = async (content: string): Promise<BinaryRecord> => {
    const chunks = (async function* () {
      yield Buffer.from(content);
    })();
    const { address, sizeBytes } = await blobs.put(chunks, new AbortController().signal);
    return { blobAddress: address, sizeBytes } as BinaryRecord;
  };
  const records = await Promise.all(Array.from({ length: count }, (_, n) => put(`${n}`)));
  const opened = { now: 0, most: 0 };
  const watched = {
    async open(address: string) {
      const blob = await blobs.open(address);
      if (blob === null) return null;
      opened.most = Math.max(opened.most, ++opened.now);
      return { ...blob, close: async () => void opened.now-- };
    },
  };
  const held: number[] = [];
  const closing = new AbortController();
  const holdAnswer = async (bytes: number): Promise<void> => void held.push(bytes);
  const files = new AnswerFiles(watched, { closed: closing.signal, holdAnswer });
  return { blobs, records, opened, held, files, close: () => closing.abort(new Error('the client left')) };
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
    const { blobs, records, opened, files } = await filesOf(4);
    await blobs.delete(records[1]!.blobAddress);
    expect(await files.take(records.slice(0, 2))).toEqual([true, false]);
    expect(files.sizes).toHaveLength(1);
    expect(await files.take(records.slice(1))).toEqual([false, true, true]);
    expect(opened.now).toBe(2);
    expect([await textOf(files, 0), await textOf(files, 1)]).toEqual(['2', '3']);
  });

  it('beyond a hundred are opened in their turn', async () => {
    const { blobs, records, opened, held, files } = await filesOf(103);
    expect(await files.take(records)).toEqual(records.map(() => true));
    expect([opened.now, held]).toEqual([100, [(2 * 192 + 100 * 64) * kibibyte]]);
    for (let file = 0; file < 102; file++) expect(await textOf(files, file)).toBe(`${file}`);
    expect(opened).toEqual({ now: 0, most: 100 });
    await blobs.delete(records[102]!.blobAddress);
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
});
