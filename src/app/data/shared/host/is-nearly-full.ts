/** With this much free space (thousands of frames) no warning is needed. */
const PLENTY_BYTES = 1e9;

/** Whether nine tenths are used and the rest is small. */
export function isNearlyFull({ usedBytes, quotaBytes }: { usedBytes: number; quotaBytes: number }): boolean {
  const leftBytes = quotaBytes - usedBytes;
  return quotaBytes > 0 && leftBytes <= quotaBytes / 10 && leftBytes < PLENTY_BYTES;
}
