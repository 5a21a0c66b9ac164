import { Gauge, type Registry } from 'prom-client';
import type { KeptStorage } from './keep-storage.ts';

/** Adds the metrics of the room that is left, asked whenever metrics are. */
export function addStorageMetrics(registry: Registry, { room }: KeptStorage): void {
  const registers = [registry];
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
