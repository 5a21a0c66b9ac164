import { strToU8, zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentOf, readAll } from '../../src/evidence/datasets/item/content.ts';
import { datasetFormats, type DatasetFormat } from '../../src/evidence/datasets/dataset-formats.ts';
import type { DatasetEntry, DatasetItem, ListedFile } from '../../src/evidence/datasets/item/dataset-item.ts';
import { DatasetReport } from '../../src/evidence/datasets/item/dataset-report.ts';
import { exportDataset } from '../../src/evidence/datasets/export-dataset.ts';
import { importDataset } from '../../src/evidence/datasets/import-dataset.ts';
import { isEmptyFolder, listFiles, listFolder, writeFolder } from '../../src/platform/browser/files/dataset-folder.ts';
import { zipEntries, zipToBlob } from '../../src/platform/browser/files/dataset-zip.ts';
import { listZip } from '../../src/platform/browser/files/list-zip.ts';
import { readStream } from '../../src/base/streams/read-stream.ts';
import { datasetItem, gathered, pngHeader } from '../dataset-fixture.ts';

const formats = Object.keys(datasetFormats) as DatasetFormat[];

const items: readonly DatasetItem[] = ['a b.png', 'ä.png', 'A B.png'].map((fileName, i) =>
  datasetItem({
    fileName,
    contentId: `${i}`,
    content: contentOf(Uint8Array.from([...pngHeader(640, 480), i])),
    boxes: [
      { label: `tür ${i}`, xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: (i + 1) / 4, yMaxNormalized: 1 },
    ],
  }),
);

/** The label of each picture, identified by its last byte because names can change. */
async function labelsOf(listed: readonly ListedFile[]): Promise<Record<number, string | undefined>> {
  const imported = await gathered(importDataset(listed));
  const pairs = imported.map(
    async ({ content, boxes }) => [(await readAll(content, 1e6)).at(-1)!, boxes[0]?.label] as const,
  );
  return Object.fromEntries(await Promise.all(pairs));
}

async function* entriesOf(files: Readonly<Record<string, string | Uint8Array>>): AsyncGenerator<DatasetEntry> {
  for (const [path, content] of Object.entries(files)) {
    yield { path, content: contentOf(typeof content === 'string' ? strToU8(content) : content) };
  }
}

const textIn = async (listed: readonly ListedFile[], path: string) =>
  new TextDecoder().decode(
    await readAll(
      listed.find((file) => file.path === path)!,
      1e6,
    ),
  );

describe('a dataset as a folder', () => {
  // The origin private file system has the same kind of handles as a folder that a person picks.
  let folder: FileSystemDirectoryHandle;
  const folderName = `dataset-${crypto.randomUUID()}`;
  beforeEach(async () => {
    const root = await navigator.storage.getDirectory();
    folder = await root.getDirectoryHandle(folderName, { create: true });
  });
  afterEach(async () => (await navigator.storage.getDirectory()).removeEntry(folderName, { recursive: true }));

  it.each(formats)('comes back from %s', async (format) => {
    expect(await isEmptyFolder(folder)).toBe(true);
    let written = 0;
    await writeFolder(folder, exportDataset(format, items, { datasetName: 'd' }), {
      onWritten: (count) => (written = count),
    });
    expect(await isEmptyFolder(folder)).toBe(false);
    const listed = await listFolder(folder);
    expect(listed).toHaveLength(written);
    expect(await labelsOf(listed)).toEqual({ 0: 'tür 0', 1: 'tür 1', 2: 'tür 2' });
  });

  it('leaves no half file where a picture breaks off', async () => {
    async function* broken(): AsyncGenerator<DatasetEntry> {
      yield* entriesOf({ 'data/whole.txt': 'whole' });
      yield {
        path: 'data/half.txt',
        content: {
          sizeBytes: null,
          async *read() {
            yield strToU8('half');
            throw new Error('the camera is gone');
          },
        },
      };
    }
    await expect(writeFolder(folder, broken())).rejects.toThrow('the camera is gone');
    const sizes = (await listFolder(folder)).map(({ path, sizeBytes }) => [path, sizeBytes]);
    expect(sizes).toContainEqual(['data/whole.txt', 5]);
    expect(sizes).not.toContainEqual(['data/half.txt', 4]);
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    const entries = entriesOf({ a: '1', b: '2', c: '3' });
    const writing = writeFolder(folder, entries, { signal: stop.signal, onWritten: () => stop.abort() });
    await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
    expect((await listFolder(folder)).map(({ path }) => path)).toEqual(['a']);
  });

  it('takes dropped files too', async () => {
    const listed = listFiles([{ file: new File(['hi'], 'a.txt'), path: 'x/a.txt' }]);
    expect(await textIn(listed, 'x/a.txt')).toBe('hi');
  });
});

