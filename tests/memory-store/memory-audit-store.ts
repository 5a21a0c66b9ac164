import { clocksWereSet } from '../../src/data-service/ports/clock.ts';
import {
  actorKey,
  mostActors,
  type AuditFilter,
  type AuditRow,
  type AuditStore,
} from '../../src/data-service/ports/audit-store.ts';
import { byText } from '../../src/data-service/ports/name-order.ts';
import { pageOfRows } from '../../src/platform/data-store/call-rows.ts';
import { comparePositions } from '../../src/platform/data-store/capture-ranges.ts';
import type { Tables } from './tables.ts';

export function memoryAuditStore(tables: Tables): AuditStore {
  const newestFirst = (): AuditRow[] => [...tables.audit].sort((a, b) => comparePositions(b, a));
  return {
    async page(filter, after, limit) {
      return pageOfRows(filter, after, limit, async (beyond, most) =>
        newestFirst()
          .filter((row) => matches(filter, row) && (beyond === null || comparePositions(row, beyond) < 0))
          .slice(0, most),
      );
    },
    async actors(organizationId) {
      const newest = new Map<string, AuditRow['actor']>();
      for (const row of newestFirst()) {
        const key = actorKey(row.actor);
        if (row.organizationId === organizationId && !newest.has(key)) newest.set(key, row.actor);
      }
      const sorted = [...newest].sort(([a], [b]) => byText(a, b));
      return sorted.map(([, actor]) => actor).slice(0, mostActors);
    },
    async deleteBefore(organizationId, time, limit) {
      const old = newestFirst()
        .filter((row) => row.organizationId === organizationId && row.time >= clocksWereSet && row.time < time)
        .slice(-limit);
      const gone = new Set(old);
      tables.audit = tables.audit.filter((row) => !gone.has(row));
      return old.length;
    },
  };
}

const matches = ({ organizationId, actor, what, objectId, interval }: AuditFilter, row: AuditRow): boolean =>
  row.organizationId === organizationId &&
  (actor === null || actorKey(actor) === actorKey(row.actor)) &&
  (what === '' || what === row.what) &&
  (objectId === '' || objectId === row.objectId) &&
  (interval.start === null || row.time >= interval.start) &&
  (interval.end === null || row.time < interval.end);
