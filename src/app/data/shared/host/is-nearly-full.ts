/** With so much left nobody needs to be warned: thousands of frames. */
const PLENTY_BYTES = 1e9;

/** Nine tenths are used, and what is left is soon filled. */
export function isNearlyFull({ usedBytes, quotaBytes }: { usedBytes: number; quotaBytes: number }): boolean {
  const leftBytes = quotaBytes - usedBytes;
  return quotaBytes > 0 && leftBytes <= quotaBytes / 10 && leftBytes < PLENTY_BYTES;
}
