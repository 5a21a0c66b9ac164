import type { ImageBox } from '../../evidence/capture/capture.ts';
import type { CaptureContent, ReadingsContent, UploadProgress } from './outbox-entry.ts';

/** A target's operations for the sender. Every method rejects with UploadError. */
export interface UploadConnection {
  /** Stores the image with all its parts. A target that knows upload ids stores the same id once. */
  uploadCapture(content: CaptureContent, image: Blob, options: UploadOptions): Promise<UploadedCapture>;
  uploadReadings(content: ReadingsContent, options: UploadOptions): Promise<void>;
  /** The id of this image if the target has it already; null: it has not. */
  find(content: CaptureContent, sizeBytes: number, signal: AbortSignal): Promise<string | null>;
  /** Whether the target has these rows already. */
  hasReadings(content: ReadingsContent, signal: AbortSignal): Promise<boolean>;
  /** What the target stores under an id; null: nothing. */
  read(serverId: string, signal: AbortSignal): Promise<StoredParts | null>;
  addTags(serverId: string, tags: readonly string[], signal: AbortSignal): Promise<void>;
  addToDataset(serverId: string, datasetId: string, signal: AbortSignal): Promise<void>;
  addBox(serverId: string, box: ImageBox, signal: AbortSignal): Promise<void>;
  removeBox(serverId: string, boxId: string, signal: AbortSignal): Promise<void>;
}

export interface UploadedCapture {
  /** the target's id of the image */
  readonly serverId: string;
  /**
   * whether the target said that this very call has stored all of it, as Sightglass does; else it has to be read
   * what the target has
   */
  readonly isWhole: boolean;
}

export interface UploadOptions {
  readonly uploadId: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: UploadProgress) => void;
}

export interface StoredParts {
  readonly tags: readonly string[];
  readonly datasetIds: readonly string[];
  readonly boxes: readonly ImageBox[];
  readonly classes: readonly { readonly label: string; readonly confidence: number | null }[];
  /** 0: the target does not say */
  readonly sizeBytes: number;
}
