import { expect, it } from 'vitest';
import { parcelOf } from '../../tests/contract/capture-entries.ts';
import { memoryCaptureStore } from '../capture/memory-capture-store.ts';
import type { Reading } from '../capture/readings.ts';
import * as steps from './entry-steps.ts';
import { memoryOutboxStore } from './memory-outbox-store.ts';
import { browserTarget } from './outbox-target.ts';
import { Outbox } from './outbox.ts';

const rowAt = (timeMs: number): Reading => ({ timeRequestedMs: timeMs, timeReceivedMs: timeMs, readings: { cups: 2 } });

it('takes rows that were sent off the list, and keeps what waits and the captures that it knows by', async () => {
  const store = memoryOutboxStore();
  let serial = 0;
  const outbox = new Outbox({
    store,
    captures: memoryCaptureStore(),
    keys: {
      give: async () => undefined,
      get: async () => null,
      isKept: async () => false,
      forget: async () => undefined,
    },
    sha256: async (bytes) => new TextDecoder().decode(bytes),
    randomId: () => `random-${String(++serial).padStart(9, '0')}`,
    nowMs: () => ++serial,
  });
  const { entries: rows } = await outbox.sendReadings([rowAt(1)], browserTarget.id);
  const { entries: captures } = await outbox.sendCaptures([parcelOf('a').capture], browserTarget.id);
  for (const { id } of [...rows, ...captures]) {
    await store.update(id, steps.beginSending);
    await store.update(id, (entry) => steps.sent(entry, 3));
  }
  await outbox.sendReadings([rowAt(2)], browserTarget.id);

  await outbox.removeSentReadings();
  const left = (await store.page(null, null, 9)).map(({ state, content }) => `${content.kind} ${state}`);
  expect(left).toEqual(['readings waiting', 'capture sent']);
});
