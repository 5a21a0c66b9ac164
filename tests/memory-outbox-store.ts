import { captureOf, type OutboxEntry, type OutboxState } from '../src/remote/outbox/outbox-entry.ts';
import type { OutboxStore } from '../src/remote/outbox/outbox-store.ts';
import { browserTarget, type OutboxTarget } from '../src/remote/outbox/outbox-target.ts';

/** The reference implementation of an outbox store, in memory. */
export function memoryOutboxStore(): OutboxStore {
  const entries = new Map<string, OutboxEntry>();
  const targets = new Map<string, OutboxTarget>([[browserTarget.id, browserTarget]]);
  const listeners = new Set<() => void>();
  let paused = false;
  const changed = (): void => listeners.forEach((listener) => listener());
  const inOrder = (): OutboxEntry[] => [...entries.values()].sort((a, b) => (a.id < b.id ? -1 : 1));

  const ofCapture = (captureId: string | null): OutboxEntry[] =>
    captureId === null ? [] : inOrder().filter((entry) => captureOf(entry) === captureId);
  function updated(id: string, change: (entry: OutboxEntry) => OutboxEntry | null): OutboxEntry | null {
    const entry = entries.get(id);
    const next = entry ? change(entry) : null;
    if (!next) return null;
    entries.set(id, next);
    changed();
    return next;
  }

  return {
    async add(added) {
      const stands = added.map((entry) => {
        const there = [...entries.values()].find(({ digest }) => digest === entry.digest);
        if (!there) entries.set(entry.id, entry);
        return there ?? entry;
      });
      changed();
      return stands;
    },
    get: async (id) => entries.get(id) ?? null,
    page: async (state, before, limit) =>
      inOrder()
        .reverse()
        .filter((entry) => (state === null || entry.state === state) && (before === null || entry.id < before))
        .slice(0, limit),
    async counts() {
      const counts: Record<OutboxState, number> = { waiting: 0, sending: 0, sent: 0, failed: 0 };
      for (const { state } of entries.values()) counts[state]++;
      return counts;
    },
    async queues(limit) {
      if (paused) return [];
      const waiting = inOrder()
        .filter(({ state }) => state === 'waiting')
        .sort((a, b) => a.dueMs! - b.dueMs!);
      return [...targets.values()].map((target) => ({
        target,
        waiting: waiting.filter(({ targetId }) => targetId === target.id).slice(0, limit),
      }));
    },
    inState: async (state) => inOrder().filter((entry) => entry.state === state),
    ofCapture: async (captureId) => ofCapture(captureId),
    update: async (id, change) => updated(id, change),
    updateAmong: async (id, change) => updated(id, (entry) => change(entry, ofCapture(captureOf(entry)))),
    async remove(ids) {
      for (const id of ids) entries.delete(id);
      changed();
    },
    targets: async () => [...targets.values()],
    target: async (id) => targets.get(id) ?? null,
    async putTarget(target) {
      targets.set(target.id, target);
      changed();
    },
    async updateTarget(id, change) {
      const target = targets.get(id);
      if (!target) return;
      targets.set(id, change(target));
      changed();
    },
    async removeTarget(id) {
      targets.delete(id);
      changed();
    },
    paused: async () => paused,
    async setPaused(now) {
      paused = now;
      changed();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
