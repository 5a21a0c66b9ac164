import { Lazy, type Iterator } from 'mingo/lazy';
import { isDocument } from '../../query-document.ts';
import { invalidQuery } from '../../query-error.ts';

/** Random documents, none twice; mingo's own draws with replacement and makes rows out of nothing. */
export function $sample(rows: Iterator, expr: unknown): Iterator {
  const size = isDocument(expr) ? expr.size : undefined;
  if (!Number.isSafeInteger(size) || (size as number) < 1)
    throw invalidQuery(`$sample takes {size}, a whole number of at least 1, not ${JSON.stringify(expr)}.`);
  return rows.transform((all: unknown[]) => {
    const drawn = all.slice();
    const count = Math.min(size as number, drawn.length);
    for (let i = 0; i < count; i++) {
      const j = i + Math.floor(Math.random() * (drawn.length - i));
      [drawn[i], drawn[j]] = [drawn[j], drawn[i]];
    }
    return Lazy(drawn.slice(0, count));
  });
}
