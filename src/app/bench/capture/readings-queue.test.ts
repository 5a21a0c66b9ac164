import { afterEach, expect, it, vi } from 'vitest';
import { CaptureStoreError } from '../../../evidence/capture/capture-store.ts';
import type { Reading } from '../../../evidence/capture/readings.ts';
import { ReadingsQueue } from './readings-queue.svelte.ts';

const rowOf = (frame: number): Reading => ({ timeRequestedMs: frame, timeReceivedMs: frame, readings: { frame } });

afterEach(() => void vi.useRealTimers());

/** A queue over an outbox with or without room; rows are those that a recorder has made. */
function openQueue() {
  vi.useFakeTimers();
  const made: Reading[] = [];
  const stored: number[] = [];
  const failures: unknown[] = [];
  const disk = { room: true };
  const queue = new ReadingsQueue(
    { takeReadings: () => undefined, drainReadings: () => made.splice(0) },
    {
      async sendReadings(rows) {
        if (!disk.room) throw new CaptureStoreError('full', 'No room.');
        stored.push(...rows.map(({ timeRequestedMs }) => timeRequestedMs));
        return { entries: [], alreadyThere: 0 };
      },
    },
    (error) => failures.push(error),
  );
  return { queue, stored, failures, disk, make: (frame: number) => void made.push(rowOf(frame)) };
}

it('hands rows over every few seconds, and the last ones when it stops', async () => {
  const { queue, stored, make } = openQueue();
  queue.start();
  make(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(stored).toEqual([1]);
  make(2);
  await queue.stop();
  expect([stored, queue.queuedRows]).toEqual([[1, 2], 2]);
  expect(vi.getTimerCount()).toBe(0);
});

it('keeps rows in hand that a full disk refuses, says so once, and stores each once when there is room', async () => {
  const { queue, stored, failures, disk, make } = openQueue();
  disk.room = false;
  queue.start();
  make(1);
  await vi.advanceTimersByTimeAsync(3_000);
  make(2);
  await vi.advanceTimersByTimeAsync(3_000);
  await queue.stop();
  expect([stored, failures.length, queue.unsavedRows, queue.queuedRows]).toEqual([[], 1, 2, 0]);
  disk.room = true;
  await vi.advanceTimersByTimeAsync(3_000);
  expect([stored, queue.unsavedRows, queue.queuedRows]).toEqual([[1, 2], 0, 2]);
  expect(vi.getTimerCount()).toBe(0);
});

it('forgets no row that was made while earlier ones were on their way', async () => {
  const { queue, stored, make } = openQueue();
  queue.start();
  make(1);
  const earlier = queue.handOver();
  make(2);
  await Promise.all([earlier, queue.stop()]);
  expect(stored).toEqual([1, 2]);
});
