import type { Clock } from '../ports/clock.ts';
import { QueryError, type Query, type QueryLimits, type QueryRunner } from '../ports/query-runner.ts';
import { packEncodedRows, unpackRows, type PackedRows } from './packed-rows.ts';
import type { QueryReading } from './query-rows.ts';
import { queryTooLarge } from './query-error.ts';
import type { FromQueryWorker, QueryWorker, StartQueryWorker, ToQueryWorker } from './query-worker.ts';

/**
 * Runs queries in workers: a query past its deadline, its memory or its caller's patience ends with its worker, and
 * the host goes on. A worker that answered is kept for the next query; at most `maxWorkers` run at a time, others wait
 * for their turn within their own deadline.
 */
export class IsolatedQueryRunner implements QueryRunner {
  readonly #rows: (query: Query) => QueryReading;
  readonly #startWorker: StartQueryWorker;
  readonly #clock: Clock;
  readonly #maxWorkers: number;
  readonly #idle: { worker: QueryWorker; memory: number }[] = [];
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: {
    /** what a query reads, in batches */
    readonly rows: (query: Query) => QueryReading;
    readonly startWorker: StartQueryWorker;
    readonly clock: Clock;
    readonly maxWorkers: number;
  }) {
    this.#rows = options.rows;
    this.#startWorker = options.startWorker;
    this.#clock = options.clock;
    this.#maxWorkers = options.maxWorkers;
  }

  run(query: Query, limits: QueryLimits, signal: AbortSignal): Promise<readonly Uint8Array[]> {
    return this.#inWorker(limits, signal, (conversation, stop) => this.#converse(conversation, query, limits, stop));
  }

  compileSql(sql: string, limits: QueryLimits, signal: AbortSignal): Promise<readonly Uint8Array[]> {
    return this.#inWorker(limits, signal, async (conversation) => {
      const answer = await conversation.ask({ type: 'sql', text: sql });
      return answer.type === 'stages' ? unpackRows(answer.stages) : [];
    });
  }

  /** Ends the kept workers; a later query starts new ones. */
  close(): void {
    for (const { worker } of this.#idle.splice(0)) worker.terminate();
  }

  async #inWorker<Answer>(
    limits: QueryLimits,
    signal: AbortSignal,
    converse: (conversation: Conversation, stop: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const stop = new AbortController();
    const onAbort = (): void => stop.abort(signal.reason);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    const deadline = setTimeout(() => stop.abort(tooLate(limits)), limits.deadlineMs);
    try {
      await this.#enter(stop.signal);
      try {
        return await this.#withWorker(limits, stop.signal, converse);
      } finally {
        this.#leave();
      }
    } finally {
      clearTimeout(deadline);
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #withWorker<Answer>(
    limits: QueryLimits,
    stop: AbortSignal,
    converse: (conversation: Conversation, stop: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const worker = this.#takeWorker(limits.maxMemoryBytes);
    const conversation = new Conversation(worker, stop);
    try {
      const answer = await Promise.race([converse(conversation, stop), conversation.broken]);
      conversation.close();
      this.#keepWorker(worker, limits.maxMemoryBytes);
      return answer;
    } catch (error) {
      conversation.close();
      // a worker that refused is as good as new; one that is still computing, or has ended, is not
      if (error instanceof WorkerRefusal) this.#keepWorker(worker, limits.maxMemoryBytes);
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
    const reading = this.#rows(query);
    const stages = packEncodedRows(reading.stages);
    await conversation.ask({ type: 'start', stages, limits, nowMs: Math.floor(this.#clock.now() / 1000) });
    let taken: Promise<FromQueryWorker> | null = null;
    for await (const batch of reading.rows) {
      signal.throwIfAborted();
      // the storage reads the next batch while the worker takes this one
      const reply = await taken;
      if (reply?.type === 'taken' && !reply.more) break;
      taken = conversation.ask(batch);
      taken.catch(() => {}); // met where it is awaited
    }
    await taken;
    const answer = await conversation.ask({ type: 'finish' });
    return answer.type === 'answer' ? unpackRows(answer.rows) : [];
  }

  #takeWorker(memory: number): QueryWorker {
    const index = this.#idle.findIndex((idle) => idle.memory === memory);
    return index < 0 ? this.#startWorker(memory) : this.#idle.splice(index, 1)[0]!.worker;
  }

  #keepWorker(worker: QueryWorker, memory: number): void {
    const kept = { worker, memory };
    this.#idle.push(kept);
    worker.onEnd = () => this.#idle.splice(this.#idle.indexOf(kept), 1);
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running < this.#maxWorkers) {
      this.#running++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(signal.reason as Error);
      };
      this.#waiting.push(turn);
      signal.addEventListener('abort', giveUp);
    });
  }

  /** Hands the place on to the query that waits longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
  }
}

/** The worker itself refused the query, and is free again. */
class WorkerRefusal extends Error {}

/** Questions to a worker and their answers, one at a time, until the signal or the worker's end. */
class Conversation {
  readonly #worker: QueryWorker;
  /** Rejects when the worker failed, ended or was given up, also while the storage is being read. */
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
      else this.#resolve(message);
    };
    worker.onEnd = (error) => this.#break(error);
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

function tooLate({ deadlineMs }: QueryLimits): QueryError {
  return new QueryError('deadline-exceeded', `The query took longer than ${deadlineMs / 1000} s and was ended.`);
}

/** What hosts report when a worker's heap ran full. */
export function outOfMemory({ maxMemoryBytes }: Pick<QueryLimits, 'maxMemoryBytes'>): QueryError {
  return queryTooLarge(`The query needs more than ${maxMemoryBytes / 1024 / 1024} MiB of memory and was ended.`);
}
