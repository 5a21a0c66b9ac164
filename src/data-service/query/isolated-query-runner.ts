import type { Clock } from '../ports/clock.ts';
import { QueryError, type Query, type QueryAsker, type QueryLimits, type QueryRunner } from '../ports/query-runner.ts';
import { StoreError } from '../ports/store-error.ts';
import { FairTurns, type Turn, type TurnLimits } from './fair-turns.ts';
import { packEncodedRows, unpackRows, type PackedRows } from './packed-rows.ts';
import type { QueryReading } from './query-rows.ts';
import { queryTooLarge } from './query-error.ts';
import type { FromQueryWorker, QueryWorker, StartQueryWorker, ToQueryWorker } from './query-worker.ts';

/**
 * Runs queries in workers: a query that exceeds its deadline or memory, or whose caller aborts, ends with its
 * worker, and the host continues. A worker that answered is kept for the next query; there is one for each place of
 * `turns`, and a query's deadline starts with its turn.
 */
export class IsolatedQueryRunner implements QueryRunner {
  readonly #rows: ((query: Query) => QueryReading) | null;
  readonly #startWorker: StartQueryWorker;
  readonly #clock: Clock;
  readonly #turns: FairTurns;
  readonly #mostIdle: number;
  /** the last is the one that answered last */
  readonly #idle: IdleWorker[] = [];

  constructor(options: {
    /** reads the rows of a query in batches; null: workers read them themselves, off the host's thread */
    readonly rows: ((query: Query) => QueryReading) | null;
    readonly startWorker: StartQueryWorker;
    readonly clock: Clock;
    readonly turns: TurnLimits;
  }) {
    this.#rows = options.rows;
    this.#startWorker = options.startWorker;
    this.#clock = options.clock;
    this.#turns = new FairTurns(options.turns);
    this.#mostIdle = options.turns.places + options.turns.shortPlaces;
  }

  async run(query: Query, asker: QueryAsker, limits: QueryLimits, signal: AbortSignal): Promise<readonly Uint8Array[]> {
    const { turn, waitedMs } = await this.#enter(asker, limits, signal);
    try {
      return await within(
        limits.deadlineMs,
        AbortSignal.any([signal, turn.mustEnd]),
        () => tooLate(limits, waitedMs),
        (stop) => this.#withWorker(query, asker, limits, turn, stop),
      );
    } finally {
      turn.leave();
    }
  }

  async *stream(
    query: Query,
    asker: QueryAsker,
    limits: QueryLimits,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void> {
    const { turn, waitedMs } = await this.#enter(asker, limits, signal);
    const late = new AbortController();
    const stop = AbortSignal.any([signal, turn.mustEnd, late.signal]);
    const worker = this.#takeWorker(asker, turn, limits.maxMemoryBytes);
    const stopCounting = countProcessorTime(worker, turn);
    const conversation = new Conversation(worker, stop);
    const parts = this.#converseInParts(conversation, query, limits, stop);
    let isFree = false;
    try {
      for (let leftMs = limits.deadlineMs; ;) {
        const askedMs = performance.now();
        const deadline = setTimeout(() => late.abort(tooLate(limits, waitedMs)), leftMs);
        const { value, done } = await Promise.race([parts.next(), conversation.broken]).finally(() =>
          clearTimeout(deadline),
        );
        leftMs -= performance.now() - askedMs; // the time that the caller takes over a part is not the query's
        if (done) break;
        if (value.length > 0) yield value;
      }
      isFree = true;
    } catch (error) {
      isFree = error instanceof WorkerRefusal;
      throw error instanceof WorkerRefusal ? error.cause : error;
    } finally {
      stopCounting();
      conversation.close();
      if (isFree) this.#keepWorker(worker, asker, limits.maxMemoryBytes);
      else worker.terminate();
      turn.leave();
      parts.return(undefined).catch(() => {}); // what it reads of the store is let go
    }
  }

  async #enter(asker: QueryAsker, limits: QueryLimits, signal: AbortSignal): Promise<{ turn: Turn; waitedMs: number }> {
    const askedMs = performance.now();
    const waiting = () => this.#turns.waitingOf(asker.organizationId);
    const turn = await within(
      limits.deadlineMs,
      signal,
      () => waitedTooLong(limits, waiting()),
      (stop) => this.#turns.enter(asker, stop),
    );
    return { turn, waitedMs: performance.now() - askedMs };
  }

  /** How many queries wait for their turn. */
  get waiting(): number {
    return this.#turns.waiting;
  }

