import { Code, ConnectError } from '@connectrpc/connect';
import {
  LabelService,
  type GetAgreementResponse,
  type HoneypotScore,
  type WorkCount,
} from '../../../../../gen/sightglass/labels/v1/labels_pb.ts';
import { errorWords, type ErrorWords } from '../../../../kit/words/error-words.ts';
import type { DataContext } from '../../../context/data-context.ts';
import { labelClientOf, type LabelClient } from '../../../shared/work/label-client.ts';
import { workerKey, type Worker } from '../../../shared/work/own-worker.ts';

/** The scores on images with known boxes are read of at most this many people. */
const mostScores = 30;

/** How far the people who label a dataset agree, two at a time, and how well each finds known boxes. */
export class Agreement {
  readonly #client: LabelClient;
  readonly #request: { readonly organizationId: string; readonly datasetId: string };
  #life = new AbortController();
  #comparing = new AbortController();
  /** null: not read yet */
  counts = $state.raw<readonly WorkCount[] | null>(null);
  /** keys of the two people; '' each: none */
  pair = $state.raw<readonly [string, string]>(['', '']);
  iou = $state(0.5);
  result = $state.raw<GetAgreementResponse | null>(null);
  scores = $state.raw<readonly HoneypotScore[]>([]);
  isReading = $state(false);
  isOffered = $state(true);
  failure = $state.raw<ErrorWords | null>(null);

  /** why the person is not told how far people agree; '' if they are */
  readonly refusal: string;

  constructor(context: Pick<DataContext, 'transport' | 'home' | 'refusal'>, datasetId: string) {
    this.refusal = context.refusal(LabelService.method.getAgreement);
    this.#client = labelClientOf(context);
    this.#request = { organizationId: context.home.organizationId, datasetId };
  }

  readonly workers: readonly Worker[] = $derived.by(() =>
    (this.counts ?? []).flatMap(({ worker }) => (worker ? [worker] : [])),
  );

  workerOf(key: string): Worker | undefined {
    return this.workers.find((worker) => workerKey(worker) === key);
  }

  /** Reads who labels here, compares the first two, and reads how well each finds known boxes. */
  async read(): Promise<void> {
    this.#life.abort();
    const { signal } = (this.#life = new AbortController());
    this.failure = null;
    try {
      const { counts } = await this.#client.getWork(this.#request, { signal });
      if (signal.aborted) return;
      this.counts = counts;
      if (this.refusal) return;
      const [one, other] = this.workers.map(workerKey);
      const kept = this.pair.filter((key) => this.workerOf(key)).length === 2;
      if (!kept) this.pair = [one ?? '', other ?? ''];
      await Promise.all([this.#compare(), this.#readScores(signal)]);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  async choose(pair: readonly [string, string]): Promise<void> {
    this.pair = pair;
    await this.#compare();
  }

  async setIou(iou: number): Promise<void> {
    this.iou = iou;
    await this.#compare();
  }

  async #compare(): Promise<void> {
    this.#comparing.abort();
    const { signal } = (this.#comparing = new AbortController());
    this.result = null;
    const workers = this.pair.flatMap((key) => this.workerOf(key) ?? []);
    if (workers.length < 2 || this.pair[0] === this.pair[1]) return;
    this.isReading = true;
    try {
      const result = await this.#client.getAgreement({ ...this.#request, workers, iou: this.iou }, { signal });
      if (!signal.aborted) this.result = result;
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    } finally {
      if (!signal.aborted) this.isReading = false;
    }
  }

  async #readScores(signal: AbortSignal): Promise<void> {
    const scores: HoneypotScore[] = [];
    for (const worker of this.workers.slice(0, mostScores)) {
      const { honeypots } = await this.#client.getAgreement(
        { ...this.#request, workers: [worker], iou: this.iou },
        { signal },
      );
      scores.push(...honeypots.filter(({ images }) => images > 0));
      if (signal.aborted) return;
      this.scores = [...scores];
    }
  }

  #fail(error: unknown): void {
    if (ConnectError.from(error).code === Code.Unimplemented) this.isOffered = false;
    else this.failure = errorWords(error);
  }

  close(): void {
    this.#life.abort();
    this.#comparing.abort();
  }
}
