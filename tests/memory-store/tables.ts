import { notFound } from '../../src/data-service/ports/store-refusals.ts';
import type { Change } from '../../src/data-service/ports/audit-store.ts';
import type { Clock } from '../../src/data-service/ports/clock.ts';
import type { BinaryRecord, TabularRow } from '../../src/data-service/ports/stored-captures.ts';
import type { Summary } from '../../src/data-service/ports/capture-filter.ts';
import { requireQuota, sumByOrganization, sentBytes, type Usage } from '../../src/data-service/ports/usage-store.ts';
import { countedChanges, freeDescriptionBytes } from '../../src/data-service/ports/growth.ts';
import type { LabelTask } from '../../src/data-service/ports/label-store.ts';
import type { StoredIndex } from '../../src/data-service/ports/index-store.ts';
import type { PipelineRun } from '../../src/data-service/ports/pipeline-store.ts';
import {
  auditRows,
  labelComments,
  labelSchemes,
  organizations,
} from '../../src/platform/data-store/entities/entity-tables.ts';
import type { Presence } from '../../src/platform/data-store/label-rules.ts';
import { MemoryTables } from './memory-tables.ts';

/**
 * The tables of the memory stores. Each method of a store runs without awaiting, and checks everything before its first
 * change: so it is a transaction.
 */
export class Tables {
  readonly binary = new Map<string, BinaryRecord>();
  readonly tabular = new Map<string, TabularRow>();
  readonly runs = new Map<string, PipelineRun>();
  /** by pipeline, then by `<window start>/<position>` */
  readonly sinks = new Map<string, Map<string, Uint8Array>>();
  readonly indexes = new Map<string, StoredIndex>();
  readonly labelTasks = new Map<string, LabelTask>();
  /** by image and `actorKey` */
  readonly presence = new Map<string, Presence>();
  /** those whose stores are written once for every engine */
  readonly rows: MemoryTables;

  constructor(clock: Clock) {
    this.rows = new MemoryTables(clock);
  }
}

/** Adds rows for changes, by one actor. */
export type KeepChanges = (changes: readonly Change[]) => void;

/** What an organization stores, by counting. */
export function usageOf(tables: Tables, organizationId: string): Usage {
  const countOf = (rows: Iterable<Parameters<typeof sumByOrganization>[0][number]>): Summary =>
    sumByOrganization([...rows]).get(organizationId) ?? { count: 0, totalSizeBytes: 0 };
  const kept = [
    ...tables.labelTasks.values(),
    ...tables.rows.all(labelComments),
    ...tables.rows.all(labelSchemes),
    ...tables.rows.all(auditRows).filter(({ what }) => countedChanges.includes(what)),
  ];
  const labelling = countOf(kept.map((row) => ({ ...row, sizeBytes: JSON.stringify(row).length })));
  const descriptions = [...tables.binary.values()]
    .filter((file) => file.organizationId === organizationId)
    .map((file) => JSON.stringify(file).length - freeDescriptionBytes);
  return {
    files: countOf(tables.binary.values()),
    readings: countOf(tables.tabular.values()),
    labelling: {
      ...labelling,
      totalSizeBytes: labelling.totalSizeBytes + descriptions.reduce((sum, bytes) => sum + Math.max(0, bytes), 0),
    },
  };
}

/** @throws StoreError resource-exhausted if an organization would store more than its quota */
export function requireQuotas(tables: Tables, rows: readonly (BinaryRecord | TabularRow)[]): void {
  for (const [id, { totalSizeBytes }] of sumByOrganization(rows)) {
    const organization = tables.rows.all(organizations).find((one) => one.id === id);
    requireQuota(organization?.quotaBytes, sentBytes(usageOf(tables, id)), totalSizeBytes);
  }
}

/** The entry, or `not-found`. */
export function required<T>(table: ReadonlyMap<string, T>, thing: string, id: string): T {
  const found = table.get(id);
  if (found === undefined) throw notFound(thing, id);
  return found;
}
