import type { EventRule } from '../../evidence/events/event-rule.ts';

/** Three of five frames hold back what flickers; two hold an event that does. */
const usualRule: EventRule = { atLeast: 3, ofFrames: 5, beginScore: 0, endBelow: 2, quietMs: 0, gapMs: 10_000 };

/** The rule of events that is tried on the bench: on the frames of the stage, and on whole footage. Like that of Replay, it is gone with the page. */
export class EventSettings {
  public rule = $state.raw(usualRule);
}

const byBench = new WeakMap<object, EventSettings>();

/** The settings of a bench, which its parts share; no part of the page is loaded with them. */
export function eventSettingsOf(bench: object): EventSettings {
  const settings = byBench.get(bench) ?? new EventSettings();
  byBench.set(bench, settings);
  return settings;
}
