import type { RawResults } from '../../machine/vision/face/results.ts';
import type { Capture, CaptureParcel, ImageBox, ImageClass } from './capture.ts';

/** Storage of captures. Several tabs may open it at once. */
export interface CaptureStore {
  /**
   * Stores all parcels or none; they are durable when the promise resolves.
   * @throws CaptureStoreError full, unavailable, newer-schema
   */
  put(parcels: readonly CaptureParcel[]): Promise<void>;
  /**
   * A page of captures, newest first. `before` is the id of the last capture of the previous page; null: start with
   * the newest.
   */
  page(before: string | null, limit: number): Promise<readonly Capture[]>;
  count(): Promise<number>;
  /** Total size of all images in bytes. */
  sizeBytes(): Promise<number>;
  get(id: string): Promise<Capture | null>;
  content(id: string): Promise<Blob | null>;
  thumbnail(id: string): Promise<Blob | null>;
  raw(id: string): Promise<RawResults | null>;
  /** Replaces annotations by a person's corrections; resolves to the capture, or null if it no longer exists. */
  correct(id: string, correction: CaptureCorrection, nowMs: number): Promise<Capture | null>;
  /**
   * Deletes captures with everything stored for them.
   * @throws CaptureStoreError in-outbox: none was deleted
   */
  remove(ids: readonly string[]): Promise<void>;
  /**
   * `listener` is called when captures were added, changed or deleted, in this tab or another one. Returns the
   * function that removes it.
   */
  onChange(listener: () => void): () => void;
}

export interface CaptureCorrection {
  readonly tags?: readonly string[];
  readonly boxes?: readonly ImageBox[];
  readonly classes?: readonly ImageClass[];
}

/**
 * - `full`: the browser's storage has no room; nothing of the call was kept.
 * - `unavailable`: no storage, or it broke off; the same call may succeed later.
 * - `newer-schema`: a newer version of the app wrote it; reload.
 * - `in-outbox`: it is still to be sent.
 */
export type CaptureStoreErrorCode = 'full' | 'unavailable' | 'newer-schema' | 'in-outbox';

export class CaptureStoreError extends Error {
  override readonly name = 'CaptureStoreError';
  readonly code: CaptureStoreErrorCode;
  constructor(code: CaptureStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The error that `count` of the captures wait to be sent and cannot be deleted. */
export function inOutbox(count: number): CaptureStoreError {
  const frames = count === 1 ? 'One frame is' : `${count} frames are`;
  return new CaptureStoreError('in-outbox', `${frames} still to be sent; cancel that first. Nothing was removed.`);
}
