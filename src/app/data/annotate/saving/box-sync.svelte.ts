import { singleFlight } from '../../../../base/schedule/single-flight.ts';
import { errorMessage } from '../../../../machine/vision/face/errors.ts';
import { valueOf } from '../boxes/annotated-box.ts';
import type { BoxDrafts } from './box-drafts.ts';
import { afterOperation, operationsBetween, type BoxOperation, type KeptBox } from '../boxes/box-operations.ts';
import { BoxStoreError, type BoxStore } from '../boxes/box-store.ts';
import type { BoxesState } from '../boxes/boxes-state.svelte.ts';
import { decided, mergeBoxes, type BoxConflict } from '../boxes/merge-boxes.ts';

export type SaveStatus =
  | { readonly kind: 'opening' | 'saved' | 'waiting' | 'saving' }
  /** `again`: it is retried automatically */
  | { readonly kind: 'failed'; readonly message: string; readonly again: boolean };

export interface BoxSyncPorts {
  readonly store: BoxStore;
  readonly drafts: BoxDrafts;
  readonly imageId: string;
  /**
   * Runs one piece of work of a name at a time over all windows of the browser: two windows that save one image would
   * each add its boxes.
   */
  readonly exclusively: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Called when boxes were saved. */
  readonly onSaved?: () => void;
}

/** Beginning of the names under which boxes are saved, one image at a time. */
export const boxSavingPrefix = 'sightglass:boxes:';

const restMs = 600;
const firstRetryMs = 1000;
const longestRetryMs = 60_000;
/** How often in a row boxes are read again at once because others change them. */
const mostChangedRuns = 5;

/**
 * Saves the boxes of an image to the service. What the service does not have yet is kept as a draft, which survives
 * the page.
 */
export class BoxSync {
  readonly #ports: BoxSyncPorts;
  readonly #boxes: BoxesState;
  #kept = $state.raw<readonly KeptBox[]>([]);
  /** Operations that were sent and not answered. */
  #sent: readonly BoxOperation[] = [];
  status = $state.raw<SaveStatus>({ kind: 'opening' });
  /** Boxes that were changed both here and elsewhere; they are not saved until a person decides. */
  conflicts = $state.raw<readonly BoxConflict[]>([]);
  /** False if this browser's storage refused the draft: a reload would lose what is not saved. */
  draftKept: boolean = $state(true);
  readonly #saving = singleFlight(() => this.#saveAll());
  #again = false;
  #opened = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;
  #retryMs = firstRetryMs;
  #changedRuns = 0;

  constructor(boxes: BoxesState, ports: BoxSyncPorts) {
    this.#boxes = boxes;
    this.#ports = ports;
  }
  /** Number of boxes that only this browser has. */
  get unsaved(): number {
    return operationsBetween(this.#kept, this.#boxes.boxes).length;
  }

  /** Number of boxes without a label, which the service does not accept. */
  get nameless(): number {
    return this.#boxes.boxes.filter(({ label, predicted }) => label === '' && !predicted).length;
  }

  /** Shows the draft of an earlier visit at once, reads the service, and saves what it lacks. */
  async open(): Promise<void> {
    const draft = this.#ports.drafts.read(this.#ports.imageId);
    if (draft) {
      this.#kept = draft.kept;
      this.#sent = draft.sent;
      this.#boxes.begin(draft.boxes);
    }
    await this.save();
  }

  /** Keeps a draft at once, and saves after a pause. Called after every edit of the boxes. */
  edited(): void {
    this.#keepDraft();
    if (!this.#saving.running && this.#savable().length > 0) this.status = { kind: 'waiting' };
    this.#schedule(restMs);
  }

  #schedule(afterMs: number): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.save(), afterMs);
  }

  /** Saves now; concurrent calls share one run. `status` reports failures. */
  save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#again = this.#saving.running !== null;
    return this.#saving();
  }

