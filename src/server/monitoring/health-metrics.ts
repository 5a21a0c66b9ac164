import { Counter, Gauge, type Registry } from 'prom-client';
import type { StoreHealth } from '../storage/store-health.ts';

/** Adds the metrics of the damage found so far. */
export function addHealthMetrics(registry: Registry, health: StoreHealth): void {
  const registers = [registry];
  new Counter({
    name: 'sightglass_damage_total',
    help: 'How often damage was met, by what is damaged: the database, or the bytes of a file.',
    labelNames: ['what'],
    registers,
    collect() {
      this.reset();
      for (const [what, count] of Object.entries(health.met)) this.inc({ what }, count);
    },
  });
  new Gauge({
    name: 'sightglass_damaged_files',
    help: 'Files that are known to be lost or damaged.',
    registers,
    collect() {
      this.set(health.damagedFiles);
    },
  });
}
