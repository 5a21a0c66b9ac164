import {
  countScore,
  scoreBinCount,
  type ServiceFilterRule,
  serviceThresholds,
  sumBins,
} from '../../machine/vision/face/filters.ts';
import { scoredRows, type FootageFrame } from './footage-frame.ts';
import { mostFailures, type FailedFootageFrame } from './run-digest.ts';
import {
  cutSheet,
  framesASheet,
  scoreSheet,
  type GroupedFrame,
  type RowGroup,
  type ScoreSheet,
} from './score-sheet.ts';
import { bucketOf, bucketRuns, type BucketRuns, type TimelineSpan } from './timeline.ts';

/** What no threshold changes of a label. */
interface LabelScores {
  readonly label: string;
  /** the highest score of each bucket; NaN: the label was not found */
  readonly best: Float32Array;
  /** see `countScore` */
  readonly scores: Uint32Array;
}

/** 80 MB: ten hours at ten frames a second with 46 rows each. */
const usualMostRows = 2 ** 24;
/** A classifier of thousands of classes fills a sheet with fewer frames: to sort more rows takes too long at a time. */
const mostRowsASheet = 2 ** 16;
/** Sheets are cut while others come, some at a time: all of them at once would take too long. */
const cutAtATime = 8;

/**
 * The scores of a run, packed so that another threshold costs milliseconds: see `ScoresPlay`. Frames are added in order. Where
 * there are too many rows, those of the lowest scores are left out, up to `floor`.
 */
export class RunScores {
  readonly span: TimelineSpan;
  readonly #mostRows: number;
  /** by number of the label */
  readonly #labels: (LabelScores | undefined)[] = [];
  readonly #labelNames: string[] = [];
  readonly #labelIds = new Map<string, number>();
  readonly #groups: RowGroup[] = [];
  readonly #groupIds = new Map<string, number>();
  /** the groups of a list of labels, by label index */
  readonly #tables = { boxes: new WeakMap<readonly string[], Uint32Array>(), classes: new WeakMap<readonly string[], Uint32Array>() }; // prettier-ignore
  readonly #sheets: ScoreSheet[] = [];
  readonly #runs: BucketRuns[] = [];
  readonly #failures: FailedFootageFrame[] = [];
  #open: GroupedFrame[] = [];
  #openRows = 0;
  #rows = 0;
  #floor = -Infinity;
  /** how many sheets have no rows below the floor */
  #cutTo = 0;
  #frameCount = 0;
  #failedCount = 0;

  constructor(span: TimelineSpan, mostRows = usualMostRows) {
    this.span = span;
    this.#mostRows = mostRows;
  }

