import { isDocument, type QueryDocument, type QueryValue, type QueryStage } from '../query-document.ts';

/** Replaces every $$NOW by one moment, so that all documents of a run get the same. */
export function fixNow(stage: QueryStage, nowMs: number): QueryStage {
  return fixDocument(stage, new Date(nowMs));
}

function fixDocument(document: QueryDocument, now: Date): QueryDocument {
  return Object.fromEntries(
    Object.entries(document).map(([key, value]) => [key, key === '$literal' ? value : fixValue(value, now)]),
  );
}

function fixValue(value: QueryValue, now: Date): QueryValue {
  if (value === '$$NOW') return now;
  if (Array.isArray(value)) return value.map((item: QueryValue) => fixValue(item, now));
  return isDocument(value) ? fixDocument(value, now) : value;
}
