import type { EventRule } from '../src/evidence/events/event-rule.ts';
import { randomSource } from './random-frame.ts';

export interface SeenFrame {
  readonly ms: number;
  readonly found: readonly (readonly [label: string, score: number])[];
}

export const eventLabels = ['cat', 'dog'];

/** Seeded rules, each with frames 250 ms apart, some behind a gap, in which labels come and go, some of them twice in a frame. */
export function eventSequences(
  seed: number,
  count: number,
): readonly { rule: EventRule; seen: readonly SeenFrame[] }[] {
  const random = randomSource(seed);
  const upTo = (limit: number) => Math.floor(random() * limit);
  const frames = (): readonly SeenFrame[] => {
    let ms = 0;
    const share = [0.2, 0.5, 0.8][upTo(3)]!;
    return Array.from({ length: 40 }, () => {
      ms += upTo(12) === 0 ? 5000 : 250;
      const labels = eventLabels.filter(() => random() < share);
      const twice = upTo(6) === 0 ? labels : [];
      return { ms, found: [...labels, ...twice].map((label) => [label, (1 + upTo(9)) / 10] as const) };
    });
  };
  return Array.from({ length: count }, () => {
    const ofFrames = 1 + upTo(6);
    const atLeast = 1 + upTo(ofFrames);
    const [endBelow, beginScore] = [1 + upTo(atLeast), [0, 0.4, 0.7][upTo(3)]!];
    return {
      rule: { atLeast, ofFrames, endBelow, beginScore, quietMs: [0, 750, 4000][upTo(3)]!, gapMs: 1000 },
      seen: frames(),
    };
  });
}
