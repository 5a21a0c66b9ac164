const channelName = 'sightglass-log-in';

/** Tells the other tabs of this browser that somebody has logged in or out, so that each asks who it is now. */
export function tellOtherTabs(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(null);
  channel.close();
}

/** Calls `listener` whenever another tab tells, as long as the page is open. */
export function hearOtherTabs(listener: () => void): void {
  new BroadcastChannel(channelName).onmessage = listener;
}
