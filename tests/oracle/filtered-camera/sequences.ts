import type { Dice } from '../cases/dice.ts';
import { diceOf } from '../cases/dice.ts';

/** What happens to a filtered camera, as `decide.go` reads it. */
export interface FilterSequence {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** by image and service */
  readonly seen: Readonly<Record<string, Readonly<Record<string, SaidOfImage>>>>;
  readonly events: readonly {
    readonly kind: 'background' | 'capture';
    readonly timeMs: number;
    readonly images: readonly string[];
  }[];
}

interface SaidOfImage {
  readonly classifications: readonly ScoredLabel[] | null;
  readonly detections: readonly ScoredLabel[] | null;
}

interface ScoredLabel {
  readonly label: string;
  readonly score: number;
}

const visions = ['eyes', 'ears', 'nose'];
const labels = ['person', 'dog', 'Dog', 'car'];
/** Thresholds and scores are few, so that many are equal. */
const scores = [0, 0.3, 0.5, 0.9, 1];

/** A random sequence; equal seeds and numbers give equal sequences. Times are multiples of 250 ms, so that many lie on a boundary. */
export function filterSequence(seed: number, number: number): FilterSequence {
  const dice = diceOf(seed, number);
  const attributes = randomAttributes(dice);
  const eventCount = dice.whole(8, 26);
  // The program's background worker keeps to the real clock: a slow one takes few images, one beyond 1000 a second none.
  const { image_frequency: written } = attributes;
  const frequency = typeof written === 'number' && written > 0 ? written : 1;
  let backgrounds = frequency > 1000 ? 0 : Math.max(2, Math.min(12, 5 * frequency));
  const seen: Record<string, Record<string, SaidOfImage>> = {};
  let [timeMs, count] = [0, 0];
  const events = dice.list(eventCount, () => {
    timeMs += dice.chance(0.04) ? -250 * dice.whole(1, 12) : 250 * dice.pick([0, 1, 1, 2, 2, 3, 4, 8]);
    const kind = backgrounds >= 1 && dice.chance(0.5) ? ('background' as const) : ('capture' as const);
    if (kind === 'background') backgrounds--;
    const images = dice.list(dice.pick([1, 1, 1, 2, 3]), () => `i${count++}`);
    if (kind === 'capture') for (const image of images) seen[image] = saidOf(dice);
    return { kind, timeMs, images };
  });
  return { attributes, seen, events };
}

function saidOf(dice: Dice): Record<string, SaidOfImage> {
  const some = () => (dice.chance(0.02) ? null : dice.list(dice.pick([0, 1, 1, 2, 3]), () => scoredLabel(dice)));
  return Object.fromEntries(visions.map((name) => [name, { classifications: some(), detections: some() }]));
}

const scoredLabel = (dice: Dice): ScoredLabel => ({ label: dice.pick(labels), score: dice.pick(scores) });

/** Attributes of which the module refuses about a fifth. */
function randomAttributes(dice: Dice): Record<string, unknown> {
  const windows = dice.pick([
    () => ({ window_seconds: dice.whole(1, 3) }),
    () => ({ window_seconds_before: dice.whole(0, 3), window_seconds_after: dice.whole(0, 3) }),
    () => ({ window_seconds_before: dice.pick([1, 1.9, 2]) }),
    () => ({ window_seconds_after: dice.pick([1, 2, 4]), window_seconds: 0 }),
  ])();
  const given: Record<string, unknown> = {
    camera: 'cam',
    ...(dice.chance(0.2) ? { vision: 'eyes', ...maps(dice) } : { vision_services: services(dice) }),
    ...windows,
    ...(dice.chance(0.7) && { image_frequency: dice.pick([0, 0.3, 0.5, 1, 2, 3.3, 5, 10, 30, 1500]) }),
    ...(dice.chance(0.5) && { cooldown_s: dice.pick([0, 1, 1, 2, 3, 1.5]) }),
    ...(dice.chance(0.05) && { debug: true }),
    ...(dice.chance(0.1) && maps(dice)),
  };
  return dice.chance(0.15) ? { ...given, ...dice.pick(slips) } : given;
}

/** Attributes that are refused, or read in a way that is easily got wrong. */
const slips: readonly Record<string, unknown>[] = [
  { camera: '' },
  { camera: null },
  { camera: 7 },
  { vision: '', vision_services: null },
  { vision: 'ears', vision_services: [] },
  { vision_services: [null] },
  { vision_services: [{ vision: 'eyes', objects: { '*': 0.3 } }, {}] },
  { vision_services: [{ vision: 'eyes', objects: ['dog'] }] },
  { vision_services: [{ vision: 'eyes', objects: { dog: '0.5' } }] },
  { vision_services: [{ vision: 'eyes', objects: { dog: null } }] },
  { vision_services: { vision: 'eyes' } },
  { image_frequency: -1 },
  { image_frequency: '5' },
  { cooldown_s: -1 },
  { cooldown_s: -0.5 },
  { window_seconds: -1 },
  { window_seconds_before: -1 },
  { window_seconds_before: 0.9, window_seconds_after: 0, window_seconds: 0 },
  { window_seconds: 2, window_seconds_before: 2 },
  { window_seconds: 2, window_seconds_after: -2 },
  { Window_Seconds_Before: 1 },
];

function services(dice: Dice): unknown[] {
  return dice.list(dice.pick([0, 1, 1, 1, 2, 2, 3, 4]), () => ({
    vision: dice.pick(visions),
    ...maps(dice),
    ...(dice.chance(0.35) && { inhibit: dice.chance(0.9) }),
  }));
}

/** One of the two maps, both or none; rarely empty, or null. */
function maps(dice: Dice): Record<string, unknown> {
  const map = () =>
    dice.chance(0.06)
      ? dice.pick([{}, null])
      : Object.fromEntries(
          dice.list(dice.pick([1, 1, 2, 3]), () => [dice.pick([...labels, ...labels, '*']), dice.pick(scores)]),
        );
  return { ...(dice.chance(0.75) && { objects: map() }), ...(dice.chance(0.4) && { classifications: map() }) };
}
