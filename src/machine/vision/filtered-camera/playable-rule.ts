import type { FilterRule } from './filter-rule.ts';

/** A rule as far as footage that some services saw can play it. */
export interface PlayableRule {
  readonly rule: FilterRule;
  /** services that the rule asks and that saw nothing: played as if they found nothing */
  readonly absent: readonly string[];
}

/**
 * Leaves out the services that did not run.
 * @param rule of a filtered camera
 * @param services that ran on the footage
 * @returns the rest of the rule; null: nothing of it can be played, as no accepting line asks one of them
 * @example
 * const eyes = { vision: 'eyes', inhibit: false, classifications: {}, objects: { person: 0.5 } };
 * const rule = { camera: 'cam', inhibitors: [], acceptors: [eyes], beforeMs: 0, afterMs: 1000, cooldownMs: 0, imageFrequencyHz: 1, ringSize: 3 };
 * playableRule(rule, ['eyes']).absent; // => []
 * playableRule(rule, ['ears']); // => null
 */
export function playableRule(rule: FilterRule, services: readonly string[]): PlayableRule | null {
  const isHere = ({ vision }: { readonly vision: string }): boolean => services.includes(vision);
  const asked = [...rule.inhibitors, ...rule.acceptors];
  const acceptors = rule.acceptors.filter(isHere);
  // Without an accepting service a filtered camera keeps whatever is not held back: that would be another rule.
  if (acceptors.length === 0 && rule.acceptors.length > 0) return null;
  const absent = [...new Set(asked.filter((one) => !isHere(one)).map(({ vision }) => vision))];
  return { rule: { ...rule, inhibitors: rule.inhibitors.filter(isHere), acceptors }, absent };
}