describe('a dataset as a zip', () => {
  it.each(formats)('comes back from %s', async (format) => {
    const zip = await zipToBlob(exportDataset(format, items, { datasetName: 'd' }));
    expect(zip.type).toBe('application/zip');
    expect(await labelsOf(await listZip(zip))).toEqual({ 0: 'tür 0', 1: 'tür 1', 2: 'tür 2' });
  });

  it('is made while it is read: nothing ahead, one entry open', async () => {
    let made = 0;
    async function* many(): AsyncGenerator<DatasetEntry> {
      for (; made < 1000; made++) yield { path: `${made}.jpg`, content: contentOf(new Uint8Array(65_536)) };
    }
    const reader = zipEntries(many()).getReader();
    let bytes = 0;
    while (bytes < 10 * 65_536) bytes += (await reader.read()).value!.length;
    expect(made).toBeLessThan(14);
    await reader.cancel();
  });

  it('lets go of its entries when nobody reads on', async () => {
    let closed: () => void;
    const closing = new Promise<void>((resolve) => (closed = resolve));
    async function* endless(): AsyncGenerator<DatasetEntry> {
      try {
        for (let i = 0; ; i++) yield { path: `${i}.jpg`, content: contentOf(new Uint8Array(65_536)) };
      } finally {
        closed();
      }
    }
    for await (const _chunk of readStream(zipEntries(endless()))) break;
    await closing;
  });

  it('fails where an entry fails, and when it is told to', async () => {
    async function* failing(): AsyncGenerator<DatasetEntry> {
      throw new Error('no access');
    }
    await expect(zipToBlob(failing())).rejects.toThrow();
    await expect(gathered(readStream(zipEntries(failing())))).rejects.toThrow('no access');
    const stopped = AbortSignal.abort(new Error('enough'));
    await expect(gathered(readStream(zipEntries(entriesOf({ a: 'x' }), stopped)))).rejects.toThrow('enough');
  });

  it('reads what another tool has zipped, and reports paths that lead out', async () => {
    const line = JSON.stringify({ image_path: 'data/a.png' });
    const zip = zipSync({
      'mine/dataset.jsonl': [strToU8(`${line}\n`), { level: 9 }],
      'mine/data/a.png': [pngHeader(100, 50), { level: 0 }],
      '../../evil.png': pngHeader(1, 1),
      '__MACOSX/mine/._dataset.jsonl': strToU8('x'),
    });
    const report = new DatasetReport();
    const found = await gathered(importDataset(await listZip(new Blob([zip])), { report }));
    expect(found.map(({ fileName }) => fileName)).toEqual(['a.png']);
    expect(report.problems).toMatchObject([{ severity: 'error', file: '../../evil.png' }]);
  });

  it('reads only what lies where it looks', async () => {
    const zip = await zipToBlob(entriesOf({ 'a.jpg': new Uint8Array(20_000_000), 'b.txt': 'b' }));
    let sliced = 0;
    const slice = zip.slice.bind(zip);
    zip.slice = (start = 0, end = zip.size, type) => {
      sliced += Math.min(end, zip.size) - start;
      return slice(start, end, type);
    };
    const listed = await listZip(zip);
    expect(await textIn(listed, 'b.txt')).toBe('b');
    expect(sliced).toBeLessThan(500_000);
  });

  it.each([
    ['a text', new Blob(['not a zip at all']), 'not-a-zip'],
    ['nothing', new Blob([]), 'not-a-zip'],
    ['a zip cut off', new Blob([zipSync({ 'a.txt': strToU8('hello') }).subarray(0, 40)]), 'not-a-zip'],
    ['a bomb', new Blob([claimingSize(zipSync({ 'a.json': new Uint8Array(1000) }), 0x7fffffff)]), 'zip-bomb'],
  ])('refuses %s', async (_, blob, code) => {
    await expect(listZip(blob)).rejects.toMatchObject({ name: 'DatasetError', code });
  });

  it('says which file is damaged', async () => {
    const zip = zipSync({ 'a.txt': [strToU8('hello hello'), { level: 0 }] });
    zip[zip.indexOf('h'.charCodeAt(0), 35)]! ^= 1;
    const [file] = await listZip(new Blob([zip]));
    await expect(readAll(file!, 1e6)).rejects.toMatchObject({
      code: 'unreadable-file',
      message: expect.stringMatching(/^a\.txt in the zip is damaged/) as string,
    });
  });

  it('stops at a file that unpacks to more than it says', async () => {
    const zip = claimingSize(zipSync({ 'a.txt': new Uint8Array(1_000_000) }), 10);
    const [file] = await listZip(new Blob([zip]));
    let bytes = 0;
    const reading = (async () => {
      for await (const chunk of file!.read()) bytes += chunk.length;
    })();
    await expect(reading).rejects.toMatchObject({ code: 'unreadable-file' });
    expect(bytes).toBeLessThan(1_000_000);
  });
});

/** Changes the unpacked size in the central directory of a zip with one file (APPNOTE §4.3.12). */
function claimingSize(zip: Uint8Array<ArrayBuffer>, unpackedBytes: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(zip.buffer, zip.byteOffset);
  const directoryAt = view.getUint32(zip.length - 22 + 16, true);
  view.setUint32(directoryAt + 24, unpackedBytes, true);
  return zip;
}
