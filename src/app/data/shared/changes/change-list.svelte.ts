import { Code, ConnectError, createClient, type Client } from '@connectrpc/connect';
import { toJson } from '@bufbuild/protobuf';
import { AuditService, ChangeSchema, type Actor, type Change } from '../../../../gen/sightglass/audit/v1/audit_pb.ts';
import { errorWords, type ErrorWords } from '../../../kit/words/error-words.ts';
import type { DataContext } from '../../context/data-context.ts';
import { changeRequest, type ChangeFilter } from './change-filter.ts';

const pageRows = 200;
const exportedRows = 1000;

/** Who changed what, the newest first, read as far as it is looked at. */
export class ChangeList {
  readonly #context: Pick<DataContext, 'transport' | 'home'>;
  readonly #client: Client<typeof AuditService>;
  readonly #pageSize: number;
  #filter: ChangeFilter | null = null;
  #next = '';
  /** ends what is read of the present filter */
  #life = new AbortController();
  changes = $state.raw<readonly Change[]>([]);
  actors = $state.raw<readonly Actor[]>([]);
  /** whether the last page was read */
  isWhole = $state(false);
  isReading = $state(false);
  /** the data service is another one, and does not say who changed what */
  isUntold = $state(false);
  failure = $state.raw<ErrorWords | null>(null);

  constructor(context: Pick<DataContext, 'transport' | 'home'>, pageSize = pageRows) {
    this.#context = context;
    this.#client = createClient(AuditService, context.transport);
    this.#pageSize = pageSize;
  }

  /** Reads the first page anew. */
  async show(filter: ChangeFilter): Promise<void> {
    this.#life.abort();
    this.#life = new AbortController();
    [this.isUntold, this.failure] = [false, null];
    [this.#filter, this.#next, this.changes, this.isWhole, this.isReading] = [filter, '', [], false, false];
    await this.more();
  }

  /** Reads the next page, if there is one and none is being read. */
  async more(): Promise<void> {
    const { signal } = this.#life;
    if (this.#filter === null || this.isWhole || this.isReading) return;
    [this.isReading, this.failure] = [true, null];
    try {
      const request = { ...this.#request(this.#filter), pageSize: this.#pageSize, pageToken: this.#next };
      const { changes, nextPageToken } = await this.#client.listChanges(request, { signal });
      if (signal.aborted) return;
      this.changes = [...this.changes, ...changes];
      [this.#next, this.isWhole] = [nextPageToken, nextPageToken === ''];
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    } finally {
      if (!signal.aborted) this.isReading = false;
    }
  }

  /** Everyone who has changed something, for the filter; a key that may not ask gets an empty list. */
  async readActors(signal: AbortSignal): Promise<void> {
    const { organizationId } = this.#context.home;
    try {
      this.actors = (await this.#client.listActors({ organizationId }, { signal })).actors;
    } catch {
      this.actors = []; // the list itself says why
    }
  }

  /** Each change of a filter by itself as JSON, one a line, the newest first: what `sightglass audit` prints. @throws ConnectError */
  async save(filter: ChangeFilter, signal: AbortSignal, onProgress: (count: number) => void): Promise<Blob> {
    const parts: Blob[] = [];
    let count = 0;
    for (let pageToken = ''; ;) {
      const request = { ...this.#request({ ...filter, each: 'yes' }), pageSize: exportedRows, pageToken };
      const { changes, nextPageToken } = await this.#client.listChanges(request, { signal });
      parts.push(new Blob(changes.map((change) => `${JSON.stringify(toJson(ChangeSchema, change))}\n`)));
      onProgress((count += changes.length));
      if (nextPageToken === '') return new Blob(parts, { type: 'application/jsonl' });
      pageToken = nextPageToken;
    }
  }

  close(): void {
    this.#life.abort();
  }

  #request(filter: ChangeFilter) {
    return changeRequest(this.#context.home.organizationId, filter);
  }

  #fail(error: unknown): void {
    this.isUntold = ConnectError.from(error).code === Code.Unimplemented;
    this.isWhole = true;
    this.failure = this.isUntold ? null : errorWords(error);
  }
}
