import type { PagedRows } from './paged-rows.svelte.ts';

const everyMs = 5_000;

/** Looks for new and gone rows now and then while the page is seen, and when it is seen again. Returns what ends it. */
export function watchForNew(rows: Pick<PagedRows<unknown>, 'refreshIfChanged'>): () => void {
  const look = (): void => {
    if (document.visibilityState === 'visible') void rows.refreshIfChanged();
  };
  const timer = setInterval(look, everyMs);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}
