import type { Judgement, JudgingPlan, StrataEdges } from '../../../evidence/evaluation/face/thresholds.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';

/** What a person said of a box. */
export interface JudgedBox {
  readonly imageId: string;
  /** row of the image's raw result */
  readonly row: number;
  readonly isRight: boolean;
  /** how likely the box was to be drawn when it was judged */
  readonly probability: number;
}

/** The judging of one label of one run. */
export interface JudgingSession {
  /** the run and the label */
  readonly key: string;
  readonly edges: StrataEdges;
  /** how many boxes are to be judged */
  readonly budget: number;
  /** in the order of the judgements */
  readonly judged: readonly JudgedBox[];
}

const MEMORY_KEY = 'judgements';
const MOST_KEPT = 20;

/** The sessions that the browser keeps, the newest first. */
export function recallSessions(memory: MemoryPort): readonly JudgingSession[] {
  const kept = recall(memory, MEMORY_KEY);
  return Array.isArray(kept) ? kept.filter(isSession) : [];
}

export function rememberSessions(memory: MemoryPort, sessions: readonly JudgingSession[]): void {
  remember(memory, MEMORY_KEY, sessions.slice(0, MOST_KEPT));
}

/** The verdict on each box, by image and row. */
export class Verdicts {
  readonly #isRight: ReadonlyMap<string, boolean>;

  constructor(judged: readonly JudgedBox[]) {
    this.#isRight = new Map(judged.map(({ imageId, row, isRight }) => [boxName(imageId, row), isRight]));
  }

  /** undefined: nothing was said of it */
  of(imageId: string, row: number): boolean | undefined {
    return this.#isRight.get(boxName(imageId, row));
  }
}

/** Names a box, the same on every visit. */
export const boxName = (imageId: string, row: number): string => `${imageId} ${row}`;

/** The judgements that estimate: of each stratum those before the first box that is not judged. */
export function judgementsIn(
  { drawn }: JudgingPlan,
  verdictOf: (row: number) => boolean | undefined,
): readonly Judgement[] {
  const open = new Set<number>();
  return drawn.flatMap((box): Judgement[] => {
    const isRight = verdictOf(box.row);
    if (isRight === undefined) open.add(box.stratum);
    return isRight === undefined || open.has(box.stratum) ? [] : [{ ...box, isRight }];
  });
}

/** The judged boxes whose images are not among these. */
export function lostBoxes(judged: readonly JudgedBox[], imageIds: Iterable<string>): readonly JudgedBox[] {
  const there = new Set(imageIds);
  return judged.filter(({ imageId }) => !there.has(imageId));
}

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);

function isSession(value: unknown): value is JudgingSession {
  const { key, edges, budget, judged } = (value ?? {}) as Partial<Record<keyof JudgingSession, unknown>>;
  return (
    typeof key === 'string' &&
    Array.isArray(edges) &&
    edges.length === 4 &&
    edges.every(isNumber) &&
    isNumber(budget) &&
    Array.isArray(judged) &&
    judged.every(isJudged)
  );
}

function isJudged(value: unknown): value is JudgedBox {
  const { imageId, row, isRight, probability } = (value ?? {}) as Partial<Record<keyof JudgedBox, unknown>>;
  return typeof imageId === 'string' && isNumber(row) && typeof isRight === 'boolean' && isNumber(probability);
}
