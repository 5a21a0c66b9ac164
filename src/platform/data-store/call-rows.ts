import type { Actor, AuditRow, Change } from '../../data-service/face/accounts.ts';
import type { Micros, Position, StructObject, StructValue } from '../../data-service/face/captures.ts';

// The rows of one call that are of one kind have one time, and ids that begin alike: "PREFIX.00001", "PREFIX.00002", and so on. So they lie
// together in every index. From the second change on there is also their sum, "PREFIX~", which a page in descending order meets first: it
// goes on behind the others, however many there are.

const sumEnd = '~';
/** Fields of a call's changes that are added up in their sum. */
const addedUp: ReadonlySet<string> = new Set(['count', 'sizeBytes']);
/** A field of a sum lists at most so many texts: a call may delete files that have any number of tags. */
const mostTexts = 100;

/** The rows of one call whose changes are of one kind: all are new, all have changed, or all are gone. */
export class CallRows {
  readonly organizationId: string;
  readonly #actor: Actor;
  readonly #prefix: string;
  #time: Micros | null = null;
  #last = 0;

  constructor(organizationId: string, actor: Actor, prefix: string) {
    this.organizationId = organizationId;
    this.#actor = actor;
    this.#prefix = prefix;
  }

  /** The time of all its rows; null: none was written yet. */
  get time(): Micros | null {
    return this.#time;
  }

  /** The lowest and the highest id that its rows can have. */
  get ids(): readonly [string, string] {
    return [`${this.#prefix}.`, this.#prefix + sumEnd];
  }

  /**
   * The rows to write for further changes, in their transaction.
   * @param changes of this kind
   * @param newest the last one by its id that is stored: the sum, or the only row; null: there is none
   * @param now their time, if they are the first
   */
  write(changes: readonly Change[], newest: AuditRow | null, now: Micros): WrittenRows {
    const time = (this.#time ??= now);
    const rowOf = (change: Change, id: string): AuditRow => ({ ...change, id, time, actor: this.#actor });
    const sumId = this.#prefix + sumEnd;
    const all = newest === null ? changes : [newest, ...changes];
    const withSum = (added: readonly AuditRow[], sum: AuditRow): WrittenRows =>
      newest?.id === sumId ? { added, replaced: sum } : { added: [...added, sum], replaced: null };
    if (changes[0]!.objectId === '') return withSum([], rowOf(sumOf(all), sumId));
    const added = changes.map((change) =>
      rowOf(change, `${this.#prefix}.${(++this.#last).toString(36).padStart(5, '0')}`),
    );
    const count = (newest === null ? 0 : (newest.count ?? 1)) + changes.length;
    if (count === 1) return { added, replaced: null };
    return withSum(added, { ...rowOf({ ...sumOf(all), objectId: '' }, sumId), count });
  }
}

export interface WrittenRows {
  readonly added: readonly AuditRow[];
  /** in place of the stored row of its id */
  readonly replaced: AuditRow | null;
}

/** The changes that one row sums: all writes of a call, which follow each other, or the changes of one write. */
export type Summing = 'call' | 'write';

/** Sorts the changes of a write by the rows that they belong to, which stay the same over all writes of a call. */
export function callRows(
  actor: Actor,
  summing: Summing,
  newPrefix: () => string,
): (changes: readonly Change[]) => ReadonlyMap<CallRows, readonly Change[]> {
  const ofCall = new Map<string, CallRows>();
  return (changes) => {
    const kinds = summing === 'call' ? ofCall : new Map<string, CallRows>();
    const found = new Map<CallRows, Change[]>();
    for (const change of changes) {
      const { organizationId, what, before, after } = change;
      const kind = JSON.stringify([organizationId, what, before === null, after === null]);
      const rows = kinds.get(kind) ?? new CallRows(organizationId, actor, newPrefix());
      kinds.set(kind, rows);
      const own = found.get(rows);
      if (own) own.push(change);
      else found.set(rows, [change]);
    }
    return found;
  };
}

/** What several changes have in common: fields that all have alike, texts of all, and what can be added up. */
function sumOf(changes: readonly Change[]): Change {
  const [first, ...others] = changes;
  const { organizationId, what, objectId, objectName } = first!;
  return {
    organizationId,
    what,
    objectId,
    objectName: others.every((other) => other.objectName === objectName) ? objectName : '',
    before: others.reduce((sum, { before }) => inCommon(sum, before), first!.before),
    after: others.reduce((sum, { after }) => inCommon(sum, after), first!.after),
  };
}

function inCommon(sum: StructObject | null, fields: StructObject | null): StructObject | null {
  if (sum === null || fields === null) return null;
  const joined = Object.entries(sum).map(([name, value]) => [name, joinValues(name, value, fields[name])] as const);
  return Object.fromEntries(joined.filter((each): each is [string, StructValue] => each[1] !== undefined));
}

function joinValues(name: string, one: StructValue, other: StructValue | undefined): StructValue | undefined {
  if (typeof one === 'number' && typeof other === 'number' && addedUp.has(name)) return one + other;
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (!areTexts(one) || !areTexts(other)) return undefined;
  const texts = [...new Set([...one, ...other])];
  return texts.length > mostTexts ? undefined : texts;
}

const areTexts = (value: StructValue | undefined): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

/**
 * A page of rows as a filter wants them: sums in place of what they sum, or each change by itself.
 * @param each whether each change is wanted by itself; of one object there are no sums
 * @param after the last row of the page before; null: from the newest on
 * @param read the matching rows beyond a position, the newest first; fewer than `limit` only at their end
 */
export async function pageOfRows(
  each: boolean,
  after: Position | null,
  limit: number,
  read: (beyond: Position | null, limit: number) => Promise<readonly AuditRow[]>,
): Promise<readonly AuditRow[]> {
  const found: AuditRow[] = [];
  for (let beyond = each || after === null ? after : behindSum(after); found.length < limit;) {
    const asked = limit - found.length;
    const rows = await read(beyond, asked);
    for (const row of rows) {
      const isLeftOut = each ? row.count !== undefined : isSummed(row, found.at(-1));
      if (!isLeftOut) found.push(row);
    }
    if (rows.length < asked) break;
    const { time, id } = each ? rows.at(-1)! : behindSum(found.at(-1)!);
    beyond = { time, id };
  }
  return found;
}

/** Whether the row met before is a sum of this one's call. */
const isSummed = ({ id }: AuditRow, before: AuditRow | undefined): boolean =>
  before !== undefined && id.startsWith(`${behindSum(before).id}.`);

/** Behind all rows that a sum sums; behind any other row. */
const behindSum = ({ time, id }: Position): Position => ({ time, id: id.endsWith(sumEnd) ? id.slice(0, -1) : id });
