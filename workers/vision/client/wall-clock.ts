/** ms since 1970, finer than Date.now. */
export const wallClockMs = (): number => performance.timeOrigin + performance.now();
