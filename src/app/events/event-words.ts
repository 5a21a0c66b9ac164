import type { FoundEvent } from '../../evidence/events/event-finder.ts';
import { counted, durationText, numberText } from '../kit/words/figures.ts';

/** How long an event was, its highest score, and whether it was reported: "2.4 s · 0.91 · kept back". */
export function eventFacts({ startMs, endMs, peakScore, isTold }: Omit<FoundEvent<unknown>, 'firstMs'>): string {
  const length = endMs > startMs ? durationText(endMs - startMs) : 'one frame';
  return `${length} · ${peakScore.toFixed(2)}${isTold ? '' : ' · kept back'}`;
}

/** What the rule makes of a label: "3 events, 2 reported. Without the rule: 17. 12 flickers of a single frame are held back." */
export function eventsText(
  { withoutRule, flickers }: { readonly withoutRule: number; readonly flickers: number },
  events: number,
  told: number,
): string {
  const reported = told < events ? `, ${numberText(told)} reported` : '';
  const held = flickers > 0 ? ` ${counted(flickers, 'flicker')} of a single frame held back.` : '';
  return `${counted(events, 'event')}${reported}. Without the rule: ${numberText(withoutRule)}.${held}`;
}

/** How late the first report is: "The first is reported 0.4 s after the first frame that counts." */
export const delayText = (delayMs: number): string =>
  delayMs > 0
    ? `The first is reported ${durationText(delayMs)} after the first frame that counts.`
    : 'The first is reported with its first frame.';
