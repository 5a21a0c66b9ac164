/** ms since 1970, with a finer resolution than Date.now. */
export const wallClockMs = (): number => performance.timeOrigin + performance.now();
