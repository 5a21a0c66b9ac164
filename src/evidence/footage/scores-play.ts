import type { ServiceFilterRule } from '../../machine/vision/face/filters.ts';
import type { Change } from './changes.ts';
import type { DigestedRun } from './run-digest.ts';
import type { RunScores } from './run-scores.ts';
import { framesASheet, keptEnd, type RowGroup, type ScoreSheet } from './score-sheet.ts';
import { bucketRuns, byPresence, type BucketRuns, type LabelTimeline } from './timeline.ts';

/** A label over time: see `LabelTimeline`. */
interface Kept {
  readonly frames: Uint32Array;
  readonly most: Uint32Array;
  kept: number;
}

/** A label's count as `ChangeFinder` holds it, and the one that is to last: of which frame. */
interface Held {
  count: number;
  pending: number | null;
  index: number;
  timeMs: number;
  name: string;
}

/** A change of one label, and the place of the frame that settles it. */
interface Settled extends Pick<Change, 'index' | 'timeMs' | 'name'> {
  readonly place: number;
  readonly labelId: number;
  readonly count: number;
  readonly before: number;
}

type WrittenChange = Change & Readonly<Record<'counts' | 'before', Map<string, number>>>;

/** Outcome of the sheets that were played so far, by number of the label. */
class Played {
  readonly kept: (Kept | undefined)[] = [];
  readonly held: (Held | undefined)[] = [];
  changes: WrittenChange[] = [];

  copy(): Played {
    const copy = new Played();
    for (const [at, one] of this.kept.entries())
      copy.kept[at] = one && { frames: one.frames.slice(), most: one.most.slice(), kept: one.kept };
    for (const [at, one] of this.held.entries()) copy.held[at] = one && { ...one };
    copy.changes = [...this.changes];
    return copy;
  }
}

/**
 * Says of packed scores what a `RunDigest` of another rule says of the frames: of each label it reads the rows that are kept,
 * and no others.
 */
export class ScoresPlay {
  readonly #scores: RunScores;
  readonly #rule: ServiceFilterRule;
  readonly #holdMs: number;
  readonly #played = new Played();
  /** by number of the label */
  #thresholds: Float64Array;
  /** by number of the group: it holds boxes, and all rows of its label */
  #isAlone: readonly boolean[] = [];
  /** full sheets that are played */
  #sheetCount = 0;
  readonly #buckets = new Int32Array(framesASheet);
  readonly #onFrame = new Uint32Array(framesASheet);
  /** by number of the label: what is kept of it on each frame of the sheet; all 0 between sheets */
  readonly #counts: (Uint32Array | undefined)[] = [];

  /**
   * @param scores of a run that may go on
   * @param rule all of whose rows are there: see `hasAllOf`
   * @param holdMs how long counts last that are a change
   */
  constructor(scores: RunScores, rule: ServiceFilterRule, holdMs: number) {
    this.#scores = scores;
    this.#rule = rule;
    this.#holdMs = holdMs;
    this.#thresholds = scores.thresholds(rule);
  }

