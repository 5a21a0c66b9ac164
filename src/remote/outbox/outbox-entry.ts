import type { ImageBox, ImageClass } from '../../evidence/capture/capture.ts';
import type { Reading } from '../../evidence/capture/readings.ts';
import type { UploadFailureCode } from './upload-error.ts';

/** An upload to one target. Survives structured cloning. */
export interface OutboxEntry {
  /** unique; the entries of a target are started in the order of their ids */
  readonly id: string;
  readonly targetId: string;
  readonly content: OutboxContent;
  /** equal for two entries that would send the same content to the same target */
  readonly digest: string;
  readonly sizeBytes: number;
  /**
   * how often the target lost the stored content, or the person sent it again: each time it gets a new upload id
   */
  readonly generation: number;
  readonly state: OutboxState;
  /** when the next attempt is due, ms since 1970; null: the entry does not wait */
  readonly dueMs: number | null;
  /** number of failures in a row */
  readonly failures: number;
  readonly lastFailure: OutboxFailure | null;
  readonly progress: UploadProgress;
  /**
   * whether the target may have stored it without this browser knowing: `by-this-try` until the attempt's outcome
   * is known, `yes` for good
   */
  readonly mayBeStored: 'no' | 'by-this-try' | 'yes';
  /** the target's id of the stored content; '' for rows */
  readonly serverId: string | null;
  readonly queuedAtMs: number;
  readonly sentAtMs: number | null;
}

export type OutboxState = 'waiting' | 'sending' | 'sent' | 'failed';

export interface OutboxFailure {
  readonly code: UploadFailureCode;
  /** what failed and what to try; never contains a key */
  readonly message: string;
  readonly atMs: number;
}

export type OutboxContent = CaptureContent | ReadingsContent;

/** A captured frame with its annotations, as they were when it was queued. */
export interface CaptureContent {
  readonly kind: 'capture';
  readonly captureId: string;
  /** digest of the image's bytes, in hex */
  readonly sha256: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly componentName: string;
  readonly timeRequestedMs: number;
  readonly timeReceivedMs: number;
  readonly tags: readonly string[];
  readonly datasetIds: readonly string[];
  readonly boxes: readonly ImageBox[];
  readonly classes: readonly ImageClass[];
  /**
   * boxes that this app sent to the target earlier for the same frame: those that are no longer wanted are removed
   * there
   */
  readonly replacedBoxes: readonly ImageBox[];
  readonly parts: CaptureParts;
}

/** The progress of each part, recorded before the next part begins. */
export interface CaptureParts {
  readonly image: PartState;
  readonly tags: PartState;
  readonly datasets: PartState;
  readonly boxes: PartState;
  readonly classes: PartState;
}

export type CapturePart = keyof CaptureParts;
/** `not-taken`: the target does not store this part, and has no operation to add it */
export type PartState = 'waiting' | 'done' | 'none' | 'not-taken';

/** Rows of what the bench measured. */
export interface ReadingsContent {
  readonly kind: 'readings';
  readonly componentName: string;
  readonly tags: readonly string[];
  readonly rows: readonly Reading[];
}

export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/**
 * The upload id, which makes repeated sending store the content once: equal for the same entry, whoever sends it
 * and however often.
 */
export function uploadIdOf({ id, generation }: Pick<OutboxEntry, 'id' | 'generation'>): string {
  return generation === 0 ? `sightglass-${id}` : `sightglass-${id}.${generation}`;
}

/** The capture that an entry sends; null: it sends rows. */
export function captureOf({ content }: Pick<OutboxEntry, 'content'>): string | null {
  return content.kind === 'capture' ? content.captureId : null;
}

/**
 * The entries of one sequence are sent one after the other: those of one frame, because a later entry finds the
 * frame stored and replaces the boxes of the earlier one; and rows of one component, which must arrive in the order
 * of their times. All others may be sent at once.
 */
export function sequenceOf({ targetId, content }: Pick<OutboxEntry, 'targetId' | 'content'>): string {
  return JSON.stringify([
    targetId,
    content.kind,
    content.kind === 'capture' ? content.captureId : content.componentName,
  ]);
}
