/**
 * Calls `onNews` whenever another tab of this browser tells that somebody has logged in or out, as long as the page is open.
 * @returns tells the other tabs; this one does not hear itself
 */
export function openLogInNews(onNews: () => void): () => void {
  const channel = new BroadcastChannel('sightglass-log-in');
  channel.onmessage = onNews;
  return () => channel.postMessage(null);
}
