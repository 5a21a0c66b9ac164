import {
  type FilterCounts,
  type FilterKind,
  FilterPlay,
  type FilterRule,
  FilterTally,
} from '../../machine/vision/face/filtered-cameras.ts';
import type { ResultColumns } from './result-columns.ts';

/** A filtered camera that is asked what it would have kept. */
export interface FilteredAsk {
  /** the part of a rule that can be played: see `playableRule` */
  readonly rule: FilterRule;
  /** how often the data manager asks, a second; above 0 */
  readonly captureHz: number;
  /** name of the vision service that the stored results come from */
  readonly service: string;
  readonly kind: FilterKind;
}

/** What a filtered camera would have kept of stored captures. */
export interface FilteredReplay {
  readonly counts: FilterCounts;
  /** calls of the data manager: what it would store of the same camera without a filter */
  readonly asked: number;
  /** when the kept images were taken, in the order in which they are stored */
  readonly keptMs: Float64Array;
  /** images that still waited when captures ended, or a gap began */
  readonly waiting: number;
  /** how long was captured; gaps do not count */
  readonly durationMs: number;
}

/**
 * Plays stored captures to a filtered camera. Between two captures the earlier one counts; behind a gap the camera starts again, as
 * nothing is known of what it would have seen.
 * @param columns what was stored
 * @param kept numbers of the results that the service's own thresholds keep, rising
 * @param ask the camera
 * @param gapMs a longer pause is a gap
 * @returns what it keeps
 * @throws RangeError where the data manager never asks
 * @example
 * const columns = {
 *   timesMs: Float64Array.of(0, 1000, 2000), starts: Uint32Array.of(0, 0, 1, 1), labels: Uint32Array.of(0),
 *   scores: Float64Array.of(0.9), names: ['cat'],
 * };
 * const pets = { vision: 'pets', inhibit: false, classifications: {}, objects: { cat: 0.5 } };
 * const rule = { camera: 'cam', inhibitors: [], acceptors: [pets], beforeMs: 0, afterMs: 0, cooldownMs: 0, imageFrequencyHz: 1, ringSize: 0 };
 * [...filteredReplay(columns, Uint32Array.of(0), { rule, captureHz: 1, service: 'pets', kind: 'objects' }, 5000).keptMs]; // => [1500]
 */
export function filteredReplay(
  { timesMs, starts, labels, scores, names }: ResultColumns,
  kept: Uint32Array,
  { rule, captureHz, service, kind }: FilteredAsk,
  gapMs: number,
): FilteredReplay {
  const tally = new FilterTally(rule);
  const keptMs: number[] = [];
  let [asked, waiting, durationMs, startMs, at] = [0, 0, 0, 0, 0];
  let play: FilterPlay<number> | null = null;
  const end = (lastMs: number): void => {
    if (!play) return;
    play.end(lastMs);
    waiting += play.waiting;
    durationMs += lastMs - startMs;
  };
  for (let frame = 0; frame < timesMs.length; frame++) {
    const timeMs = timesMs[frame]!;
    const beforeMs = timesMs[frame - 1] ?? -Infinity;
    if (timeMs - beforeMs > gapMs) {
      end(beforeMs);
      startMs = timeMs;
      play = new FilterPlay(rule, { captureHz }, ({ kind: event, outcome }) => {
        if (event !== 'capture') return;
        asked++;
        tally.add(outcome);
        keptMs.push(...outcome.kept.map((image) => image.timeMs));
      });
    }
    const from = at;
    while (kept[at]! < starts[frame + 1]!) at++;
    const to = at;
    const seen = () => {
      const rows = Array.from(kept.subarray(from, to), (row) => ({ label: names[labels[row]!]!, score: scores[row]! }));
      const isObjects = kind === 'objects';
      return { [service]: { detections: isObjects ? rows : null, classifications: isObjects ? null : rows } };
    };
    play!.add({ image: frame, timeMs, seen });
  }
  end(timesMs.at(-1) ?? 0);
  return { counts: tally.counts, asked, keptMs: Float64Array.from(keptMs), waiting, durationMs };
}
