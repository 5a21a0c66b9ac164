import { Aggregator } from 'mingo/aggregator';
import { ProcessingMode } from 'mingo/core';
import { Lazy, type Iterator } from 'mingo/lazy';
import type { Options } from 'mingo/types';
import { QueryError, type QueryLimits } from '../../ports/query-runner.ts';
import { encodeRow } from '../encode-rows.ts';
import type { QueryDocument, QueryStage } from '../query-document.ts';
import { invalidQuery, queryTooLarge } from '../query-error.ts';
import { operatorBounds, type OperatorBounds } from '../query-limits.ts';
import { fixNow } from './fix-now.ts';
import { mingoContext } from './mingo-context.ts';
import { plainGroup, type PlainGroup } from './plain-group.ts';

/** Answers larger than this fit no message of the wire. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** Stages that handle a document without knowing the others. */
const rowStages = new Set(
  '$match $project $addFields $set $unset $replaceRoot $replaceWith $redact $unwind $skip $limit'.split(' '),
);

/**
 * One run of a pipeline over rows that come in batches. The first stages run as the rows come, so that rows they drop
 * take no memory; from the first stage that needs all rows on, the rest runs at the end.
 * Every method throws QueryError; `invalid-query` also for what only running a stage can tell.
 */
export class PipelineExecution {
  readonly #limits: QueryLimits;
  readonly #bounds: OperatorBounds;
  readonly #options: Partial<Options>;
  readonly #rest: readonly QueryStage[];
  readonly #limit: number;
  /** null: every row passes unchanged */
  readonly #stream: Iterator | null;
  /** null: the rows are collected for the remaining stages */
  readonly #group: PlainGroup | null;
  /** Whether rows are held after the next one is asked for. If not, the caller may give one object again and again, filled anew. */
  readonly keepsDocuments: boolean;
  readonly #kept: QueryDocument[] = [];
  readonly #answer: Uint8Array[] = [];
  #answerBytes = 0;
  #arrived = 0;
  #batch: globalThis.Iterator<QueryDocument> = [].values();

  constructor(stages: readonly QueryStage[], limits: QueryLimits, nowMs: number) {
    this.#limits = limits;
    this.#bounds = operatorBounds(limits);
    this.#options = {
      context: mingoContext(this.#bounds),
      scriptEnabled: false,
      processingMode: ProcessingMode.CLONE_OFF,
    };
    const fixed = stages.map((stage) => fixNow(stage, nowMs));
    const firstBlocking = fixed.findIndex((stage) => !rowStages.has(Object.keys(stage)[0]!));
    const streamed = firstBlocking < 0 ? fixed : fixed.slice(0, firstBlocking);
    const rest = fixed.slice(streamed.length);
    this.#group = rest[0] === undefined ? null : plainGroup(rest[0]);
    this.#rest = this.#group ? rest.slice(1) : rest;
    this.keepsDocuments = this.#group === null || streamed.some((stage) => !('$match' in stage));
    this.#limit = endingLimit(streamed);
    this.#stream = streamed.length === 0 ? null : guarded(() => this.#run(streamed, this.#pull()));
  }

  /** Adds a batch of rows; false: further rows cannot change the answer. */
  add(batch: Iterable<QueryDocument>): boolean {
    this.#batch = batch[Symbol.iterator]();
    const stream = this.#stream;
    guarded(() => {
      if (stream === null) for (const row of batch) this.#take(row);
      else for (let row = stream.next(); !row.done; row = stream.next()) this.#take(row.value as QueryDocument);
    });
    return this.#arrived < this.#limit;
  }

  /** Length of the rows that the answer has so far. */
  get heldBytes(): number {
    return this.#answerBytes;
  }

  /** Returns the rows that the answer has so far, each a BSON document, and no longer holds them: for an answer in parts. */
  drain(): Uint8Array[] {
    this.#answerBytes = 0;
    return this.#answer.splice(0);
  }

  /** The rows of the answer, each a BSON document. */
  finish(): Uint8Array[] {
    return [...this.finishInParts(Infinity)].flat();
  }

  /** The rest of the answer, in parts of at least this length, except the last. */
  *finishInParts(partBytes: number): Generator<Uint8Array[]> {
    const isWaiting = this.#rest.length > 0 || this.#group !== null;
    const output = isWaiting ? guarded(() => this.#run(this.#rest, this.#group?.finish() ?? this.#kept)) : null;
    for (let more = output !== null; more;) {
      more = guarded(() => this.#fill(output!, partBytes));
      if (more) yield this.drain();
    }
    yield this.drain();
  }

  /** Takes rows until there are as many bytes; false: there are no more rows. */
  #fill(output: Iterator, partBytes: number): boolean {
    for (let row = output.next(); !row.done; row = output.next()) {
      this.#keep(row.value as QueryDocument);
      if (this.#answerBytes >= partBytes) return true;
    }
    return false;
  }

  #pull(): Iterator {
    return Lazy(() => {
      const { done = false, value } = this.#batch.next();
      return done ? { done } : { done, value };
    });
  }

  #run(stages: readonly QueryStage[], source: Iterator | readonly QueryDocument[]): Iterator {
    return new Aggregator(stages as Record<string, unknown>[], this.#options).stream(source as Iterator);
  }

  #take(row: QueryDocument): void {
    this.#arrived++;
    if (this.#rest.length === 0 && this.#group === null) return this.#keep(row);
    if ((this.#group?.held ?? this.#kept.length) >= this.#bounds.stageRows)
      throw queryTooLarge(
        `The query holds more than ${this.#bounds.stageRows} documents at once: match fewer of them.`,
      );
    if (this.#group) this.#group.add(row);
    else this.#kept.push(row);
  }

  #keep(row: QueryDocument): void {
    if (this.#answer.length >= this.#limits.maxRows)
      throw queryTooLarge(`The answer has more than ${this.#limits.maxRows} rows: add a $limit, or group them.`);
    const bytes = encodeRow(row, this.#bounds);
    this.#answerBytes += bytes.length;
    if (this.#answerBytes > maxAnswerBytes)
      throw queryTooLarge(
        `The answer is larger than ${maxAnswerBytes / 1024 / 1024} MiB: add a $limit, or a $project.`,
      );
    this.#answer.push(bytes);
  }
}

/** How many rows the streamed stages can return at most: the number of a $limit at their end. */
function endingLimit(streamed: readonly QueryStage[]): number {
  const last = streamed.at(-1)?.$limit;
  return typeof last === 'number' ? last : Infinity;
}

/** Turns whatever mingo throws into a QueryError: its own complaints, and the type errors of stages it did not check. */
function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof QueryError) throw error;
    if (error instanceof RangeError && !isOfArguments.test(error.message))
      throw queryTooLarge(`The query outgrew its memory: ${error.message}.`, error);
    if (error instanceof TypeError) throw invalidQuery(wrongType, error);
    throw invalidQuery(`The query could not be run: ${(error as Error).message}`, error);
  }
}

/** A RangeError about an argument, such as an unknown time zone, and not about a length or the stack. */
const isOfArguments = /time ?zone|time value|out of range/i;
/** The engine's own words would name a function that nobody who writes queries knows. */
const wrongType =
  'The query could not be run: an operator was given a value of a type that it does not take, or to compare documents with a field named constructor; compare its arguments with what MongoDB documents.';
