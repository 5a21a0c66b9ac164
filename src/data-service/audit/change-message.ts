import { create, toJson, type JsonObject } from '@bufbuild/protobuf';
import { ChangeSchema, type Change } from '../../gen/sightglass/audit/v1/audit_pb.ts';
import type { AuditRow } from '../ports/audit-store.ts';
import { toTimestamp } from '../wire/timestamps.ts';

/** A row of the audit as clients get it. */
export const changeMessage = ({
  id,
  time,
  actor,
  what,
  objectId,
  objectName,
  before,
  after,
  count = 0,
}: AuditRow): Change =>
  create(ChangeSchema, {
    id,
    time: toTimestamp(time),
    actor,
    what,
    objectId,
    objectName,
    count,
    ...(before !== null && { before: before as JsonObject }),
    ...(after !== null && { after: after as JsonObject }),
  });

/**
 * Writes a row of the audit as a line of an export, which is the same from the page and from the terminal.
 * @param row as it is stored
 * @returns the message `sightglass.audit.v1.Change` in protobuf's JSON form
 * @example
 * const change = { organizationId: 'a', what: 'tags', objectId: 'a/l/1', objectName: '', before: { tags: [] }, after: { tags: ['cup'] } };
 * changeJson({ ...change, id: 'x', time: 5e6, actor: { kind: 'key', id: 'k', name: 'lab' } }).time; // => '1970-01-01T00:00:05Z'
 */
export const changeJson = (row: AuditRow): JsonObject => toJson(ChangeSchema, changeMessage(row)) as JsonObject;
