import { Lazy, type Iterator } from 'mingo/lazy';

/** Like mingo's $count, but without documents it returns nothing, as MongoDB does. */
export function $count(rows: Iterator, expr: string): Iterator {
  let isTold = false;
  return Lazy(() => {
    if (isTold) return { done: true };
    isTold = true;
    const count = rows.size();
    return count === 0 ? { done: true } : { done: false, value: { [expr]: count } };
  });
}
