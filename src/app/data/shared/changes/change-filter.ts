import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { ListChangesRequestSchema } from '../../../../gen/sightglass/audit/v1/audit_pb.ts';
import { intervalMs } from '../filters/data-filter.ts';

/** Which changes are listed; '': any. Times as fields give them, in UTC. */
export interface ChangeFilter {
  /** "key:ID", "service:" */
  readonly who: string;
  readonly what: string;
  readonly object: string;
  readonly start: string;
  readonly end: string;
}

export const everyChange: ChangeFilter = { who: '', what: '', object: '', start: '', end: '' };

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

export function changeRequest(
  organizationId: string,
  { who, what, object, start, end }: ChangeFilter,
): MessageInitShape<typeof ListChangesRequestSchema> {
  const [, kind = '', id = ''] = /^([^:]*):?(.*)$/s.exec(who)!;
  const { start: startMs, end: endMs } = intervalMs({ start, end });
  return {
    organizationId,
    actorKind: kind,
    actorId: kind === '' ? '' : id,
    what,
    objectId: object,
    ...(startMs !== null && { start: timestampFromMs(startMs) }),
    ...(endMs !== null && { end: timestampFromMs(endMs) }),
  };
}
