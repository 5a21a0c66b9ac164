import type { CaptureStore } from '../../evidence/capture/capture-store.ts';
import type { Capture } from '../../evidence/capture/capture.ts';
import type { Reading } from '../../evidence/capture/readings.ts';
import { boxChanges } from './complete-parts.ts';
import * as steps from './entry-steps.ts';
import { fileNameOf } from './file-name.ts';
import type { CaptureContent, OutboxContent, OutboxEntry } from './outbox-entry.ts';
import type { OutboxStore } from './outbox-store.ts';
import { serverTarget, type OutboxTarget, type ServerTarget } from './outbox-target.ts';
import type { TargetKeys } from './target-keys.ts';

export interface OutboxPorts {
  readonly store: OutboxStore;
  readonly captures: Pick<CaptureStore, 'content'>;
  readonly keys: TargetKeys;
  readonly sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>;
  /** a random text of at least 16 characters */
  readonly randomId: () => string;
  readonly nowMs: () => number;
}

/** Settings of a sending, beside the frame; its boxes and classes come from the capture. */
export interface SendChoice {
  /** tags in addition to the capture's own */
  readonly tags?: readonly string[];
  readonly datasetIds?: readonly string[];
  readonly withBoxes?: boolean;
  readonly withClasses?: boolean;
}

export interface Queued {
  readonly entries: readonly OutboxEntry[];
  /** number of captures that were not queued because the same content is queued or was sent already */
  readonly alreadyThere: number;
}

/** Number of rows in one call: far below the limits of any host. */
const rowsInOneCall = 500;

