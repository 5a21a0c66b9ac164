declare global {
  interface Window {
    complaintsOfTest?: string[];
  }
}

/**
 * In a page: gathers errors and warnings of its console, uncaught errors and unhandled rejections, from the first call on, and gives
 * those since the last call. It uses nothing but itself.
 */
export function complaintsOfPage(): string[] {
  const gathered = (window.complaintsOfTest ??= watch());
  return gathered.splice(0);

  function watch(): string[] {
    const complaints: string[] = [];
    for (const level of ['error', 'warn'] as const) {
      const write = console[level].bind(console);
      console[level] = (...words: unknown[]) => {
        complaints.push(`${level}: ${words.map(String).join(' ')}`);
        write(...words);
      };
    }
    // Sizes that change while they are told of are told in the next frame: WebKit calls that an error, of which nothing comes.
    const isLateSize = (message: string) => message.startsWith('ResizeObserver loop completed');
    addEventListener('error', ({ message }) => isLateSize(message) || complaints.push(`uncaught: ${message}`));
    addEventListener('unhandledrejection', ({ reason }) => complaints.push(`unhandled: ${String(reason)}`));
    return complaints;
  }
}
