import { setTimeout } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { DataStore } from '../../data-service/face/stores.ts';
import { storedAmounts, type StoredAmount } from './stored-amounts.ts';

/** Whoever asks for metrics waits no longer for a store that is silent: they tell also of a host whose database is away. */
const patienceMs = 2000;

/**
 * What organizations store and may store, asked whenever metrics are. Absent while the store does not answer.
 * @param isForKeepers each organization by itself; false: sums without names, for a port that strangers reach
 */
export function addStoredMetrics(registry: Registry, store: DataStore, isForKeepers: boolean): void {
  let asking: Promise<readonly StoredAmount[]> | null = null;
  // the metrics of one answer are asked for at once
  const current = () => (asking ??= withPatience(storedAmounts(store)).finally(() => (asking = null)));
  const registers = [registry];
  for (const [name, help, figure] of [
    ['items', 'Files (pictures among them) and readings that are stored, and rows of labelling.', 'count'],
    [
      'bytes',
      'Bytes of the stored files, of the stored readings as they came, and of rows of labelling as they are kept.',
      'totalSizeBytes',
    ],
  ] as const) {
    new Gauge({
      name: `sightglass_stored_${name}`,
      help,
      labelNames: isForKeepers ? (['organization', 'kind'] as const) : (['kind'] as const),
      registers,
      async collect() {
        this.reset();
        for (const {
          organization: { id: organization },
          ...amounts
        } of await current())
          for (const kind of ['files', 'readings', 'labelling'] as const)
            this.inc({ ...(isForKeepers && { organization }), kind }, amounts[kind][figure]);
      },
    });
  }
  if (!isForKeepers) return;
  new Gauge({
    name: 'sightglass_quota_bytes',
    help: 'How many bytes an organization may store of all kinds together, where it has a quota.',
    labelNames: ['organization'] as const,
    registers,
    async collect() {
      this.reset();
      for (const {
        organization: { id: organization },
        quotaBytes,
      } of await current())
        if (quotaBytes !== null) this.set({ organization }, quotaBytes);
    },
  });
}

async function withPatience(amounts: Promise<readonly StoredAmount[]>): Promise<readonly StoredAmount[]> {
  const heard = new AbortController();
  const silence = setTimeout(patienceMs, [], { signal: heard.signal });
  try {
    return await Promise.race([amounts, silence]);
  } catch {
    return [];
  } finally {
    heard.abort();
    silence.catch(() => undefined);
  }
}