  /** Ends the kept workers; a later query starts new ones. */
  close(): void {
    for (const { worker } of this.#idle.splice(0)) worker.terminate();
  }

  async #withWorker(
    query: Query,
    asker: QueryAsker,
    limits: QueryLimits,
    turn: Turn,
    stop: AbortSignal,
  ): Promise<readonly Uint8Array[]> {
    const worker = this.#takeWorker(asker, turn, limits.maxMemoryBytes);
    const stopCounting = countProcessorTime(worker, turn);
    const conversation = new Conversation(worker, stop);
    const end = (): void => {
      conversation.close();
      stopCounting();
    };
    try {
      const answer = await Promise.race([this.#converse(conversation, query, limits, stop), conversation.broken]);
      end();
      this.#keepWorker(worker, asker, limits.maxMemoryBytes);
      return answer;
    } catch (error) {
      end();
      // a worker that refused a query can be used again; one that still computes, or has ended, cannot
      if (error instanceof WorkerRefusal) this.#keepWorker(worker, asker, limits.maxMemoryBytes);
      else worker.terminate();
      throw error instanceof WorkerRefusal ? error.cause : error;
    }
  }

  async #converse(
    conversation: Conversation,
    query: Query,
    limits: QueryLimits,
    signal: AbortSignal,
  ): Promise<readonly Uint8Array[]> {
    const asked = await this.#ask(conversation, query, limits, false);
    if ('answer' in asked) return rowsOf(asked.answer);
    for await (const _ of fed(conversation, asked.reading, signal));
    return rowsOf(await conversation.ask({ type: 'finish' }));
  }

  async *#converseInParts(
    conversation: Conversation,
    query: Query,
    limits: QueryLimits,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const asked = await this.#ask(conversation, query, limits, true);
    if ('reading' in asked) yield* fed(conversation, asked.reading, signal);
    let reply = 'answer' in asked ? asked.answer : await conversation.ask({ type: 'finish' });
    for (; reply.type === 'part'; reply = await conversation.ask({ type: 'more' })) yield reply.rows.bytes;
  }

