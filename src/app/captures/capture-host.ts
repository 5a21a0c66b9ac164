import type { CaptureStore } from '../../capture/capture-store.ts';
import type { ServerConnection } from '../../outbox/authorized-transport.ts';
import type { OutboxStore } from '../../outbox/outbox-store.ts';
import type { ServerTarget } from '../../outbox/outbox-target.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import type { TargetKeys } from '../../outbox/target-keys.ts';
import type { UploadProgress } from '../../outbox/outbox-entry.ts';
import type { ModelSource } from '../../ports/model-source.ts';

/** What keeping and sending frames needs of the page; handed over by main.ts when it is first asked for. */
export interface CaptureHost {
  readonly captures: CaptureStore;
  readonly outbox: Outbox;
  readonly outboxStore: OutboxStore;
  /** Bytes on their way, of whichever tab sends. Returns what ends it. */
  onProgress(listener: (entryId: string, progress: UploadProgress) => void): () => void;
  /** Why nothing is sent at all, as with a broken storage. Returns what ends it. */
  onFailure(listener: (error: unknown) => void): () => void;
  /** Asks a server something small, with the key that is typed. Rejects with UploadError. */
  checkTarget(target: ServerTarget, key: string, signal: AbortSignal): Promise<void>;
  /** The way to a server with the key that was given for it; null where it has to be given again. */
  connectServer(target: ServerTarget, onRefused: () => void): Promise<ServerConnection | null>;
  /** What servers' and machines' keys are kept in. */
  readonly keys: TargetKeys;
  /** Whether a server's key is kept beyond this visit. */
  isKeyKept(targetId: string): Promise<boolean>;
  /** Asks the browser, once, never to clear what is kept by itself. */
  keepStorage(): void;
  /** The bytes of a model that was loaded, null where they are not to be had any more. */
  readModel(source: ModelSource | null, sha256: string): Promise<Blob | null>;
  readonly sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>;
  readonly randomId: () => string;
  /** ms since 1970 */
  readonly nowMs: () => number;
  /** of the app */
  readonly version: string;
  /** the browser, as it names itself */
  readonly browserName: string;
}
