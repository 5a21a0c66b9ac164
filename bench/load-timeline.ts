import type { Page, Request, Worker } from 'playwright';

/**
 * Records what a page and its workers load and start. `end` returns it as lines in the order of the requests, with times in
 * ms since the call of this function.
 */
export function watchLoading(page: Page): { end(): readonly string[] } {
  const startMs = Date.now();
  const events: { readonly atMs: number; readonly text: string }[] = [];
  const nameOf = (url: string): string => new URL(url).pathname.split('/').at(-1) || 'the page';
  const loaded = (request: Request): void => {
    if (request.url().startsWith('blob:')) return; // not loaded from the network
    const { startTime, responseEnd } = request.timing();
    const atMs = startTime - startMs;
    const endMs = atMs + Math.max(0, responseEnd);
    events.push({ atMs, text: `${atMs.toFixed(0)}–${endMs.toFixed(0)} ${nameOf(request.url())}` });
  };
  const started = (worker: Worker): void => {
    const atMs = Date.now() - startMs;
    events.push({ atMs, text: `${atMs} worker ${nameOf(worker.url())} starts` });
  };
  page.on('requestfinished', loaded);
  page.on('worker', started);
  return {
    end() {
      page.off('requestfinished', loaded);
      page.off('worker', started);
      return events.toSorted((a, b) => a.atMs - b.atMs).map(({ text }) => text);
    },
  };
}
