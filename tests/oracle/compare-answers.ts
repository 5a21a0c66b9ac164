import type { Answer, FrameAnswer, Result } from './answer.ts';

/** Describes the difference between two answers; null if they are equal. The messages of refusals may differ. */
export function differenceOf(machine: Answer, here: Answer, tensorsOnly: boolean): string | null {
  if (machine.refusal !== null || here.refusal !== null) return refusals(machine, here);
  for (const [i, there] of machine.frames.entries()) {
    const difference = frameDifference(there, here.frames[i]!, tensorsOnly);
    if (difference !== null) return machine.frames.length === 1 ? difference : `frame ${i}: ${difference}`;
  }
  return null;
}

/** Whether the answer has no results: the configuration or every frame was refused. */
export function isRefused({ refusal, frames }: Answer): boolean {
  return refusal !== null || (frames.length > 0 && frames.every((frame) => frame.refusal !== null));
}

function frameDifference(machine: FrameAnswer, here: FrameAnswer, tensorsOnly: boolean): string | null {
  if (machine.refusal !== null || here.refusal !== null) return refusals(machine, here);
  const [size, sizeHere] = [machine, here].map(({ widthPx, heightPx }) => `${widthPx}×${heightPx}`);
  if (size !== sizeHere) return `the machine sees ${size}, here ${sizeHere}`;
  if (String(machine.ability) !== String(here.ability))
    return `classifier, detector: ${machine.ability} on the machine, ${here.ability} here`;
  return bytesDifference(machine.bytes, here.bytes) ?? (tensorsOnly ? null : resultsDifference(machine, here));
}

interface Refusable {
  readonly refusal: string | null;
}

function refusals(machine: Refusable, here: Refusable): string | null {
  if (machine.refusal !== null && here.refusal !== null) return null;
  return machine.refusal === null
    ? `refused here only: ${here.refusal}`
    : `refused by the machine only: ${machine.refusal}`;
}

function bytesDifference(machine: Uint8Array, here: Uint8Array): string | null {
  if (machine.length !== here.length) return `${machine.length} bytes on the machine, ${here.length} here`;
  const differing = machine.reduce((count, byte, i) => count + (byte === here[i] ? 0 : 1), 0);
  if (differing === 0) return null;
  const at = machine.findIndex((byte, i) => byte !== here[i]);
  const most = machine.reduce((largest, byte, i) => Math.max(largest, Math.abs(byte - here[i]!)), 0);
  return `${differing} of ${machine.length} bytes differ, by ${most} at most; first at ${at}: ${machine[at]} on the machine, ${here[at]} here`;
}

function resultsDifference({ results: machine }: FrameAnswer, { results: here }: FrameAnswer): string | null {
  if (machine.length !== here.length) return `${machine.length} results on the machine, ${here.length} here`;
  const at = machine.findIndex((result, i) => !isSameResult(result, here[i]!));
  return at < 0 ? null : `result ${at}: ${describe(machine[at]!)} on the machine, ${describe(here[at]!)} here`;
}

export function isSameResult(machine: Result, here: Result): boolean {
  return (
    machine.label === here.label && String(machine.box) === String(here.box) && isSameScore(machine.score, here.score)
  );
}

/** Compares scores. Go and JavaScript can differ in the last bit of an exponential, the only float64 operation in a score. */
function isSameScore(machine: number, here: number): boolean {
  return Object.is(machine, here) || Math.abs(machine - here) <= 4 * Number.EPSILON * Math.abs(machine);
}

const describe = ({ label, score, box }: Result) => `${label} ${score}${box.length > 0 ? ` [${box.join(' ')}]` : ''}`;
