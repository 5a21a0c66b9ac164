import type { CaptureStore } from '../../evidence/capture/capture-store.ts';
import { completeParts } from './complete-parts.ts';
import type { DueEntry, Situation } from './due-entries.ts';
import * as steps from './entry-steps.ts';
import type { CaptureContent, OutboxEntry, UploadProgress } from './outbox-entry.ts';
import { uploadIdOf } from './outbox-entry.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { OutboxTarget } from './outbox-target.ts';
import { QueuesAhead } from './queues-ahead.ts';
import { concernsTarget, retryAfter } from './retry-schedule.ts';
import { SendWidth } from './send-width.ts';
import type { UploadConnection, UploadedCapture } from './upload-connection.ts';
import { UploadError } from './upload-error.ts';

/**
 * A target of many hosts may list an upload late: after this many checks, within a minute, the upload counts as
 * lost.
 */
const checksBeforeLost = 8;

export interface SenderPorts {
  readonly store: OutboxStore;
  readonly captures: Pick<CaptureStore, 'content'>;
  /**
   * Connects to a target; null if this host cannot (a service worker cannot reach the browser's own service).
   * @throws UploadError unauthenticated without a key
   */
  readonly connect: (target: OutboxTarget) => Promise<UploadConnection | null>;
  /** ms since 1970 */
  readonly nowMs: () => number;
  readonly isOnline: () => boolean;
  /** Called with the progress of uploads, for display. */
  readonly onProgress: (entryId: string, progress: UploadProgress) => void;
}

/** An entry that is being sent. */
interface SendingEntry {
  readonly entry: OutboxEntry;
  readonly abort: AbortController;
  /** whether its start was recorded */
  begun: boolean;
}

/** An entry that is due, with a connection to its target. */
interface Sendable extends DueEntry {
  readonly connection: UploadConnection;
}

/**
 * Sends the entries of the outbox, several at once. Each step is recorded before the next one begins, so that a
 * sender can be killed at any time and another one continues. Only one sender may run on a store: its owner holds a
 * lock.
 */
export class OutboxSender {
  readonly #ports: SenderPorts;
  readonly #width = new SendWidth();
  readonly #underWay = new Map<string, SendingEntry>();
  readonly #ahead: QueuesAhead;
  #lookAgain = (): void => {};

  constructor(ports: SenderPorts) {
    this.#ports = ports;
    this.#ahead = new QueuesAhead(ports.store);
  }

  /**
   * Makes the entries of a dead sender wait again. Call it before anything is sent, and after the store has failed.
   */
  async recover(): Promise<void> {
    const { store, nowMs } = this.#ports;
    const left = await store.inState('sending');
    await Promise.all(left.map(({ id }) => store.update(id, (entry) => steps.takeBack(entry, nowMs()))));
  }

