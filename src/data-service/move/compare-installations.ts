import { checkFile } from '../integrity/check-files.ts';
import { rowKinds, type InstallationRow, type RowKind } from '../ports/installation-rows.ts';
import type { BinaryRecord, TabularRow } from '../ports/stored-captures.ts';
import { filesOf, pairsOf, readingsOf } from '../pages/captures-in-order.ts';
import type { MoveReport, MovedStore } from './moved-store.ts';
import { RowDigests } from './row-digests.ts';
import { captureText, rowText } from './row-text.ts';

/** What two stores hold, and in how much they differ. */
export interface Comparison {
  readonly differences: number;
  readonly files: number;
  readonly fileBytes: number;
  readonly readings: number;
}

/** Files whose bytes are read at once. */
const checkedAtOnce = 4;
/** Captures between two words of progress. */
const toldEvery = 10_000;

/**
 * Compares all that two stores hold: every row by its SHA-256, and the bytes of every file of the target by theirs.
 * @param source what was copied
 * @param target what it was copied into
 * @param report gets one object for each collection that is equal, and one for each difference
 * @returns the number of differences, and of what was compared
 * @throws StoreError where a store cannot be read
 * @example
 * const rows = { async *pages() {} };
 * const empty = { rows, access: { listOrganizations: async () => [] }, blobs: { hash: () => null } };
 * await compareInstallations(empty, empty, { say() {}, print() {} }); // => { differences: 0, files: 0, fileBytes: 0, readings: 0 }
 */
export async function compareInstallations(
  source: MovedStore,
  target: MovedStore,
  report: MoveReport,
): Promise<Comparison> {
  let differences = 0;
  const tell: TellDifference = (difference) => {
    differences++;
    report.print(difference);
  };
  for (const kind of rowKinds) await compareRows(kind, source, target, tell, report);
  const organizationIds = await organizationsOf(source, target);
  const readings = await compareReadings(source, target, organizationIds, tell, report);
  const { files, fileBytes } = await compareFiles(source, target, organizationIds, tell, report);
  return { differences, files, fileBytes, readings };
}

type TellDifference = (difference: object) => void;

async function organizationsOf(...stores: readonly MovedStore[]): Promise<readonly string[]> {
  const lists = await Promise.all(stores.map(({ access }) => access.listOrganizations()));
  return [...new Set(lists.flat().map(({ id }) => id))].sort();
}

async function compareRows(
  kind: RowKind,
  source: MovedStore,
  target: MovedStore,
  tell: TellDifference,
  report: MoveReport,
): Promise<void> {
  const [ofSource, ofTarget] = [await digestsOf(kind, source), await digestsOf(kind, target)];
  const before = ofSource.total();
  const differ = [...new Set([...ofSource.organizationIds, ...ofTarget.organizationIds])].filter(
    (id) => ofSource.of(id).digest !== ofTarget.of(id).digest,
  );
  if (differ.length === 0) report.print({ collection: kind, ...before });
  for (const organizationId of differ) {
    const digests = { source: ofSource.of(organizationId), target: ofTarget.of(organizationId) };
    tell({ collection: kind, organizationId, difference: 'other rows', ...digests });
  }
}

async function digestsOf(kind: RowKind, { rows, blobs }: MovedStore): Promise<RowDigests> {
  const digests = new RowDigests(blobs.hash);
  let last: InstallationRow[RowKind] | null = null;
  for await (const page of rows.pages(kind)) {
    for (const row of page) {
      digests.add(organizationOf(row), rowText([row, olderOf(row, last)]));
      last = row;
    }
  }
  return digests;
}

const organizationOf = (row: InstallationRow[RowKind]): string => ('organizationId' in row ? row.organizationId : '');

/** Which of the runs of a window is the newest is said by their order alone. */
function olderOf(row: InstallationRow[RowKind], before: InstallationRow[RowKind] | null): string | null {
  if (!('window' in row) || before === null || !('window' in before)) return null;
  const isOfWindow = before.pipelineId === row.pipelineId && before.window.start === row.window.start;
  return isOfWindow ? before.id : null;
}

async function compareReadings(
  source: MovedStore,
  target: MovedStore,
  organizationIds: readonly string[],
  tell: TellDifference,
  report: MoveReport,
): Promise<number> {
  const compared = new ComparedCaptures<TabularRow>('readings', source, tell, report);
  for (const organizationId of organizationIds) {
    const pairs = pairsOf(readingsOf(source, organizationId), readingsOf(target, organizationId));
    for await (const pair of pairs) compared.add(pair.source, pair.target);
  }
  return compared.end().rows;
}

async function compareFiles(
  source: MovedStore,
  target: MovedStore,
  organizationIds: readonly string[],
  tell: TellDifference,
  report: MoveReport,
): Promise<{ readonly files: number; readonly fileBytes: number }> {
  const compared = new ComparedCaptures<BinaryRecord>('files', source, tell, report);
  let [unread, fileBytes]: [BinaryRecord[], number] = [[], 0];
  const readBytes = async (): Promise<void> => {
    const damages = await Promise.all(unread.map((record) => checkFile(target, record, () => Promise.resolve())));
    for (const [index, damage] of damages.entries()) {
      const { id, organizationId } = unread[index]!;
      if (damage !== null) tell({ collection: 'files', organizationId, id, difference: damage.fault });
    }
    unread = [];
  };
  for (const organizationId of organizationIds) {
    const pairs = pairsOf(filesOf(source, organizationId), filesOf(target, organizationId));
    for await (const pair of pairs) {
      compared.add(pair.source, pair.target);
      if (pair.target === null) continue;
      fileBytes += pair.target.sizeBytes;
      unread.push(pair.target);
      if (unread.length === checkedAtOnce) await readBytes();
    }
  }
  await readBytes();
  return { files: compared.end().rows, fileBytes };
}

/** Captures of both stores, put beside each other in order. */
class ComparedCaptures<Capture extends BinaryRecord | TabularRow> {
  readonly #collection: 'files' | 'readings';
  readonly #tell: TellDifference;
  readonly #report: MoveReport;
  readonly #digests: RowDigests;
  #seen = 0;
  #differ = 0;

  constructor(collection: 'files' | 'readings', { blobs }: MovedStore, tell: TellDifference, report: MoveReport) {
    this.#collection = collection;
    this.#tell = tell;
    this.#report = report;
    this.#digests = new RowDigests(blobs.hash);
  }

  add(source: Capture | null, target: Capture | null): void {
    if (++this.#seen % toldEvery === 0) this.#report.say(`${this.#seen} ${this.#collection} compared`);
    const [before, after] = [source, target].map((capture) => capture && captureText(capture)) as [
      string | null,
      string | null,
    ];
    const { organizationId, id } = (source ?? target)!;
    if (after !== null) this.#digests.add(organizationId, after);
    if (before === after) return;
    this.#differ++;
    const difference = after === null ? 'missing' : before === null ? 'not in the source' : 'other';
    this.#tell({ collection: this.#collection, organizationId, id, difference });
  }

  end() {
    const total = this.#digests.total();
    if (this.#differ === 0) this.#report.print({ collection: this.#collection, ...total });
    return total;
  }
}
