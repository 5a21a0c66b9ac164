import type { CaptureStore } from '../../evidence/capture/capture-store.ts';
import type { ServerConnection } from '../../remote/outbox/authorized-transport.ts';
import type { OutboxStore } from '../../remote/outbox/outbox-store.ts';
import type { ServerTarget } from '../../remote/outbox/outbox-target.ts';
import type { Outbox } from '../../remote/outbox/outbox.ts';
import type { TargetKeys } from '../../remote/outbox/target-keys.ts';
import type { UploadProgress } from '../../remote/outbox/outbox-entry.ts';
import type { ModelSource } from '../../platform/ports/model-source.ts';

/** What capturing and sending frames needs of the page; main.ts creates it when it is first needed. */
export interface CaptureHost {
  readonly captures: CaptureStore;
  readonly outbox: Outbox;
  readonly outboxStore: OutboxStore;
  /** `listener` receives the progress of uploads, of whichever tab sends. Returns the function that removes it. */
  onProgress(listener: (entryId: string, progress: UploadProgress) => void): () => void;
  /**
   * `listener` receives the reason why nothing is sent at all, such as a broken storage. Returns the function that
   * removes it.
   */
  onFailure(listener: (error: unknown) => void): () => void;
  /** Makes a small request to a server with the typed key, to check both. Rejects with UploadError. */
  checkTarget(target: ServerTarget, key: string, signal: AbortSignal): Promise<void>;
  /** Connects to a server with its stored key; null: the person has to enter the key again. */
  connectServer(target: ServerTarget, onRefused: () => void): Promise<ServerConnection | null>;
  /** Connects to the server that the page comes from, by the session of whoever is logged in there. */
  connectOwnServer(onRefused: () => void): ServerConnection;
  /** storage of the keys of servers and machines */
  readonly keys: TargetKeys;
  /** Whether a server's key is stored beyond this visit. */
  isKeyKept(targetId: string): Promise<boolean>;
  /** Asks the browser, once, not to evict the stored data. */
  keepStorage(): void;
  /** The bytes of a loaded model; null: they are no longer available. */
  readModel(source: ModelSource | null, sha256: string): Promise<Blob | null>;
  readonly sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>;
  readonly randomId: () => string;
  /** ms since 1970 */
  readonly nowMs: () => number;
  /** version of the app */
  readonly version: string;
  /** the browser's own name */
  readonly browserName: string;
}
