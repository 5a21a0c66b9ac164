import type { Transport } from '@connectrpc/connect';
import { version } from '../../../../package.json';
import { filedCaptures, fileEarlierCaptures } from '../../../remote/outbox/filed-captures.ts';
import type { UploadProgress } from '../../../remote/outbox/outbox-entry.ts';
import type { ServerTarget } from '../../../remote/outbox/outbox-target.ts';
import { openCaptures } from '../indexed-db/capture-store/open-captures.ts';
import { checkTarget } from './check-target.ts';
import { connectOwnServer, connectServer } from './connect-server.ts';
import { openOutbox } from './open-outbox.ts';
import { randomId } from '../bytes/random-id.ts';
import { readModelBytes } from '../indexed-db/read-model-bytes.ts';
import { sha256 } from '../bytes/sha256.ts';

export interface CaptureHostOptions {
  /** The way to the browser's own data service. */
  readonly localTransport: () => Promise<Transport>;
  readonly keepStorage: () => void;
}

/** Captures and the outbox of this page, which takes part in sending from now on. */
export function openCaptureHost({ localTransport, keepStorage }: CaptureHostOptions) {
  const opened = openCaptures();
  const sending = openOutbox(opened, localTransport);
  const failureListeners = new Set<(error: unknown) => void>();
  sending.onFailure = (error) => failureListeners.forEach((listener) => listener(error));
  const filing = {
    captures: opened.captures,
    outbox: sending.outbox,
    store: sending.store,
    onFailure: (error: unknown) => sending.onFailure(error),
  };
  void fileEarlierCaptures(filing);
  return {
    captures: filedCaptures(filing),
    outbox: sending.outbox,
    outboxStore: sending.store,
    onProgress: (listener: (entryId: string, progress: UploadProgress) => void) => sending.onProgress(listener),
    onFailure(listener: (error: unknown) => void) {
      failureListeners.add(listener);
      return () => void failureListeners.delete(listener);
    },
    checkTarget,
    connectServer: (target: ServerTarget, onRefused: () => void) => connectServer(opened.keys, target, onRefused),
    connectOwnServer: (onRefused: () => void) => connectOwnServer(location.origin, 'This server', onRefused),
    keys: opened.keys,
    isKeyKept: (targetId: string) => opened.keys.isKept(targetId),
    keepStorage,
    readModel: readModelBytes,
    sha256,
    randomId,
    version,
    nowMs: () => Date.now(),
    browserName: navigator.userAgent,
  };
}
