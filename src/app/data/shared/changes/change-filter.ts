import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { actorKey } from '../../../../data-service/face/accounts.ts';
import type { Change, ListChangesRequestSchema } from '../../../../gen/sightglass/audit/v1/audit_pb.ts';
import { intervalMs } from '../filters/data-filter.ts';

/** Which changes are listed; '': any. Times as fields give them, in UTC. */
export interface ChangeFilter {
  /** "key:ID", "service:" */
  readonly who: string;
  readonly what: string;
  readonly object: string;
  readonly start: string;
  readonly end: string;
  /** 'yes': each change by itself, instead of one row for those of a call */
  readonly each: string;
}

export const everyChange: ChangeFilter = { who: '', what: '', object: '', start: '', end: '', each: '' };

const names = Object.keys(everyChange) as readonly (keyof ChangeFilter)[];

/** "?who=key:…&what=tags", or '' for every change. */
export function writeChangeFilter(filter: ChangeFilter): string {
  const query = new URLSearchParams(names.filter((name) => filter[name] !== '').map((name) => [name, filter[name]]));
  const text = query.toString().replaceAll('%3A', ':');
  return text && `?${text}`;
}

export function readChangeFilter(rest: string): ChangeFilter {
  const query = new URLSearchParams(rest.slice(Math.max(0, rest.indexOf('?'))));
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as unknown as ChangeFilter;
}

/** Lists the changes that a sum sums: those of its kind and actor, in the second of its time. */
export function filterOfSum({ actor, what, time }: Change): ChangeFilter {
  const secondOf = (from: number): string =>
    time === undefined ? '' : new Date((Number(time.seconds) + from) * 1000).toISOString().slice(0, 19);
  const who = actor === undefined ? '' : actorKey(actor);
  return { ...everyChange, who, what, start: secondOf(0), end: secondOf(1), each: 'yes' };
}

export function changeRequest(
  organizationId: string,
  { who, what, object, start, end, each }: ChangeFilter,
): MessageInitShape<typeof ListChangesRequestSchema> {
  const [, kind = '', id = ''] = /^([^:]*):?(.*)$/s.exec(who)!;
  const { start: startMs, end: endMs } = intervalMs({ start, end });
  return {
    organizationId,
    actorKind: kind,
    actorId: kind === '' ? '' : id,
    what,
    objectId: object,
    each: each !== '',
    ...(startMs !== null && { start: timestampFromMs(startMs) }),
    ...(endMs !== null && { end: timestampFromMs(endMs) }),
  };
}
