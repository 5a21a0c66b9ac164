import type {
  CaptureContent,
  CapturePart,
  OutboxEntry,
  OutboxFailure,
  PartState,
  UploadProgress,
} from './outbox-entry.ts';
import { retryAfter, storedNothing } from './retry-schedule.ts';
import type { UploadError } from './upload-error.ts';

// Each step of an entry's life is a function from entry to entry; null: the step does not apply, and the entry
// stays as it is.

/** Recorded before anything is sent: after a crash, this state says that the entry may have arrived. */
export function beginSending(entry: OutboxEntry): OutboxEntry | null {
  if (entry.state !== 'waiting') return null;
  const progress = { sentBytes: 0, totalBytes: entry.sizeBytes };
  const mayBeStored = entry.mayBeStored === 'no' ? 'by-this-try' : entry.mayBeStored;
  return { ...entry, state: 'sending', dueMs: null, progress, mayBeStored };
}

/** The sender died: the entry waits again, with the same upload id. */
export function takeBack(entry: OutboxEntry, nowMs: number): OutboxEntry | null {
  return entry.state === 'sending' ? { ...entry, state: 'waiting', dueMs: nowMs, mayBeStored: 'yes' } : null;
}

/** The target has stored the image. */
export function imageStored(entry: OutboxEntry, serverId: string): OutboxEntry | null {
  if (entry.state !== 'sending') return null;
  const progress: UploadProgress = { sentBytes: entry.sizeBytes, totalBytes: entry.sizeBytes };
  return { ...withPart(entry, 'image', 'done'), serverId, mayBeStored: 'no', progress };
}

/** The target has the image from another entry of the same frame, whose boxes this entry replaces. */
export function storedBefore(
  entry: OutboxEntry,
  serverId: string,
  replacedBoxes: CaptureContent['replacedBoxes'],
): OutboxEntry | null {
  if (entry.content.kind !== 'capture') return null;
  const content: CaptureContent = { ...entry.content, replacedBoxes };
  return imageStored({ ...entry, content: { ...content, parts: partsOf(content) } }, serverId);
}

export function partSettled(entry: OutboxEntry, part: CapturePart, state: PartState): OutboxEntry | null {
  return entry.state === 'sending' ? withPart(entry, part, state) : null;
}

/** The target has lost what it had stored: the next attempt stores it anew, with another upload id. */
export function lostByTarget(entry: OutboxEntry): OutboxEntry | null {
  if (entry.state !== 'sending' || entry.content.kind !== 'capture') return null;
  const content: CaptureContent = { ...entry.content, parts: partsOf(entry.content), replacedBoxes: [] };
  return { ...entry, content, serverId: null, mayBeStored: 'no', generation: entry.generation + 1 };
}

export function sent(entry: OutboxEntry, nowMs: number): OutboxEntry | null {
  if (entry.state !== 'sending') return null;
  const serverId = entry.serverId ?? '';
  return { ...entry, state: 'sent', serverId, mayBeStored: 'no', failures: 0, lastFailure: null, sentAtMs: nowMs };
}

/** An attempt failed: the error decides what comes next. */
export function failedTry(entry: OutboxEntry, error: UploadError, nowMs: number): OutboxEntry | null {
  if (entry.state !== 'sending') return null;
  const failures = entry.failures + 1;
  const lastFailure: OutboxFailure = { code: error.code, message: error.message, atMs: nowMs };
  // A refusal says nothing about earlier attempts, whose upload may still be stored.
  const refused = entry.mayBeStored === 'by-this-try' && storedNothing.has(error.code);
  const mayBeStored: OutboxEntry['mayBeStored'] = refused ? 'no' : 'yes';
  const failed = { ...entry, failures, lastFailure, mayBeStored };
  const retry = retryAfter(error, failures);
  switch (retry.kind) {
    case 'never':
      return { ...failed, state: 'failed' };
    case 'with-key': // the target holds everything back until there is one
      return { ...failed, state: 'waiting', dueMs: nowMs };
    case 'after':
      return { ...failed, state: 'waiting', dueMs: nowMs + retry.delayMs };
  }
}

/** The person wants another attempt now, whatever happened before. */
export function retryNow(entry: OutboxEntry, nowMs: number): OutboxEntry | null {
  if (entry.state !== 'failed' && entry.state !== 'waiting') return null;
  return { ...entry, state: 'waiting', dueMs: nowMs, failures: 0 };
}

export function cancelled(entry: OutboxEntry, nowMs: number): OutboxEntry | null {
  if (entry.state !== 'waiting' && entry.state !== 'sending') return null;
  const message = entry.mayBeStored !== 'no' ? 'Cancelled while it was sent; it may have arrived.' : 'Cancelled.';
  const mayBeStored = entry.mayBeStored === 'no' ? 'no' : 'yes';
  return {
    ...entry,
    state: 'failed',
    dueMs: null,
    mayBeStored,
    lastFailure: { code: 'cancelled', message, atMs: nowMs },
  };
}

/** The parts of a content, none of them done; parts that it lacks are 'none'. */
export function partsOf({
  tags,
  datasetIds,
  boxes,
  classes,
  replacedBoxes = [],
}: Pick<CaptureContent, 'tags' | 'datasetIds' | 'boxes' | 'classes'> &
  Partial<Pick<CaptureContent, 'replacedBoxes'>>): CaptureContent['parts'] {
  const wanted = (items: readonly unknown[]): PartState => (items.length > 0 ? 'waiting' : 'none');
  return {
    image: 'waiting',
    tags: wanted(tags),
    datasets: wanted(datasetIds),
    boxes: wanted([...boxes, ...replacedBoxes]),
    classes: wanted(classes),
  };
}

function withPart(entry: OutboxEntry, part: CapturePart, state: PartState): OutboxEntry {
  if (entry.content.kind !== 'capture') return entry;
  return { ...entry, content: { ...entry.content, parts: { ...entry.content.parts, [part]: state } } };
}