  /** Gives a worker its query. It answers, or it wants the rows to be read for it. */
  async #ask(
    conversation: Conversation,
    query: Query,
    limits: QueryLimits,
    inParts: boolean,
  ): Promise<{ readonly answer: FromQueryWorker } | { readonly reading: QueryReading }> {
    const nowMs = Math.floor(this.#clock.now() / 1000);
    if (this.#rows === null) {
      const { organizationId, source } = query;
      const stages = packEncodedRows(query.stages);
      return {
        answer: await conversation.ask({ type: 'query', organizationId, source, stages, limits, nowMs, inParts }),
      };
    }
    const reading = this.#rows(query);
    await conversation.ask({ type: 'start', stages: packEncodedRows(reading.stages), limits, nowMs, inParts });
    return { reading };
  }

  /**
   * To start a worker takes longer than most queries. So one that is kept goes to its own organization, and not to those whose queries
   * end theirs, unless there are others. While all places are taken one is ready for whoever comes to a place for short queries.
   */
  #takeWorker({ organizationId }: QueryAsker, { isShort }: Turn, memory: number): QueryWorker {
    const fitting = this.#idle.filter((idle) => idle.memory === memory);
    const own = fitting.findLast((idle) => idle.organizationId === organizationId);
    const mayBegin = isShort || !this.#turns.isFull;
    const ready = mayBegin ? fitting.find((idle) => idle.organizationId === null) : undefined;
    const others = fitting.filter((idle) => idle.organizationId !== null);
    const kept = own ?? ready ?? (others.length > 1 ? others[0] : undefined);
    if (kept !== undefined) this.#idle.splice(this.#idle.indexOf(kept), 1);
    const worker = kept?.worker ?? this.#startWorker(memory);
    const hasReady = this.#idle.some((idle) => idle.organizationId === null);
    if (this.#turns.isFull && !hasReady) this.#keepWorker(this.#startWorker(memory), null, memory);
    return worker;
  }

  #keepWorker(worker: QueryWorker, asker: QueryAsker | null, memory: number): void {
    const kept = { worker, organizationId: asker?.organizationId ?? null, memory };
    this.#idle.push(kept);
    worker.onEnd = () => {
      if (this.#idle.includes(kept)) this.#idle.splice(this.#idle.indexOf(kept), 1);
    };
    if (this.#idle.length > this.#mostIdle) this.#idle.shift()!.worker.terminate();
  }
}

/** A worker that is kept for a next query. */
interface IdleWorker {
  readonly worker: QueryWorker;
  /** whose query it answered last; null: it had none */
  readonly organizationId: string | null;
  /** size of the worker's heap, in bytes */
  readonly memory: number;
}

/** How often the processor time of a running query is looked at. */
const countEveryMs = 250;

/**
 * Tells a turn the processor time of its query, now and then and when it ends; where the platform does not tell that, the time by the clock.
 * @returns ends the counting; to be called before the worker is given another query
 */
function countProcessorTime(worker: QueryWorker, turn: Turn): () => void {
  const startMs = performance.now();
  const processorMs = worker.processorMs ?? (() => Promise.resolve(performance.now() - startMs));
  const before = processorMs().catch(() => 0); // the count begins with this query
  const count = (): void => {
    Promise.all([before, processorMs()]).then(
      ([beforeMs, nowMs]) => turn.used(nowMs - beforeMs),
      () => {}, // the thread does not run yet, or has ended
    );
  };
  const counting = setInterval(count, countEveryMs);
  return () => {
    clearInterval(counting);
    count();
  };
}

/** Gives a worker the rows that it wants, and what it answers meanwhile. */
async function* fed(
  conversation: Conversation,
  { rows }: QueryReading,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let taken: Promise<FromQueryWorker> | null = null;
  for await (const batch of rows) {
    signal.throwIfAborted();
    // the storage reads the next batch while the worker takes this one
    const reply = await taken;
    if (reply?.type === 'taken') {
      if (reply.rows) yield reply.rows.bytes;
      if (!reply.more) return;
    }
    taken = conversation.ask(batch);
    taken.catch(() => {}); // met where it is awaited
  }
  const reply = await taken;
  if (reply?.type === 'taken' && reply.rows) yield reply.rows.bytes;
}

const rowsOf = (answer: FromQueryWorker): readonly Uint8Array[] =>
  answer.type === 'answer' ? unpackRows(answer.rows) : [];

/** The worker refused the query and is free again. */
class WorkerRefusal extends Error {}

/** Requests to a worker and their answers, one at a time, until the signal aborts or the worker ends. */
class Conversation {
  readonly #worker: QueryWorker;
  /** Rejects when the worker failed, ended or was given up, even while the storage is being read. */
  readonly broken: Promise<never>;
  #break: (error: unknown) => void = () => {};
  #resolve: (message: FromQueryWorker) => void = () => {};

  constructor(worker: QueryWorker, signal: AbortSignal) {
    this.#worker = worker;
    this.broken = new Promise((_, reject) => (this.#break = reject));
    this.broken.catch(() => {}); // met by whoever races it
    worker.onMessage = (message) => {
      if (message.type === 'failed')
        this.#break(new WorkerRefusal('refused', { cause: new QueryError(message.code, message.message) }));
      else if (message.type === 'store-failed')
        this.#break(new WorkerRefusal('refused', { cause: new StoreError(message.code, message.message) }));
      else this.#resolve(message);
    };
    worker.onEnd = (error) => this.#break(error);
    if (signal.aborted) this.#break(signal.reason);
    signal.addEventListener('abort', () => this.#break(signal.reason));
  }

  ask(message: ToQueryWorker): Promise<FromQueryWorker> {
    const answer = new Promise<FromQueryWorker>((resolve) => (this.#resolve = resolve));
    this.#worker.post(message, transferOf(message));
    return Promise.race([answer, this.broken]);
  }

  close(): void {
    this.#worker.onMessage = () => {};
    this.#worker.onEnd = () => {};
  }
}

function transferOf(message: ToQueryWorker): ArrayBufferLike[] {
  if (message.type === 'documents') return buffersOf(message.documents);
  if (message.type !== 'readings') return [];
  const { timesRequested, originOf } = message.readings;
  return [timesRequested.buffer, originOf.buffer];
}

const buffersOf = ({ bytes, ends }: PackedRows): ArrayBufferLike[] => [bytes.buffer, ends.buffer];

/** Runs `work` until it ends, `signal` aborts or the time is over; then it rejects with the first reason. */
async function within<Answer>(
  deadlineMs: number,
  signal: AbortSignal,
  reasonOf: () => QueryError,
  work: (stop: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal.reason);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  const deadline = setTimeout(() => stop.abort(reasonOf()), deadlineMs);
  try {
    return await work(stop.signal);
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', onAbort);
  }
}

const waitedTooLong = ({ deadlineMs }: QueryLimits, waiting: number): QueryError =>
  new QueryError(
    'deadline-exceeded',
    `The query waited ${deadlineMs / 1000} s for its turn, among ${waiting} of its organization, and was stopped; try again later.`,
  );

function tooLate({ deadlineMs }: QueryLimits, waitedMs: number): QueryError {
  const waited = waitedMs < 1000 ? '' : `, after ${Math.round(waitedMs / 1000)} s of waiting for its turn,`;
  return new QueryError(
    'deadline-exceeded',
    `The query took longer than ${deadlineMs / 1000} s${waited} and was ended.`,
  );
}

/**
 * Makes the error for a worker whose heap was full.
 * @param limits the memory of a query, in bytes
 * @returns an error that says so
 * @example
 * outOfMemory({ maxMemoryBytes: 256 * 1024 * 1024 }).message; // => 'The query needs more than 256 MiB of memory and was ended.'
 */
export function outOfMemory({ maxMemoryBytes }: Pick<QueryLimits, 'maxMemoryBytes'>): QueryError {
  return queryTooLarge(`The query needs more than ${maxMemoryBytes / 1024 / 1024} MiB of memory and was ended.`);
}
