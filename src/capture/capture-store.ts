import type { RawResults } from '../vision/sighting.ts';
import type { Capture, CaptureParcel, ImageBox, ImageClass } from './capture.ts';

/** Where captures are kept. Several tabs may have it open. */
export interface CaptureStore {
  /** Keeps all parcels or none; they are durable when the promise resolves. @throws CaptureStoreError full, unavailable, newer-schema */
  put(parcels: readonly CaptureParcel[]): Promise<void>;
  /** Newest first. `before` is the id that the page before ended with, null = from the newest on. */
  page(before: string | null, limit: number): Promise<readonly Capture[]>;
  count(): Promise<number>;
  /** Bytes of all images. */
  sizeBytes(): Promise<number>;
  get(id: string): Promise<Capture | null>;
  content(id: string): Promise<Blob | null>;
  thumbnail(id: string): Promise<Blob | null>;
  raw(id: string): Promise<RawResults | null>;
  /** Puts changes of a person in the place of what was there; returns the capture, null when it is not there any more. */
  correct(id: string, correction: CaptureCorrection, nowMs: number): Promise<Capture | null>;
  /** Removes captures with all that is kept of them. @throws CaptureStoreError in-outbox, and then removes none */
  remove(ids: readonly string[]): Promise<void>;
  /** Called when captures came, changed or went, here or in another tab. Returns what ends it. */
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

/** Why captures cannot be removed: `count` of them wait to be sent. */
export function inOutbox(count: number): CaptureStoreError {
  const frames = count === 1 ? 'One frame is' : `${count} frames are`;
  return new CaptureStoreError('in-outbox', `${frames} still to be sent; cancel that first. Nothing was removed.`);
}