  /** Adds the next frame in order of time. */
  add(frame: FootageFrame): void {
    this.#frameCount++;
    if (frame.failure) {
      const { index, timeMs, name, failure } = frame;
      if (++this.#failedCount <= mostFailures) this.#failures.push({ index, timeMs, name, message: failure.message });
      return;
    }
    const bucket = bucketOf(this.span, frame.timeMs);
    const [groups, scores]: [number[], number[]] = [[], []];
    for (const rows of scoredRows(frame)) {
      const table = this.#tableOf(rows.labels, rows === frame.detections ? 'boxes' : 'classes');
      for (let row = 0; row < rows.count; row++) {
        const [group, score] = [table[rows.labelIndex[row]!]!, rows.score[row]!];
        if (bucket !== null) this.#see(this.#groups[group]!, bucket, score);
        if (this.#floor !== -Infinity && !(score >= this.#floor)) continue;
        groups.push(group);
        scores.push(score);
      }
    }
    this.#open.push({ frame, groups, scores });
    this.#openRows += groups.length;
    if (this.#open.length === framesASheet || this.#openRows >= mostRowsASheet) this.#close();
  }

  /** frames that were added, those that failed among them */
  get frameCount(): number {
    return this.#frameCount;
  }

  get failedCount(): number {
    return this.#failedCount;
  }

  get failures(): readonly FailedFootageFrame[] {
    return this.#failures;
  }

  /** by number of the label */
  get labelNames(): readonly string[] {
    return this.#labelNames;
  }

  /** By number of the label; undefined: nothing of it lies within the span. */
  get labels(): readonly (LabelScores | undefined)[] {
    return this.#labels;
  }

  /** by number of the group */
  get groups(): readonly RowGroup[] {
    return this.#groups;
  }

  /** Those that are full, in order: more come, and these stay. */
  get sheets(): readonly ScoreSheet[] {
    return this.#sheets;
  }

  /** The buckets of each of them. */
  get runs(): readonly BucketRuns[] {
    return this.#runs;
  }

  /** The frames behind them; null: there are none. */
  openSheet(): ScoreSheet | null {
    return this.#open.length > 0 ? scoreSheet(this.#open) : null;
  }

  /** Whether all rows are here that a rule keeps. */
  hasAllOf(rule: ServiceFilterRule): boolean {
    return this.#floor === -Infinity || this.thresholds(rule).every((threshold) => threshold >= this.#floor);
  }

  /** By number of the label. */
  thresholds(rule: ServiceFilterRule): Float64Array {
    return serviceThresholds(this.#labelNames, rule);
  }

  #see({ label, labelId }: RowGroup, bucket: number, score: number): void {
    const { best, scores } = (this.#labels[labelId] ??= {
      label,
      best: new Float32Array(this.span.bucketCount).fill(NaN),
      scores: new Uint32Array(scoreBinCount),
    });
    countScore(score, scores);
    if (score > best[bucket]! || Number.isNaN(best[bucket])) best[bucket] = score;
  }

  #close(): void {
    const sheet = scoreSheet(this.#open);
    this.#sheets.push(sheet);
    this.#runs.push(bucketRuns(this.span, sheet.timesMs));
    this.#rows += this.#openRows;
    this.#open = [];
    this.#openRows = 0;
    if (this.#floor !== -Infinity) this.#cutSome();
    if (this.#rows > this.#mostRows && (this.#floor === -Infinity || this.#cutTo === this.#sheets.length))
      this.#raise();
  }

  #cutSome(): void {
    for (const end = Math.min(this.#sheets.length, this.#cutTo + cutAtATime); this.#cutTo < end; this.#cutTo++) {
      const sheet = this.#sheets[this.#cutTo]!;
      const cut = cutSheet(sheet, this.#floor);
      this.#sheets[this.#cutTo] = cut;
      this.#rows -= sheet.scores.length - cut.scores.length;
    }
  }

  /** Raises the floor so far that about half of the rows are left. */
  #raise(): void {
    const bins = sumBins(this.#labels.flatMap((one) => one?.scores ?? []));
    let [bin, left] = [scoreBinCount, 0];
    while (bin > 0 && left + bins[bin - 1]! <= this.#mostRows / 2) left += bins[--bin]!;
    const floor = bin === scoreBinCount ? Infinity : bin / scoreBinCount;
    this.#floor = floor > this.#floor ? floor : Infinity;
    this.#cutTo = 0;
  }

  #tableOf(labels: readonly string[], kind: 'boxes' | 'classes'): Uint32Array {
    const known = this.#tables[kind].get(labels);
    if (known) return known;
    const seen = new Map<string, number>();
    const table = Uint32Array.from(labels, (label, classAt) => {
      const before = seen.get(label) ?? 0;
      seen.set(label, before + 1);
      return this.#groupOf(label, kind === 'classes' ? classAt : null, before);
    });
    this.#tables[kind].set(labels, table);
    return table;
  }

  /** A list that has a label twice counts its boxes apart: `before` says how often it was there already. */
  #groupOf(label: string, classAt: number | null, before: number): number {
    const key = JSON.stringify([label, classAt, before]);
    const known = this.#groupIds.get(key);
    if (known !== undefined) return known;
    const labelId = this.#labelIds.get(label) ?? this.#labelNames.push(label) - 1;
    this.#labelIds.set(label, labelId);
    this.#groups.push({ label, labelId, classAt });
    this.#groupIds.set(key, this.#groups.length - 1);
    return this.#groups.length - 1;
  }
}
