import { resolve } from 'mingo/util';
import type { QueryDocument, QueryValue } from '../query-document.ts';

/**
 * Reads the value at a dotted path as mingo's `resolve` does: what lies in plain documents at once, and all else
 * (arrays on the way, names that every object has) by mingo itself.
 */
export function pathReader(path: string): (document: QueryDocument) => QueryValue {
  const byMingo = (document: QueryDocument): QueryValue =>
    resolve(document as Record<string, unknown>, path) as QueryValue;
  const names = path.split('.');
  if (names.some((name) => name in Object.prototype)) return byMingo;
  return (document) => {
    let value: QueryValue = document;
    for (const name of names) {
      if (value === undefined) return undefined;
      if (typeof value !== 'object' || value === null) return byMingo(document);
      if (Object.getPrototypeOf(value) !== Object.prototype) return byMingo(document);
      value = (value as QueryDocument)[name];
    }
    return value;
  };
}
