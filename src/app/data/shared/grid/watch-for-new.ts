import type { PagedRows } from './paged-rows.svelte.ts';

const everyMs = 5_000;
/** Each so many looks all are counted: what came and went in the middle shows then. */
const thoroughEvery = 24;

/** Looks for new and gone rows now and then while the page is seen, and when it is seen again. Returns what ends it. */
export function watchForNew(rows: Pick<PagedRows<unknown>, 'refreshIfChanged'>): () => void {
  let looks = 0;
  const look = (): void => {
    if (document.visibilityState === 'visible') void rows.refreshIfChanged(++looks % thoroughEvery === 0);
  };
  const timer = setInterval(look, everyMs);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}
