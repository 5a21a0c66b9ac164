import { everyReadingOf } from '../ports/capture-filter.ts';
import { DamagedFile, openFile, provenBytes } from '../ports/read-file.ts';
import type { BinaryRecord, Micros, TabularRow } from '../ports/stored-captures.ts';
import type { UploadReceipt } from '../ports/upload-receipt.ts';
import { filesOf, leastSpan, pairsOf, readingsOf, type Pair } from '../pages/captures-in-order.ts';
import type { MoveReport, MovedStore } from './moved-store.ts';
import { captureText } from './row-text.ts';

/** Readings of one insert, which is one transaction: at most so many, and about so many bytes. */
const insertedReadings = 1000;
const insertedBytes = 4 * 2 ** 20;
/** Files of one insert; their bytes are copied some at a time. */
const insertedFiles = 64;
const copiedAtOnce = 4;
const chunkBytes = 256 * 1024;
/** Captures between two words of progress. */
const toldEvery = 10_000;

const isSame = <Capture extends BinaryRecord | TabularRow>({ source, target }: Pair<Capture>): boolean =>
  source !== null && target !== null && captureText(source) === captureText(target);

/**
 * Makes the target's readings those of the source. A reading that both have alike stays. One that differs, or that only the target has,
 * was left by an interrupted copy, and the source has changed since: it is deleted. No call deletes a single reading, so all of its
 * instant (`leastSpan`) are deleted, and copied again.
 */
export async function copyReadings(
  source: MovedStore,
  target: MovedStore,
  organizationId: string,
  receipt: () => UploadReceipt,
  report: MoveReport,
): Promise<void> {
  let [batch, bytes, seen]: [TabularRow[], number, number] = [[], 0, 0];
  const insert = async (): Promise<void> => {
    if (batch.length > 0) await target.tabular.insert(batch, receipt());
    [batch, bytes] = [[], 0];
  };
  const copy = async (row: TabularRow): Promise<void> => {
    batch.push(row);
    bytes += row.sizeBytes;
    if (batch.length >= insertedReadings || bytes >= insertedBytes) await insert();
  };
  let copiedUpTo: Micros = -Infinity;
  for await (const pair of pairsOf(readingsOf(source, organizationId), readingsOf(target, organizationId))) {
    if (++seen % toldEvery === 0) report.say(`${seen} readings copied of organization ${organizationId}`);
    const { timeRequested: start } = (pair.source ?? pair.target)!;
    if (start < copiedUpTo || isSame(pair)) continue;
    if (pair.target === null) {
      await copy(pair.source!);
      continue;
    }
    // the deletion must not miss those of this instant that wait to be inserted, or they would be there twice
    await insert();
    const interval = { start, end: (copiedUpTo = start + leastSpan) };
    // without a row in the audit: what is copied again was changed by nobody
    await target.as(null).tabular.delete({ ...everyReadingOf(organizationId), interval }, Number.MAX_SAFE_INTEGER);
    for await (const page of readingsOf(source, organizationId, interval)) for (const row of page) await copy(row);
  }
  await insert();
}

/**
 * Makes the target's files those of the source, without those whose bytes the source has lost or damaged. A file that both have alike
 * stays. One that differs, that only the target has, or whose bytes the target has lost is deleted, and copied again if the source has
 * it. The sweep at the end takes the bytes that no file needs any more.
 */
export async function copyFiles(
  source: MovedStore,
  target: MovedStore,
  organizationId: string,
  receipt: () => UploadReceipt,
  report: MoveReport,
): Promise<void> {
  let [batch, same, seen]: [BinaryRecord[], Pair<BinaryRecord>[], number] = [[], [], 0];
  const insert = async (): Promise<void> => {
    const copied: BinaryRecord[] = [];
    for (let from = 0; from < batch.length; from += copiedAtOnce) {
      const some = batch.slice(from, from + copiedAtOnce).map((record) => copyBytes(source, target, record));
      copied.push(...(await Promise.all(some)).filter((record) => record !== null));
    }
    if (copied.length > 0) await target.as(null).binary.insert(copied, receipt());
    batch = [];
  };
  const copy = async (record: BinaryRecord): Promise<void> => {
    batch.push(record);
    if (batch.length === insertedFiles) await insert();
  };
  const copyLost = async (): Promise<void> => {
    const areThere = await Promise.all(same.map((pair) => hasBytes(target, pair.target!)));
    const lost = same.flatMap((pair, index) => (areThere[index] ? [] : [pair.source!]));
    same = [];
    if (lost.length === 0) return;
    const ids = lost.map(({ id }) => id);
    await target.as(null).binary.delete(organizationId, ids);
    for (const record of lost) await copy(record);
  };
  for await (const pair of pairsOf(filesOf(source, organizationId), filesOf(target, organizationId))) {
    if (++seen % toldEvery === 0) report.say(`${seen} files copied of organization ${organizationId}`);
    if (isSame(pair)) {
      same.push(pair);
      if (same.length === copiedAtOnce) await copyLost();
      continue;
    }
    if (pair.target !== null) await target.as(null).binary.delete(organizationId, [pair.target.id]);
    if (pair.source !== null) await copy(pair.source);
  }
  await copyLost();
  await insert();
}

/** Whether the bytes are there in their number; what they are is told by the comparison at the end. */
async function hasBytes(store: MovedStore, record: BinaryRecord): Promise<boolean> {
  const blob = await store.blobs.open(record.blobAddress);
  await blob?.close();
  return blob?.sizeBytes === record.sizeBytes;
}

/** The record as the target will have it; null: the source has lost or damaged its bytes. */
async function copyBytes(source: MovedStore, target: MovedStore, record: BinaryRecord): Promise<BinaryRecord | null> {
  try {
    const blob = await openFile(source, record);
    if (blob === null) return null;
    try {
      const bytes = provenBytes(blob, record, source.blobs.hash(), chunkBytes);
      const { address } = await target.blobs.put(bytes, new AbortController().signal);
      return { ...record, blobAddress: address };
    } finally {
      await blob.close();
    }
  } catch (error) {
    if (error instanceof DamagedFile) return null;
    throw error;
  }
}