  async #saveAll(): Promise<void> {
    const { imageId, exclusively } = this.#ports;
    do {
      this.#again = false;
      if (this.#opened) this.status = { kind: 'saving' };
      try {
        await exclusively(`${boxSavingPrefix}${imageId}`, () => this.#saveOnce());
        this.#retryMs = firstRetryMs;
        this.status = { kind: this.#savable().length > 0 ? 'waiting' : 'saved' };
      } catch (error) {
        this.#fail(error);
        return;
      } finally {
        this.#keepDraft();
      }
    } while (this.#again);
  }

  /** @throws BoxStoreError the first failure, after every operation that could succeed was executed */
  async #saveOnce(): Promise<void> {
    const { store } = this.#ports;
    this.#merge(await store.load());
    const operations = this.#savable();
    let refusal: BoxStoreError | null = null;
    let wasChanged = false;
    for (const operation of operations) {
      try {
        await this.#carryOut(operation);
      } catch (error) {
        if (!(error instanceof BoxStoreError)) throw error;
        if (error.code === 'changed') wasChanged = true;
        else if (error.code === 'refused') refusal ??= error;
        else throw error;
      }
    }
    if (operations.length > 0) this.#ports.onSaved?.();
    if (refusal) throw refusal;
    if (!wasChanged) this.#changedRuns = 0;
    else if (++this.#changedRuns < mostChangedRuns) this.#again = true;
    else throw new BoxStoreError('unavailable', 'Others are changing the same boxes at this moment.');
  }

  /** The operations to execute; a box in conflict waits for a person's decision. */
  #savable(): readonly BoxOperation[] {
    const held = this.conflicts.map(({ key }) => key);
    return operationsBetween(this.#kept, this.#boxes.boxes).filter(({ key }) => !held.includes(key));
  }

  async #carryOut(operation: BoxOperation): Promise<void> {
    const before = this.#kept.find(({ key }) => key === operation.key)?.saved ?? null;
    this.#sent = [...this.#sent, operation];
    this.#keepDraft(); // if the page closes now, the next one recognizes its own operations
    const id = await this.#ports.store.apply(operation, before);
    this.#sent = this.#sent.filter((sent) => sent !== operation);
    this.#kept = afterOperation(this.#kept, operation, id);
    this.#keepDraft();
  }

  #merge(service: Parameters<typeof mergeBoxes>[2]): void {
    const merge = mergeBoxes(this.#kept, this.#boxes.boxes, service, this.#sent);
    this.#sent = [];
    this.#kept = merge.kept;
    this.conflicts = merge.conflicts;
    this.#boxes.take(merge.changes);
    this.#opened = true;
  }

  #fail(error: unknown): void {
    const known = error instanceof BoxStoreError;
    const again = known && error.code === 'unavailable';
    const message = errorMessage(error);
    this.status = { kind: 'failed', message, again };
    if (!again) return;
    this.#schedule(this.#retryMs);
    this.#retryMs = Math.min(longestRetryMs, this.#retryMs * 2);
  }

  /** Decides every conflict for one side. Choosing theirs can be undone. */
  resolve(side: 'mine' | 'theirs'): void {
    const conflicts = this.conflicts;
    this.conflicts = [];
    for (const conflict of conflicts) this.#kept = decided(this.#kept, conflict);
    if (side === 'theirs') {
      const changes = conflicts.map(({ key, theirs }) => ({
        key,
        box: theirs && { ...valueOf(theirs), key, predicted: false },
      }));
      this.#boxes.edit('Use the boxes of the service', changes);
    }
    this.edited();
  }

  /** Stops automatic saving; what is not saved stays a draft. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #keepDraft(): void {
    const { drafts, imageId } = this.#ports;
    const { boxes } = this.#boxes;
    const needed =
      this.#sent.length > 0 ||
      this.conflicts.length > 0 ||
      this.unsaved > 0 ||
      boxes.some(({ predicted, label }) => predicted || !label);
    if (needed) this.draftKept = drafts.write(imageId, { kept: this.#kept, boxes, sent: this.#sent });
    else {
      drafts.remove(imageId);
      this.draftKept = true;
    }
  }
}