  /** A run that goes on has more labels. */
  #takeLabels(): void {
    const { groups } = this.#scores;
    this.#thresholds = this.#scores.thresholds(this.#rule);
    const groupCounts: number[] = [];
    for (const { labelId } of groups) groupCounts[labelId] = (groupCounts[labelId] ?? 0) + 1;
    this.#isAlone = groups.map(({ labelId, classAt }) => classAt === null && groupCounts[labelId] === 1);
  }

  /** Plays full sheets that are not played yet, until it is time. Returns whether all of them are. */
  play(isTime: () => boolean = () => false): boolean {
    const { sheets, runs } = this.#scores;
    this.#takeLabels();
    while (this.#sheetCount < sheets.length) {
      const at = this.#sheetCount++;
      this.#playSheet(sheets[at]!, runs[at]!, this.#played);
      if (isTime()) break;
    }
    return this.#sheetCount === sheets.length;
  }

  /** Digests what was played and, where all sheets were, the frames behind them. What it gives never changes. */
  digest(): DigestedRun {
    const { span, labels, frameCount, failedCount, failures, sheets } = this.#scores;
    const played = this.#played.copy();
    const open = this.#sheetCount === sheets.length ? this.#scores.openSheet() : null;
    this.#takeLabels();
    if (open) this.#playSheet(open, bucketRuns(span, open.timesMs), played);
    const none = { frames: new Uint32Array(span.bucketCount), most: new Uint32Array(span.bucketCount), kept: 0 };
    const timelines = labels.flatMap((one, labelId): LabelTimeline[] => {
      if (!one) return [];
      const { label, best, scores } = one;
      const threshold = this.#thresholds[labelId]!;
      return [{ label, threshold, ...(played.kept[labelId] ?? none), best: best.slice(), scores: scores.slice() }];
    });
    return {
      span,
      frameCount,
      failedCount,
      failures: [...failures],
      labels: byPresence(timelines),
      changes: played.changes,
    };
  }

  #playSheet(sheet: ScoreSheet, runs: BucketRuns, to: Played): void {
    const { groups, starts } = sheet;
    const [present, followed] = [new Set<number>(), new Set<number>()];
    const settled: Settled[] = [];
    const classes: [group: RowGroup, from: number, end: number][] = [];
    for (let at = 0; at < groups.length; at++) {
      const number = groups[at]!;
      const group = this.#scores.groups[number]!;
      const [from, end] = [starts[at]!, keptEnd(sheet, at, this.#thresholds[group.labelId]!)];
      if (end === from) continue;
      if (this.#isAlone[number]) {
        this.#playAlone(sheet, runs, from, end, group, to, settled);
        followed.add(group.labelId);
        continue;
      }
      if (present.size === 0 && classes.length === 0) this.#spread(runs);
      this.#count(sheet, from, end, group, to);
      if (group.classAt !== null) classes.push([group, from, end]);
      else present.add(group.labelId);
    }
    if (classes.length > 0) this.#countSurest(sheet, classes, present);
    this.#follow(sheet, present, followed, to, settled);
  }

  /** Counts the rows of a label for the timeline and for changes at once. */
  #playAlone(
    sheet: ScoreSheet,
    { ends, buckets }: BucketRuns,
    from: number,
    end: number,
    { labelId }: RowGroup,
    to: Played,
    settled: Settled[],
  ): void {
    const { places } = sheet;
    const onFrame = this.#onFrame;
    for (let row = from; row < end; row++) {
      const place = places[row]!;
      onFrame[place] = onFrame[place]! + 1;
    }
    const [one, held] = [this.#keptOf(labelId, to), heldOf(labelId, to)];
    let lasting = held.count;
    let isPending = held.pending !== null;
    let place = 0;
    for (let run = 0; run < ends.length; run++) {
      let [frames, most, kept] = [0, 0, 0];
      for (const next = ends[run]!; place < next; place++) {
        const count = onFrame[place]!;
        if (count > 0) {
          onFrame[place] = 0;
          frames++;
          kept += count;
          if (count > most) most = count;
        }
        if (count === lasting && !isPending) continue;
        this.#followFrame(sheet, place, count, labelId, held, settled);
        lasting = held.count;
        isPending = held.pending !== null;
      }
      const bucket = buckets[run]!;
      if (bucket < 0 || frames === 0) continue;
      one.frames[bucket] = one.frames[bucket]! + frames;
      if (most > one.most[bucket]!) one.most[bucket] = most;
      one.kept += kept;
    }
  }

  #spread({ ends, buckets }: BucketRuns): void {
    for (const [run, end] of ends.entries()) this.#buckets.fill(buckets[run]!, ends[run - 1] ?? 0, end);
  }

  #keptOf(labelId: number, to: Played): Kept {
    const { bucketCount } = this.#scores.span;
    return (to.kept[labelId] ??= { frames: new Uint32Array(bucketCount), most: new Uint32Array(bucketCount), kept: 0 });
  }

  /** Counts rows for the timeline; those of boxes also for changes. */
  #count({ places }: ScoreSheet, from: number, end: number, { labelId, classAt }: RowGroup, to: Played): void {
    const one = this.#keptOf(labelId, to);
    const { frames, most } = one;
    const [onFrame, buckets, counts] = [this.#onFrame, this.#buckets, this.#countsOf(labelId)];
    const step = classAt === null ? 1 : 0;
    for (let row = from; row < end; row++) {
      const place = places[row]!;
      counts[place] = counts[place]! + step;
      const bucket = buckets[place]!;
      if (bucket < 0) continue;
      const count = onFrame[place]! + 1;
      onFrame[place] = count;
      if (count === 1) frames[bucket] = frames[bucket]! + 1;
      if (count > most[bucket]!) most[bucket] = count;
      one.kept++;
    }
    for (let row = from; row < end; row++) onFrame[places[row]!] = 0;
  }

  /** The best class that is kept counts as one: of equal ones the first in the list. */
  #countSurest(
    { places, scores }: ScoreSheet,
    classes: readonly [RowGroup, number, number][],
    present: Set<number>,
  ): void {
    const surest: (RowGroup | undefined)[] = [];
    const best = new Float64Array(framesASheet);
    for (const [group, from, end] of classes)
      for (let row = from; row < end; row++) {
        const place = places[row]!;
        const score = Number.isNaN(scores[row]) ? -Infinity : scores[row]!;
        const before = surest[place];
        if (before && (score < best[place]! || (score === best[place] && before.classAt! < group.classAt!))) continue;
        surest[place] = group;
        best[place] = score;
      }
    for (const [place, group] of surest.entries()) {
      if (!group) continue;
      this.#countsOf(group.labelId)[place]!++;
      present.add(group.labelId);
    }
  }

  /** Finds the changes of each label by itself, as `ChangeFinder` does. */
  #follow(
    sheet: ScoreSheet,
    present: ReadonlySet<number>,
    followed: ReadonlySet<number>,
    to: Played,
    settled: Settled[],
  ): void {
    for (const labelId of present) {
      this.#followLabel(sheet, labelId, heldOf(labelId, to), settled);
      this.#countsOf(labelId).fill(0);
    }
    for (let labelId = 0; labelId < to.held.length; labelId++) {
      const held = to.held[labelId];
      if (!held || (held.count === 0 && held.pending === null) || present.has(labelId) || followed.has(labelId))
        continue;
      this.#followLabel(sheet, labelId, held, settled);
    }
    // Labels that changed at one frame are one change.
    settled.sort((a, b) => a.place - b.place || a.index - b.index || a.labelId - b.labelId);
    let before: Settled | null = null;
    for (const one of settled) {
      const { index, timeMs, name, labelId } = one;
      const isSame = before?.place === one.place && before.index === index;
      if (!isSame) to.changes.push({ index, timeMs, name, counts: new Map(), before: new Map() });
      before = one;
      const change = to.changes.at(-1)!;
      const label = this.#scores.labelNames[labelId]!;
      change.counts.set(label, one.count);
      change.before.set(label, one.before);
    }
  }

  #followLabel(sheet: ScoreSheet, labelId: number, held: Held, settled: Settled[]): void {
    const counts = this.#countsOf(labelId);
    for (let place = 0; place < sheet.timesMs.length; place++)
      this.#followFrame(sheet, place, counts[place]!, labelId, held, settled);
  }

  #followFrame(
    { indices, timesMs, names }: ScoreSheet,
    place: number,
    count: number,
    labelId: number,
    held: Held,
    settled: Settled[],
  ): void {
    if (count === held.count) {
      held.pending = null;
      return;
    }
    const timeMs = timesMs[place]!;
    if (held.pending !== count) {
      held.pending = count;
      held.index = indices[place]!;
      held.timeMs = timeMs;
      held.name = names[place] ?? names[0]!;
    }
    if (timeMs - held.timeMs < this.#holdMs) return;
    const { index, timeMs: sinceMs, name, count: before } = held;
    settled.push({ place, labelId, index, timeMs: sinceMs, name, count, before });
    held.count = count;
    held.pending = null;
  }

  #countsOf(labelId: number): Uint32Array {
    return (this.#counts[labelId] ??= new Uint32Array(framesASheet));
  }
}

const heldOf = (labelId: number, to: Played): Held =>
  (to.held[labelId] ??= { count: 0, pending: null, index: 0, timeMs: 0, name: '' });
