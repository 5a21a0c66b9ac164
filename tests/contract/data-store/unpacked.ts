import type { StructValue } from '../../../src/data-service/ports/stored-captures.ts';
import type { PackedPage } from '../../../src/data-service/ports/packed-readings.ts';

/** Unpacks a page, so that equal pages compare equal, however a store has packed them. */
export function unpacked({ readings, last }: PackedPage) {
  const payloads = JSON.parse(readings.payloads) as StructValue[];
  for (const [index, payload] of readings.unusual) payloads[index] = payload;
  expectAlike(readings.timesRequested.length, payloads.length);
  const all = payloads.map((payload, index) => ({
    time: readings.timesRequested[index],
    origin: readings.origins[readings.originOf[index]!],
    payload,
  }));
  return { readings: all, last };
}

function expectAlike(times: number, payloads: number): void {
  if (times !== payloads) throw new Error(`${times} times with ${payloads} payloads.`);
}
