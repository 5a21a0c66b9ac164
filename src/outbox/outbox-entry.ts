import type { ImageBox, ImageClass } from '../capture/capture.ts';
import type { Reading } from '../capture/readings.ts';
import type { UploadFailureCode } from './upload-error.ts';

/** Something to be sent to one target. Survives structured cloning. */
export interface OutboxEntry {
  /** unique; entries of a target are begun in the order of their ids */
  readonly id: string;
  readonly targetId: string;
  readonly content: OutboxContent;
  /** equal for two entries that would send the same to the same target */
  readonly digest: string;
  readonly sizeBytes: number;
  /** how often the target lost what it had stored, or the person sent again what was there: a new upload id each */
  readonly generation: number;
  readonly state: OutboxState;
  /** when it may be tried next, ms since 1970; null unless it waits */
  readonly dueMs: number | null;
  /** failures in a row */
  readonly failures: number;
  readonly lastFailure: OutboxFailure | null;
  readonly progress: UploadProgress;
  /** whether the target may have stored it without our knowing: `by-this-try` until its outcome is known, `yes` for good */
  readonly mayBeStored: 'no' | 'by-this-try' | 'yes';
  /** the target's id of what was stored, '' for rows */
  readonly serverId: string | null;
  readonly queuedAtMs: number;
  readonly sentAtMs: number | null;
}

export type OutboxState = 'waiting' | 'sending' | 'sent' | 'failed';

export interface OutboxFailure {
  readonly code: UploadFailureCode;
  /** what failed and what to try, in words; never with a key in it */
  readonly message: string;
  readonly atMs: number;
}

export type OutboxContent = CaptureContent | ReadingsContent;

/** A kept frame with what is known of it, as it was when it was chosen. */
export interface CaptureContent {
  readonly kind: 'capture';
  readonly captureId: string;
  /** of the image's bytes, in hex */
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
  /** boxes that this app gave the target before, for the same frame: those that are no longer wanted are taken back */
  readonly replacedBoxes: readonly ImageBox[];
  readonly parts: CaptureParts;
}

/** How far each part is, recorded before the next one begins. */
export interface CaptureParts {
  readonly image: PartState;
  readonly tags: PartState;
  readonly datasets: PartState;
  readonly boxes: PartState;
  readonly classes: PartState;
}

export type CapturePart = keyof CaptureParts;
/** `not-taken`: the target stores none, and offers no way to add them */
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

/** What makes sending twice store once: the same id for the same entry, whoever sends it and however often. */
export function uploadIdOf({ id, generation }: Pick<OutboxEntry, 'id' | 'generation'>): string {
  return generation === 0 ? `sightglass-${id}` : `sightglass-${id}.${generation}`;
}

/**
 * Entries of one sequence go one after the other: those of one frame, as the later finds it stored and replaces the boxes of the
 * earlier, and rows of one component, which come in the order of their times. All others may be on their way at once.
 */
export function sequenceOf({ targetId, content }: Pick<OutboxEntry, 'targetId' | 'content'>): string {
  return JSON.stringify([
    targetId,
    content.kind,
    content.kind === 'capture' ? content.captureId : content.componentName,
  ]);
}
