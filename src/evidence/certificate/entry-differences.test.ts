import { expect, it } from 'vitest';
import type { CertifiedEntry } from './certificate.ts';
import { entryDifferences } from './entry-differences.ts';

const of = (labelConfidences: Readonly<Record<string, number>>): CertifiedEntry =>
  ({ service: { name: 'v', defaultMinimumConfidence: 0.5, labelConfidences } }) as unknown as CertifiedEntry;
const all = (count: number, threshold: number) =>
  of(Object.fromEntries(Array.from({ length: count }, (_, at) => [`l${at}`, threshold])));
const was = (at: number): string => `the threshold of l${at} was 0.3 and is 0.4`;

it.each([
  [3, [was(0), was(1), was(2)]],
  [4, [was(0), was(1), was(2), 'the threshold of 1 more label differs']],
  [80, [was(0), was(1), was(2), 'the thresholds of 77 more labels differ']],
])('of %d labels whose thresholds differ, names three', (count, words) => {
  expect(entryDifferences(all(count, 0.3), all(count, 0.4))).toEqual(words);
});
