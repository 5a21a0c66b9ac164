import { everyReadingOf } from '../ports/capture-filter.ts';
import { DamagedFile, openFile, provenBytes } from '../ports/read-file.ts';
import type { BinaryRecord, Micros, TabularRow } from '../ports/stored-captures.ts';
import type { UploadReceipt } from '../ports/upload-receipt.ts';
import { filesOf, leastSpan, pairsOf, readingsOf } from './captures-in-order.ts';
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

/**
 * Removes from the target what the source does not have, or has otherwise: it has changed since a copy was interrupted. Files whose bytes
 * the target has lost go, too, so that they are copied again. Readings have no call that deletes a single one: their neighbours go along,
 * and are copied again.
 */
export async function removeOthers(source: MovedStore, target: MovedStore, organizationId: string): Promise<void> {
  const readings = [readingsOf(source, organizationId), readingsOf(target, organizationId)] as const;
  for await (const pair of pairsOf(...readings, 'target')) {
    if (pair.target === null || isSame(pair)) continue;
    await target.tabular.delete(readingsAt(organizationId, pair.target.timeRequested), Number.MAX_SAFE_INTEGER);
  }
  const files = [filesOf(source, organizationId), filesOf(target, organizationId)] as const;
  let same: BinaryRecord[] = [];
  const removeLost = async (): Promise<void> => {
    const areThere = await Promise.all(same.map((record) => hasBytes(target, record)));
    const lost = same.filter((_, index) => !areThere[index]).map(({ id }) => id);
    if (lost.length > 0) await target.binary.delete(organizationId, lost);
    same = [];
  };
  for await (const pair of pairsOf(...files, 'target')) {
    if (pair.target === null) continue;
    if (isSame(pair)) same.push(pair.target);
    // the sweep at the end takes its bytes
    else await target.binary.delete(organizationId, [pair.target.id]);
    if (same.length === copiedAtOnce) await removeLost();
  }
  await removeLost();
}

/** Whether the bytes are there in their number; what they are is told by the comparison at the end. */
async function hasBytes(store: MovedStore, record: BinaryRecord): Promise<boolean> {
  const blob = await store.blobs.open(record.blobAddress);
  await blob?.close();
  return blob?.sizeBytes === record.sizeBytes;
}

const isSame = <Capture extends BinaryRecord | TabularRow>(pair: {
  readonly source: Capture | null;
  readonly target: Capture | null;
}): boolean => pair.source !== null && captureText(pair.source) === captureText(pair.target!);

const readingsAt = (organizationId: string, time: Micros) => ({
  ...everyReadingOf(organizationId),
  interval: { start: time, end: time + leastSpan },
});

/** Copies the readings that the target lacks. */
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
  for await (const pair of pairsOf(readingsOf(source, organizationId), readingsOf(target, organizationId))) {
    if (++seen % toldEvery === 0) report.say(`${seen} readings copied of organization ${organizationId}`);
    if (pair.source === null || pair.target !== null) continue;
    batch.push(pair.source);
    bytes += pair.source.sizeBytes;
    if (batch.length >= insertedReadings || bytes >= insertedBytes) await insert();
  }
  await insert();
}

/** Copies the files that the target lacks, but those that the source itself has lost or damaged. */
export async function copyFiles(
  source: MovedStore,
  target: MovedStore,
  organizationId: string,
  receipt: () => UploadReceipt,
  report: MoveReport,
): Promise<void> {
  let [batch, seen]: [BinaryRecord[], number] = [[], 0];
  const insert = async (): Promise<void> => {
    const copied: BinaryRecord[] = [];
    for (let from = 0; from < batch.length; from += copiedAtOnce) {
      const some = batch.slice(from, from + copiedAtOnce).map((record) => copyBytes(source, target, record));
      copied.push(...(await Promise.all(some)).filter((record) => record !== null));
    }
    if (copied.length > 0) await target.binary.insert(copied, receipt());
    batch = [];
  };
  for await (const pair of pairsOf(filesOf(source, organizationId), filesOf(target, organizationId))) {
    if (++seen % toldEvery === 0) report.say(`${seen} files copied of organization ${organizationId}`);
    if (pair.source === null || pair.target !== null) continue;
    batch.push(pair.source);
    if (batch.length === insertedFiles) await insert();
  }
  await insert();
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
