import type { Capture } from '../../../../evidence/capture/capture.ts';
import type { Queued } from '../../../../remote/outbox/outbox.ts';
import type { CaptureHost } from '../../../captures/capture-host.ts';
import type { NamedDataset } from '../../shared/filters/filter-options.svelte.ts';
import { boxesToSend, type BoxChoice } from './boxes-to-send.ts';
import { tagsOf } from './tags-of.ts';

/** Captures that are queued in one transaction. Each is read into memory, with its raw results if these are sent. */
const batchSize = 50;

/** The choices of the send form, and the queueing of captures. */
export class SendForm {
  readonly #host: Pick<CaptureHost, 'captures' | 'outbox'>;
  /** id of the chosen server; '' = none */
  public targetId = $state('');
  /** tags that every capture gets in addition to its own, separated by commas */
  public tagText = $state('');
  /** the chosen dataset on each target, by the target's id */
  #datasets = $state.raw<Readonly<Record<string, NamedDataset | null>>>({});
  public boxes = $state<BoxChoice>('corrected');
  public withClasses = $state(true);
  /** Progress of the running queueing; null if none runs. */
  queueing = $state.raw<{ readonly done: number; readonly count: number } | null>(null);

  constructor(host: Pick<CaptureHost, 'captures' | 'outbox'>) {
    this.#host = host;
  }

  get tags(): readonly string[] {
    return tagsOf(this.tagText);
  }

  /** The dataset on a target that captures are added to; null = none. */
  datasetOn(targetId: string): NamedDataset | null {
    return this.#datasets[targetId] ?? null;
  }

  chooseDataset(targetId: string, dataset: NamedDataset | null): void {
    this.#datasets = { ...this.#datasets, [targetId]: dataset };
  }

  /** Puts captures into the outbox. Deleted captures are skipped. @throws CaptureStoreError */
  async queue(ids: readonly string[]): Promise<{ readonly queued: number; readonly alreadyThere: number }> {
    let [queued, alreadyThere] = [0, 0];
    const dataset = this.datasetOn(this.targetId);
    this.queueing = { done: 0, count: ids.length };
    try {
      for (let start = 0; start < ids.length; start += batchSize) {
        const captures = await Promise.all(ids.slice(start, start + batchSize).map((id) => this.#toSend(id)));
        const some = captures.filter((capture) => capture !== null);
        const answer: Queued = await this.#host.outbox.sendCaptures(some, this.targetId, {
          tags: this.tags,
          datasetIds: dataset ? [dataset.id] : [],
          withBoxes: this.boxes !== 'none',
          withClasses: this.withClasses,
        });
        queued += answer.entries.length - answer.alreadyThere;
        alreadyThere += answer.alreadyThere;
        this.queueing = { done: Math.min(ids.length, start + batchSize), count: ids.length };
      }
    } finally {
      this.queueing = null;
    }
    return { queued, alreadyThere };
  }

  async #toSend(id: string): Promise<Capture | null> {
    const { captures } = this.#host;
    const capture = await captures.get(id);
    if (!capture) return null;
    const raw = this.boxes === 'raw' ? await captures.raw(id) : null;
    return { ...capture, boxes: boxesToSend(this.boxes, capture, raw) };
  }
}
