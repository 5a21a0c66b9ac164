/**
 * Acts at an interval while the page is visible, and whenever it becomes visible. Returns a function that stops this.
 * @param everyMs the interval in milliseconds, above 0
 */
export function whileVisible(everyMs: number, act: () => void): () => void {
  const actIfVisible = (): void => {
    if (document.visibilityState === 'visible') act();
  };
  const timer = setInterval(actIfVisible, everyMs);
  document.addEventListener('visibilitychange', actIfVisible);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', actIfVisible);
  };
}
