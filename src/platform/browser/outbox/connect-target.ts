import type { Transport } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import { localHome } from '../../../data-service/access/local-home.ts';
import { tokenFor, type Authorize } from '../../../outbox/access-tokens.ts';
import { connectDataService } from '../../../outbox/data-service-connection.ts';
import type { UploadProgress } from '../../../outbox/outbox-entry.ts';
import type { SenderPorts } from '../../../outbox/outbox-sender.ts';
import type { ServerTarget } from '../../../outbox/outbox-target.ts';
import { redacting, type TargetKeys } from '../../../outbox/target-keys.ts';
import { UploadError } from '../../../outbox/upload-error.ts';
import { watchedFetch } from '../../../outbox/watched-fetch.ts';
import { fetchByXhr } from './fetch-by-xhr.ts';

/** `localTransport` null: this host has no way to the browser's own data service. */
export function connectTargets(
  keys: Pick<TargetKeys, 'get'>,
  localTransport: (() => Promise<Transport>) | null,
): SenderPorts['connect'] {
  const authorized = new Map<string, { readonly key: string; readonly authorize: Authorize }>();

  async function connectServer(target: ServerTarget) {
    const key = await keys.get(target);
    if (key === null) {
      throw new UploadError('unauthenticated', `The key of ${target.name} was not kept; give it again.`);
    }
    const transport = (onProgress?: (progress: UploadProgress) => void): Transport =>
      createGrpcWebTransport({ baseUrl: target.url, fetch: watchedFetch(fetchOf(onProgress)) });
    const place = JSON.stringify([target.url, target.keyId]);
    let known = authorized.get(place);
    if (known?.key !== key) {
      known = { key, authorize: tokenFor(() => transport(), target.keyId, key) };
      authorized.set(place, known);
    }
    const { authorize } = known;
    return connectDataService({ transport, streams: false, partId: target.partId, authorize, redact: redacting(key) });
  }

  return async (target) => {
    if (target.kind === 'server') return connectServer(target);
    if (!localTransport) return null;
    const transport = await localTransport();
    const { partId } = localHome;
    return connectDataService({
      ...{ transport: () => transport, streams: true, partId },
      authorize: null,
      redact: (text) => text,
    });
  };
}

function fetchOf(onProgress: ((progress: UploadProgress) => void) | undefined): typeof fetch {
  const canTell = onProgress !== undefined && typeof XMLHttpRequest === 'function';
  return canTell ? fetchByXhr(onProgress) : (input, init) => fetch(input, { ...init, credentials: 'omit' });
}
