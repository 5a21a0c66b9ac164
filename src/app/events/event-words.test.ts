import { expect, it } from 'vitest';
import { delayText, eventFacts, eventsText } from './event-words.ts';

it.each([
  [
    { withoutRule: 17, flickers: 12 },
    3,
    2,
    '3 events, 2 reported. Without the rule: 17. 12 flickers of a single frame held back.',
  ],
  [{ withoutRule: 1, flickers: 1 }, 0, 0, '0 events. Without the rule: 1. 1 flicker of a single frame held back.'],
  [{ withoutRule: 1, flickers: 0 }, 1, 1, '1 event. Without the rule: 1.'],
] as const)('says what the rule makes of %o', (counts, events, told, text) => {
  expect(eventsText(counts, events, told)).toBe(text);
});

it('says how long an event was, and whether it was reported', () => {
  const event = { label: 'cat', firstMs: 0, startMs: 100, endMs: 2500, peakScore: 0.912, isTold: true };
  expect(eventFacts(event)).toBe('2.4 s · 0.91');
  expect(eventFacts({ ...event, endMs: 100, isTold: false })).toBe('one frame · 0.91 · kept back');
});

it('says how late the first report is', () => {
  expect(delayText(400)).toBe('The first is reported 400 ms after the first frame that counts.');
  expect(delayText(0)).toBe('The first is reported with its first frame.');
});
