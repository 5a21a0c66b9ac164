import { Gauge, type Registry } from 'prom-client';
import type { KeptStorage } from './keep-storage.ts';

/** What is stored and what room is left, asked whenever metrics are. */
export function addStorageMetrics(registry: Registry, { room, amounts }: KeptStorage): void {
  const registers = [registry];
  const labelNames = ['kind'] as const;
  new Gauge({
    name: 'sightglass_stored_items',
    help: 'Files (pictures among them) and readings that are stored.',
    labelNames,
    registers,
    async collect() {
      const { files, readings } = await amounts.current();
      this.set({ kind: 'files' }, files.count);
      this.set({ kind: 'readings' }, readings.count);
    },
  });
  new Gauge({
    name: 'sightglass_stored_bytes',
    help: 'Bytes of the stored files, and of the stored readings as they came.',
    labelNames,
    registers,
    async collect() {
      const { files, readings } = await amounts.current();
      this.set({ kind: 'files' }, files.totalSizeBytes);
      this.set({ kind: 'readings' }, readings.totalSizeBytes);
    },
  });
  new Gauge({
    name: 'sightglass_database_bytes',
    help: 'What the rows take of the disk.',
    registers,
    async collect() {
      this.set((await room.figures()).databaseBytes);
    },
  });
  new Gauge({
    name: 'sightglass_disk_free_bytes',
    help: 'What the disk of the data folder has left for the server.',
    registers,
    async collect() {
      this.set((await room.figures()).freeBytes);
    },
  });
  const { keepFreeBytes, budgetBytes } = room.limits;
  new Gauge({
    name: 'sightglass_disk_kept_free_bytes',
    help: 'With less free disk nothing more is stored.',
    registers,
  }).set(keepFreeBytes);
  if (budgetBytes === null) return;
  new Gauge({ name: 'sightglass_disk_budget_bytes', help: 'What files and rows may take together.', registers }).set(
    budgetBytes,
  );
}
