import { whileVisible } from '../../../kit/runs/while-visible.ts';
import type { PagedRows } from '../items/paged-rows.svelte.ts';

const everyMs = 5_000;
/** Every so many checks all rows are counted, which also finds changes in the middle. */
const thoroughEvery = 24;

/**
 * Checks regularly for new and deleted rows while the page is visible, and when it becomes visible. Returns a function
 * that stops this.
 */
export function watchForNew(rows: Pick<PagedRows<unknown>, 'refreshIfChanged'>): () => void {
  let checks = 0;
  return whileVisible(everyMs, () => void rows.refreshIfChanged(++checks % thoroughEvery === 0));
}
