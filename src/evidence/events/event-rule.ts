/** When a label is said to be there, and how often that is told. The machine has no such rule: a program applies it to what it says. */
export interface EventRule {
  /** an event begins once the label is kept in at least so many … */
  readonly atLeast: number;
  /** … of so many frames in a row, from 1 to `mostFrames` */
  readonly ofFrames: number;
  /** for the beginning, a frame counts from this score on, 0..1; 0: wherever the label is kept */
  readonly beginScore: number;
  /** the number of these frames with the label below which it ends, whatever their scores; 1 to `atLeast` */
  readonly endBelow: number;
  /** an event of a label is told if the one told before began so long ago, ms; 0: each is told */
  readonly quietMs: number;
  /** a longer pause between frames ends an event, and frames before it count no longer, ms */
  readonly gapMs: number;
}

/** Each frame with the label is its own word: what a program does that knows no rule. */
export const plainEventRule = { atLeast: 1, ofFrames: 1, beginScore: 0, endBelow: 1, quietMs: 0 } as const;

/** Nobody waits longer: five minutes at 30 frames a second. */
export const mostFrames = 9000;

/**
 * Refuses a rule that nothing meets, or everything.
 * @param rule that was asked for
 * @throws RangeError that says which number is out of its range
 * @example
 * refuseUnfitRule({ atLeast: 3, ofFrames: 2, beginScore: 0, endBelow: 1, quietMs: 0, gapMs: 1000 }); // throws: 1 ≤ n ≤ m
 */
export function refuseUnfitRule({ atLeast, ofFrames, beginScore, endBelow, quietMs, gapMs }: EventRule): void {
  const isWhole = (value: number, most: number): boolean => Number.isInteger(value) && value >= 1 && value <= most;
  if (!isWhole(ofFrames, mostFrames) || !isWhole(atLeast, ofFrames))
    throw new RangeError(
      `A label is present in n of m frames with 1 ≤ n ≤ m ≤ ${mostFrames}, got ${atLeast} of ${ofFrames}.`,
    );
  if (!isWhole(endBelow, atLeast))
    throw new RangeError(`An event ends below 1 to ${atLeast} frames, as many as begin it at most, got ${endBelow}.`);
  if (!(beginScore >= 0 && beginScore <= 1))
    throw new RangeError(`An event begins at a score from 0 to 1, got ${beginScore}.`);
  if (!(quietMs >= 0 && gapMs > 0))
    throw new RangeError(`Times of an event rule are not negative, got ${quietMs} ms quiet and gaps of ${gapMs} ms.`);
}

/**
 * Says a rule in words.
 * @param rule of events
 * @returns what follows "an event:"
 * @example
 * eventRuleText({ atLeast: 3, ofFrames: 5, beginScore: 0, endBelow: 3, quietMs: 0 }); // => 'present in 3 of 5 frames, each is reported'
 */
export function eventRuleText(rule: Omit<EventRule, 'gapMs'>): string {
  const { atLeast, ofFrames, beginScore, endBelow, quietMs } = rule;
  const begins = `present in ${atLeast} of ${ofFrames} frames${beginScore > 0 ? ` with a score of at least ${beginScore}` : ''}`;
  const ends = endBelow < atLeast ? `, until it is in fewer than ${endBelow} of ${ofFrames}` : '';
  const told = quietMs > 0 ? `reported at most once in ${quietMs / 60_000} minutes` : 'each is reported';
  return `${begins}${ends}, ${told}`;
}

/**
 * Changes some numbers of a rule as a person types them, and moves others so that all fit: n follows m, m follows n, and
 * where an event ends follows n.
 * @param rule that fits
 * @param typed the numbers that change; those out of their range go to its nearest end
 * @returns a rule that fits
 * @example
 * const rule = { atLeast: 3, ofFrames: 5, beginScore: 0, endBelow: 3, quietMs: 0, gapMs: 1000 };
 * changeRule(rule, { ofFrames: 2 }); // => { ...rule, atLeast: 2, ofFrames: 2, endBelow: 2 }
 */
export function changeRule(rule: EventRule, typed: Partial<EventRule>): EventRule {
  const whole = (value: number, most: number): number => Math.min(most, Math.max(1, Math.round(value)));
  const ofFrames = whole(typed.ofFrames ?? Math.max(rule.ofFrames, typed.atLeast ?? 1), mostFrames);
  const atLeast = whole(typed.atLeast ?? rule.atLeast, ofFrames);
  const isSame = rule.endBelow === rule.atLeast;
  return {
    ofFrames,
    atLeast,
    endBelow: whole(typed.endBelow ?? (isSame ? atLeast : rule.endBelow), atLeast),
    beginScore: Math.min(1, Math.max(0, typed.beginScore ?? rule.beginScore)),
    quietMs: Math.max(0, typed.quietMs ?? rule.quietMs),
    gapMs: Math.max(shortestGapMs, typed.gapMs ?? rule.gapMs),
  };
}

const shortestGapMs = 100;
