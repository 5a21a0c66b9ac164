import { changeJson } from '../../data-service/face/accounts.ts';
import type { Position } from '../../data-service/face/captures.ts';
import { openManaged, organizationFor } from './manage.ts';
import type { Terminal } from '../shared/run-frames.ts';
import type { AuditArguments } from './data-records.ts';

const pageRows = 1000;

/**
 * Runs `sightglass audit`: prints who changed what in a data folder, or in a database that many hosts serve, the newest first. A
 * server may run on it.
 * @param command parsed arguments
 * @param terminal receives one object a change
 * @returns exit code: 0
 * @throws CliError not-found
 * @example
 * const filter = { each: true, actor: null, what: '', objectId: '', interval: { start: null, end: null } };
 * await audit({ name: 'audit', dataDir: '/missing', database: null, organizationId: null, filter }, { print() {}, say() {} }); // throws: There is no data of Sightglass in "/missing"
 */
export async function audit(command: AuditArguments, { print, say }: Terminal): Promise<number> {
  const store = await openManaged(command, say);
  try {
    const organizationId = await organizationFor(command.organizationId, store.access);
    const filter = { ...command.filter, organizationId };
    for (let after: Position | null = null; ;) {
      const rows = await store.audit.page(filter, after, pageRows);
      for (const row of rows) print(changeJson(row));
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageRows) return 0;
      after = { time: last.time, id: last.id };
    }
  } finally {
    await store.close();
  }
}
