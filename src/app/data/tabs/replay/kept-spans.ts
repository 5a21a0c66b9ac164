import type { LabelledSpan } from '../../../../evidence/replay/false-alarms.ts';
import { recall, remember, type MemoryPort } from '../../../kit/memory/remembered.ts';

const MEMORY_KEY = 'replay-spans';

/** The spans that a person labelled for one vision service of one part. */
export function recallSpans(memory: MemoryPort, key: string): readonly LabelledSpan[] {
  const spans = keptSpans(memory)[key];
  return Array.isArray(spans) ? spans.filter(isSpan) : [];
}

/** Keeps them for the next visit; false: the browser did not. */
export function rememberSpans(memory: MemoryPort, key: string, spans: readonly LabelledSpan[]): boolean {
  const { [key]: _, ...others } = keptSpans(memory);
  remember(memory, MEMORY_KEY, spans.length > 0 ? { ...others, [key]: spans } : others);
  return recallSpans(memory, key).length === spans.length;
}

function keptSpans(memory: MemoryPort): Readonly<Record<string, unknown>> {
  const kept = recall(memory, MEMORY_KEY);
  return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
}

function isSpan(value: unknown): value is LabelledSpan {
  const { label, startMs, endMs } = (value ?? {}) as Partial<Record<keyof LabelledSpan, unknown>>;
  return (
    (label === null || typeof label === 'string') &&
    Number.isFinite(startMs) &&
    Number.isFinite(endMs) &&
    Number(startMs) < Number(endMs)
  );
}