  /**
   * Sends all entries that are due. Resolves to the time at which the next entry is due (ms since 1970); null: none
   * is due until something changes (an entry, a key, the network). Rejects if the store fails, when no upload is
   * pending any more.
   */
  async sendDue(signal: AbortSignal): Promise<number | null> {
    this.#ahead.forget();
    const sending = new Set<Promise<void>>();
    const failures: unknown[] = [];
    try {
      while (failures.length === 0) {
        // Created before the queues are read, so that no change in between is missed.
        const changed = new Promise<void>((resolve) => (this.#lookAgain = resolve));
        const { due, soonestMs } = await this.#look(signal);
        for (const one of due) {
          const sent = this.#send(one, signal)
            .catch((error: unknown) => void failures.push(error))
            .finally(() => sending.delete(sent));
          sending.add(sent);
        }
        if (sending.size === 0 && failures.length === 0) return soonestMs;
        await Promise.race([changed, ...sending]);
      }
    } finally {
      await Promise.all(sending);
    }
    throw failures[0];
  }

  /** Makes `sendDue` read the queues again while it sends; call it after a change. */
  lookAgain(): void {
    this.#ahead.forget();
    this.#lookAgain();
  }

  /** Aborts the uploads of entries that were cancelled. */
  async breakOff(): Promise<void> {
    const begun = [...this.#underWay.values()].filter((one) => one.begun);
    if (begun.length === 0) return;
    const sending = new Set((await this.#ports.store.inState('sending')).map(({ id }) => id));
    for (const { entry, abort } of begun) {
      if (!sending.has(entry.id)) abort.abort(new UploadError('cancelled', 'Cancelled.'));
    }
  }

  /** Finds which entries are to be started now, with their connections, and when the next are due. */
  async #look(signal: AbortSignal): Promise<{ readonly due: readonly Sendable[]; readonly soonestMs: number | null }> {
    if (signal.aborted) return { due: [], soonestMs: null };
    const { due, soonestMs } = await this.#ahead.take(() => this.#situation());
    const connections = new Map<string, UploadConnection | null>();
    for (const { target } of due) {
      if (!connections.has(target.id)) connections.set(target.id, await this.#connect(target));
    }
    const sendable = due.flatMap((one) => {
      const connection = connections.get(one.target.id);
      return connection ? [{ ...one, connection }] : [];
    });
    return { due: sendable, soonestMs };
  }

  #situation(): Situation {
    const { nowMs, isOnline } = this.#ports;
    const underWay = [...this.#underWay.values()].map(({ entry }) => entry);
    return { nowMs: nowMs(), isOnline: isOnline(), underWay, widthOf: (targetId) => this.#width.of(targetId) };
  }

  /**
   * null: nothing can be sent to this target now. A missing key is recorded at the target until the person gives
   * one.
   */
  async #connect(target: OutboxTarget): Promise<UploadConnection | null> {
    try {
      return await this.#ports.connect(target);
    } catch (error) {
      if (!(error instanceof UploadError) || error.code !== 'unauthenticated') throw error;
      await this.#ports.store.updateTarget(target.id, (known) => ({ ...known, needsKey: true }));
      return null;
    }
  }

  async #send({ entry, target, connection }: Sendable, signal: AbortSignal): Promise<void> {
    const { store } = this.#ports;
    const underWay: SendingEntry = { entry, abort: new AbortController(), begun: false };
    this.#underWay.set(entry.id, underWay);
    try {
      const begun = await store.updateAmong(entry.id, steps.beginSending);
      if (!begun) return; // cancelled meanwhile
      underWay.begun = true;
      await this.#sendParts(begun, connection, AbortSignal.any([signal, underWay.abort.signal]));
      this.#width.taken(target.id);
    } catch (error) {
      if (!(error instanceof UploadError)) throw error; // the outbox's own store: the host waits and recovers
      this.#width.failed(target.id);
      if (signal.aborted) await store.update(entry.id, (now) => steps.takeBack(now, this.#ports.nowMs()));
      else await this.#failed(entry.id, target, error);
      this.#ahead.forget();
    } finally {
      this.#underWay.delete(entry.id);
    }
  }

  async #sendParts(entry: OutboxEntry, connection: UploadConnection, signal: AbortSignal): Promise<void> {
    const { store, nowMs } = this.#ports;
    if (entry.content.kind === 'readings') {
      const isThere = entry.mayBeStored === 'yes' && (await connection.hasReadings(entry.content, signal));
      if (!isThere) await connection.uploadReadings(entry.content, this.#uploadOptions(entry, signal));
    } else {
      const { content } = entry;
      const serverId = entry.serverId ?? (await this.#storeImage(entry, content, connection, signal));
      if (serverId === null) return;
      const stored = await connection.read(serverId, signal);
      const isWhole = stored && (stored.sizeBytes === 0 || stored.sizeBytes === entry.sizeBytes);
      if (!isWhole) {
        if (entry.failures >= checksBeforeLost) await store.update(entry.id, steps.lostByTarget);
        throw new UploadError('not-stored', notStored(serverId, stored?.sizeBytes ?? null, entry.sizeBytes));
      }
      await completeParts(content, { serverId, stored, connection, signal }, async (part, state) => {
        if (!(await store.update(entry.id, (now) => steps.partSettled(now, part, state)))) throw givenUp();
      });
    }
    await store.update(entry.id, (now) => steps.sent(now, nowMs()));
  }

  /** Resolves to the target's id of the image; null: the target has stored all of it, and the entry is sent. */
  async #storeImage(
    entry: OutboxEntry,
    content: CaptureContent,
    connection: UploadConnection,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { store, nowMs } = this.#ports;
    const found = entry.mayBeStored === 'yes' ? await connection.find(content, entry.sizeBytes, signal) : null;
    const { serverId, isWhole } =
      found === null ? await this.#upload(entry, content, connection, signal) : { serverId: found, isWhole: false };
    const recorded = await store.update(entry.id, (now) =>
      isWhole ? steps.sentWhole(now, serverId, nowMs()) : steps.imageStored(now, serverId),
    );
    if (!recorded) throw givenUp();
    return isWhole ? null : serverId;
  }

  async #upload(
    entry: OutboxEntry,
    content: CaptureContent,
    connection: UploadConnection,
    signal: AbortSignal,
  ): Promise<UploadedCapture> {
    const image = await this.#ports.captures.content(content.captureId);
    if (!image) {
      throw new UploadError('capture-missing', `The frame "${content.fileName}" is no longer kept in this browser.`);
    }
    return connection.uploadCapture(content, image, this.#uploadOptions(entry, signal));
  }

  #uploadOptions(entry: OutboxEntry, signal: AbortSignal) {
    const onProgress = (progress: UploadProgress): void => this.#ports.onProgress(entry.id, progress);
    return { uploadId: uploadIdOf(entry), signal, onProgress };
  }

  /**
   * If the sender dies within this, the entry is still recorded as being sent, and the next sender takes it back.
   */
  async #failed(entryId: string, target: OutboxTarget, error: UploadError): Promise<void> {
    const { store, nowMs } = this.#ports;
    if (error.code === 'unauthenticated') {
      await store.updateTarget(target.id, (known) => ({ ...known, needsKey: true }));
    }
    const failed = await store.update(entryId, (entry) => steps.failedTry(entry, error, nowMs()));
    if (!failed || !concernsTarget.has(error.code)) return;
    const retry = retryAfter(error, failed.failures);
    if (retry.kind !== 'after') return;
    const notBeforeMs = nowMs() + retry.delayMs;
    // Parallel uploads may report different times: the latest one counts.
    await store.updateTarget(target.id, (known) => ({
      ...known,
      notBeforeMs: Math.max(known.notBeforeMs, notBeforeMs),
    }));
  }
}

const givenUp = (): UploadError => new UploadError('cancelled', 'Cancelled while it was sent.');

function notStored(serverId: string, foundBytes: number | null, sizeBytes: number): string {
  const what = foundBytes === null ? 'does not know it' : `holds ${foundBytes} bytes of ${sizeBytes}`;
  return `The target answered with the id ${serverId}, but ${what}. It is looked for again, and then sent again.`;
}
