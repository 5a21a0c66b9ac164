import type { PagedRows } from '../items/paged-rows.svelte.ts';

const everyMs = 5_000;
/** Each so many checks all are counted: what came and went in the middle shows then. */
const thoroughEvery = 24;

/** Checks for new and gone rows now and then while the page is seen, and when it is seen again. Returns what ends it. */
export function watchForNew(rows: Pick<PagedRows<unknown>, 'refreshIfChanged'>): () => void {
  let checks = 0;
  const check = (): void => {
    if (document.visibilityState === 'visible') void rows.refreshIfChanged(++checks % thoroughEvery === 0);
  };
  const timer = setInterval(check, everyMs);
  document.addEventListener('visibilitychange', check);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', check);
  };
}