/** The outbox as a person uses it. An OutboxSender, which may run elsewhere, sends its entries. */
export class Outbox {
  readonly #ports: OutboxPorts;

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
  }

  /**
   * Queues frames in their present state. If a frame was sent to the target before, it is not stored there again:
   * new annotations are added, and boxes that are no longer wanted are removed.
   * @throws CaptureStoreError
   */
  async sendCaptures(captures: readonly Capture[], targetId: string, choice: SendChoice = {}): Promise<Queued> {
    const entries: OutboxEntry[] = [];
    for (const capture of captures) {
      const content = contentOf(capture, choice);
      const { sizeBytes } = capture.image;
      entries.push(await this.#asUpdate(await this.#entry(targetId, content, sizeBytes, content.sha256), content));
    }
    return this.#add(entries);
  }

  /** Queues rows of measurements. @throws CaptureStoreError */
  async sendReadings(
    rows: readonly Reading[],
    targetId: string,
    { componentName = 'bench', tags = [] }: { readonly componentName?: string; readonly tags?: readonly string[] } = {},
  ): Promise<Queued> {
    const entries: OutboxEntry[] = [];
    for (let start = 0; start < rows.length; start += rowsInOneCall) {
      const part = rows.slice(start, start + rowsInOneCall);
      const content = { kind: 'readings', componentName, tags, rows: part } as const;
      entries.push(await this.#entry(targetId, content, JSON.stringify(part).length, ''));
    }
    return this.#add(entries);
  }

  /** Retries an entry that has failed or waits. */
  async retry(id: string): Promise<void> {
    const { store, nowMs } = this.#ports;
    const entry = await store.update(id, (known) => steps.retryNow(known, nowMs()));
    if (entry) await store.updateTarget(entry.targetId, (target) => ({ ...target, notBeforeMs: 0 }));
  }

  /** Retries what failed, and at once what waits for its next attempt. */
  async retryAll(): Promise<void> {
    const { store } = this.#ports;
    const waiting = (await store.inState('waiting')).filter(({ lastFailure }) => lastFailure !== null);
    for (const { id } of [...(await store.inState('failed')), ...waiting]) await this.retry(id);
  }

  /** Stops an entry for now; a retry continues where it stopped. */
  async cancel(id: string): Promise<void> {
    const { store, nowMs } = this.#ports;
    await store.update(id, (entry) => steps.cancelled(entry, nowMs()));
  }

  /** Removes entries from the list, whatever their state; the captures stay. */
  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.cancel(id);
    await this.#ports.store.remove(ids);
  }

  /**
   * Removes entries of rows that were sent, since one is added every few seconds. Entries of captures stay: they
   * show which frames were sent before.
   */
  async removeSentReadings(): Promise<void> {
    const sent = await this.#ports.store.inState('sent');
    await this.#ports.store.remove(sent.filter(({ content }) => content.kind === 'readings').map(({ id }) => id));
  }

  pause(): Promise<void> {
    return this.#ports.store.setPaused(true);
  }

  resume(): Promise<void> {
    return this.#ports.store.setPaused(false);
  }

  /** @throws TargetError */
  async addTarget(
    typed: { readonly name: string; readonly url: string; readonly keyId: string; readonly partId: string },
    key: string,
    keepKey: boolean,
  ): Promise<ServerTarget> {
    const target = serverTarget({ ...typed, id: this.#ports.randomId() });
    await this.#ports.keys.give(target, key, keepKey);
    await this.#ports.store.putTarget(target);
    return target;
  }

  /**
   * Gives a key for a target that lost or refused the former one. Entries that waited for it are retried at once.
   */
  async giveKey(target: ServerTarget, key: string, keepKey: boolean): Promise<void> {
    await this.#ports.keys.give(target, key, keepKey);
    await this.#ports.store.updateTarget(target.id, (known) => ({ ...known, needsKey: false, notBeforeMs: 0 }));
  }

  /** Sends to the server of a log-in from now on, by its session; what waits for the same membership goes on at once. */
  async logIn(target: ServerTarget): Promise<void> {
    await this.#ports.store.putTarget(target);
  }

  /** Removes a target with its key and everything queued for it. */
  async removeTarget(target: OutboxTarget): Promise<void> {
    const { store, keys } = this.#ports;
    if (target.kind === 'server') await keys.forget(target.id);
    for (const state of ['waiting', 'sending', 'failed', 'sent'] as const) {
      const mine = (await store.inState(state)).filter(({ targetId }) => targetId === target.id);
      await this.remove(mine.map(({ id }) => id));
    }
    await store.removeTarget(target.id);
  }

  /** The content of an entry as files, for a frame that no target accepts. */
  async exportEntry(id: string): Promise<readonly { readonly fileName: string; readonly content: Blob }[]> {
    const entry = await this.#ports.store.get(id);
    if (!entry) return [];
    const { content } = entry;
    if (content.kind === 'readings') {
      return [{ fileName: `${content.componentName}.json`, content: jsonBlob(content.rows) }];
    }
    const { fileName, tags, datasetIds, boxes, classes, sha256, timeRequestedMs, timeReceivedMs } = content;
    const image = await this.#ports.captures.content(content.captureId);
    const times = { timeRequested: isoTime(timeRequestedMs), timeReceived: isoTime(timeReceivedMs) };
    const description = { fileName, sha256, ...times, tags, datasetIds, boxes, classes };
    return [
      ...(image ? [{ fileName, content: image }] : []),
      { fileName: `${fileName}.json`, content: jsonBlob(description) },
    ];
  }

  async #entry(targetId: string, content: OutboxContent, sizeBytes: number, sha256: string): Promise<OutboxEntry> {
    const { nowMs, randomId } = this.#ports;
    const queuedAtMs = nowMs();
    return {
      id: `${String(Math.round(queuedAtMs * 1000)).padStart(17, '0')}-${randomId()}`,
      targetId,
      content,
      sizeBytes,
      queuedAtMs,
      digest: await this.#digest([targetId, sha256, content]),
      generation: 0,
      state: 'waiting',
      dueMs: queuedAtMs,
      failures: 0,
      lastFailure: null,
      progress: { sentBytes: 0, totalBytes: sizeBytes },
      mayBeStored: 'no',
      serverId: null,
      sentAtMs: null,
    };
  }

  async #digest(parts: readonly unknown[]): Promise<string> {
    return this.#ports.sha256(new TextEncoder().encode(JSON.stringify(parts)));
  }

  /** If the target may have the frame already, the entry sends only the changes. */
  async #asUpdate(entry: OutboxEntry, content: CaptureContent): Promise<OutboxEntry> {
    const earlier = (await this.#ports.store.ofCapture(content.captureId))
      .filter((other) => other.targetId === entry.targetId && other.state === 'sent' && other.serverId !== null)
      .at(-1);
    if (earlier?.content.kind !== 'capture' || earlier.content.sha256 !== content.sha256) return entry;
    if (earlier.digest === entry.digest) return entry; // the very same: it is there
    const replacedBoxes = boxChanges({ boxes: earlier.content.boxes, replacedBoxes: [] }, content.boxes).missing;
    const updated: CaptureContent = { ...content, replacedBoxes };
    return {
      ...entry,
      content: { ...updated, parts: { ...steps.partsOf(updated), image: 'done' } },
      serverId: earlier.serverId,
      digest: await this.#digest([entry.digest, earlier.id]), // a state from before the last sending may be sent again
    };
  }

  async #add(entries: readonly OutboxEntry[]): Promise<Queued> {
    const kept = await this.#ports.store.add(entries);
    for (const { id, state } of kept) if (state === 'failed') await this.retry(id);
    return { entries: kept, alreadyThere: kept.filter((entry, at) => entry.id !== entries[at]!.id).length };
  }
}

function contentOf(capture: Capture, { tags = [], datasetIds = [], withBoxes = true, withClasses = true }: SendChoice) {
  const { id, image, source, setup, timeRequestedMs, timeReceivedMs } = capture;
  const parts = {
    tags: [...new Set([...capture.tags, ...tags])].sort(),
    datasetIds: [...new Set(datasetIds)].sort(),
    boxes: withBoxes ? capture.boxes : [],
    classes: withClasses ? capture.classes : [],
  };
  const content: CaptureContent = {
    kind: 'capture',
    captureId: id,
    sha256: image.sha256,
    mediaType: image.mediaType,
    fileName: fileNameOf(capture),
    componentName: setup?.cameraName ?? source.name,
    timeRequestedMs,
    timeReceivedMs,
    ...parts,
    replacedBoxes: [],
    parts: steps.partsOf(parts),
  };
  return content;
}

const jsonBlob = (value: unknown): Blob => new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' });
const isoTime = (ms: number): string => new Date(ms).toISOString();
