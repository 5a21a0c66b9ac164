import { strFromU8, strToU8, unzipSync } from 'fflate'; // another's reader
import { expect, it } from 'vitest';
import { readZipDirectory, type ZippedFile } from '../../evidence/datasets/files/zip-directory.ts';
import { readStream } from './read-stream.ts';
import { zipOf, type FileToZip } from './zip-files.ts';

async function* bytesOf(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
const fileOf = (path: string, text: string, isCompressed = false): FileToZip => ({
  path,
  content: bytesOf(strToU8(text)),
  isCompressed,
});

async function written(files: Parameters<typeof zipOf>[0]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readStream(zipOf(files))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

it('stores what is compressed already, and deflates everything else', async () => {
  const text = 'again and '.repeat(100);
  const zip = await written([fileOf('stored', text, true), fileOf('deflated/é', text), fileOf('empty', '')]);
  expect(Object.entries(unzipSync(zip)).map(([path, bytes]) => [path, strFromU8(bytes)])).toEqual([
    ['stored', text],
    ['deflated/é', text],
    ['empty', ''],
  ]);
  expect(strFromU8(zip, true).split(text)).toHaveLength(2);
  expect(zip.length).toBeLessThan(text.length + 700);
});

it('makes little ahead of its reader, and leaves the file that nobody reads on', async () => {
  const size = 2 ** 22;
  let [made, left] = [0, 0];
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        made++;
        yield new Uint8Array(size);
      }
    } finally {
      left++;
    }
  }
  let bytes = 0;
  for await (const chunk of readStream(zipOf([{ path: 'a', content: endless(), isCompressed: true }]))) {
    bytes += chunk.length;
    await new Promise((resolve) => setImmediate(resolve)); // time for the zip to make as much as it likes
    expect(made * size - bytes).toBeLessThan(2 * size);
    if (made > 5) break;
  }
  await expect.poll(() => left).toBe(1);
});

it('fails with the error of a file, or the reason for which it is ended', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(9);
    throw new Error('no access');
  }
  await expect(written([{ path: 'a', content: failing(), isCompressed: true }])).rejects.toThrow('no access');
  const ended = readStream(zipOf([fileOf('a', 'x')], AbortSignal.abort(new Error('enough'))));
  await expect(ended.next()).rejects.toThrow('enough');
});

// 4 GB are ten seconds of checksums and copies, and much longer on a busy computer: each night.
it.skipIf(!process.env['NIGHTLY'])('goes on beyond 4 GB', { timeout: 300_000 }, async () => {
  const block = new Uint8Array(2 ** 26);
  const blocks = 2 ** 32 / block.length;
  const large = bytesOf(...Array.from({ length: blocks }, () => block));
  let [total, tailFrom] = [0, 0];
  const tail: Uint8Array[] = [];
  const files = [{ path: 'large', content: large, isCompressed: true }, fileOf('small', 'the last one', true)];
  for await (const chunk of readStream(zipOf(files))) {
    if (total < 2 ** 32) tailFrom = total + chunk.length;
    else tail.push(chunk);
    total += chunk.length;
  }
  const kept = Buffer.concat(tail);
  const listed: ZippedFile[] = [];
  // The directory is all in what was kept; a reader looks for its end in the 64 KiB before it, too.
  const read = async (from: number, to: number) => {
    const bytes = new Uint8Array(to - from);
    bytes.set(kept.subarray(Math.max(0, from - tailFrom), to - tailFrom), Math.max(0, tailFrom - from));
    return bytes;
  };
  for await (const some of readZipDirectory(total, read, () => undefined)) listed.push(...some);
  expect(listed.map(({ path, unpackedBytes, packedBytes }) => [path, unpackedBytes, packedBytes])).toEqual([
    ['large', 2 ** 32, 2 ** 32],
    ['small', 12, 12],
  ]);
  const at = listed[1]!.headerOffset;
  expect(at).toBeGreaterThan(2 ** 32);
  const header = kept.subarray(at - tailFrom);
  expect(header.toString('latin1', 0, 4)).toBe('PK\x03\x04');
  const contentAt = 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  expect(header.toString('latin1', contentAt, contentAt + 12)).toBe('the last one');
});
