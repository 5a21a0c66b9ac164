import { boxChanges } from './complete-parts.ts';
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

/**
 * Recorded before anything is sent: after a crash, this state says that the entry may have arrived. Where the target has
 * the frame from another of the capture's entries, which was queued before either was sent, it is not sent again.
 */
export function beginSending(entry: OutboxEntry, ofCapture: readonly OutboxEntry[]): OutboxEntry | null {
  if (entry.state !== 'waiting') return null;
  const progress = { sentBytes: 0, totalBytes: entry.sizeBytes };
  const mayBeStored = entry.mayBeStored === 'no' ? 'by-this-try' : entry.mayBeStored;
  const begun: OutboxEntry = { ...entry, state: 'sending', dueMs: null, progress, mayBeStored };
  return storedBefore(begun, ofCapture) ?? begun;
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

/** The target has stored the image with all its parts in one call, and said so: nothing is left to be done. */
export function sentWhole(entry: OutboxEntry, serverId: string, nowMs: number): OutboxEntry | null {
  const stored = imageStored(entry, serverId);
  if (stored?.content.kind !== 'capture') return null;
  const { parts } = stored.content;
  const done = (part: PartState): PartState => (part === 'waiting' ? 'done' : part);
  const { image, tags, datasets, boxes, classes } = parts;
  const allDone = { image, tags: done(tags), datasets: done(datasets), boxes: done(boxes), classes: done(classes) };
  return sent({ ...stored, content: { ...stored.content, parts: allDone } }, nowMs);
}

/** The target has the image from another entry of the same frame; the boxes of an earlier one are replaced. */
function storedBefore(entry: OutboxEntry, ofCapture: readonly OutboxEntry[]): OutboxEntry | null {
  const { content } = entry;
  if (content.kind !== 'capture' || entry.serverId !== null) return null;
  if (entry.generation > 0 || entry.mayBeStored === 'yes') return null;
  const twins = ofCapture.flatMap((other) =>
    other.targetId === entry.targetId && isStoredFrame(other, content.sha256) ? [other] : [],
  );
  const before = twins.findLast(({ id }) => id < entry.id);
  const twin = before ?? twins[0];
  if (!twin) return null;
  const replacedBoxes = before
    ? boxChanges({ boxes: before.content.boxes, replacedBoxes: [] }, content.boxes).missing
    : [];
  const joined: CaptureContent = { ...content, replacedBoxes };
  return imageStored({ ...entry, content: { ...joined, parts: partsOf(joined) } }, twin.serverId);
}

interface StoredFrame extends OutboxEntry {
  readonly content: CaptureContent;
  readonly serverId: string;
}

function isStoredFrame(entry: OutboxEntry, sha256: string): entry is StoredFrame {
  return entry.serverId !== null && entry.content.kind === 'capture' && entry.content.sha256 === sha256;
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
