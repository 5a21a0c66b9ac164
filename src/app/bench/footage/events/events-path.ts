import type { FootageEvent } from '../../../../evidence/footage/events/footage-events.ts';

/**
 * The path of events on a `TimePlot`: a bar each, from the foot up to `top`, and at least 1/400 of the plot wide, as a thinner one
 * would be hard to see.
 */
export const eventsPath = (events: readonly FootageEvent[], durationMs: number, columns: number, top: number): string =>
  events
    .map(({ event: { startMs, endMs } }) => {
      const from = (columns * startMs) / durationMs;
      const to = Math.max((columns * endMs) / durationMs, from + columns / 400);
      return `M${from.toFixed(2)} 100V${top}H${to.toFixed(2)}V100z`;
    })
    .join('');
