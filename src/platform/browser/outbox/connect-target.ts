import type { Transport } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import { localHome } from '../../../data-service/face/local-home.ts';
import { tokenFor } from '../../../remote/outbox/access-tokens.ts';
import { connectDataService } from '../../../remote/outbox/data-service-connection.ts';
import type { UploadProgress } from '../../../remote/outbox/outbox-entry.ts';
import type { SenderPorts } from '../../../remote/outbox/outbox-sender.ts';
import { membershipOf, type ServerTarget } from '../../../remote/outbox/outbox-target.ts';
import { sessionOnly } from '../../../remote/outbox/session-only.ts';
import { redacting, type TargetKeys } from '../../../remote/outbox/target-keys.ts';
import type { UploadConnection } from '../../../remote/outbox/upload-connection.ts';
import { UploadError } from '../../../remote/outbox/upload-error.ts';
import { watchedFetch } from '../../../remote/outbox/watched-fetch.ts';
import { fetchByXhr } from './fetch-by-xhr.ts';

/** One connection to each target as long as its key is the same. `localTransport` null: this host has no way to the browser's own data service. */
export function connectTargets(
  keys: Pick<TargetKeys, 'get'>,
  localTransport: (() => Promise<Transport>) | null,
): SenderPorts['connect'] {
  const servers = new Map<string, { readonly key: string; readonly connection: UploadConnection }>();
  let local: { readonly transport: Transport; readonly connection: UploadConnection } | null = null;

  async function connectServer(target: ServerTarget): Promise<UploadConnection> {
    const bySession = membershipOf(target) !== null;
    const key = bySession ? '' : await keys.get(target);
    if (key === null) {
      throw new UploadError('unauthenticated', `The key of ${target.name} was not kept; give it again.`);
    }
    const { url, keyId, partId } = target;
    const place = JSON.stringify([bySession ? target.id : url, keyId, partId]);
    let known = servers.get(place);
    if (known?.key !== key) {
      const transport = (onProgress?: (progress: UploadProgress) => void): Transport =>
        createGrpcWebTransport({ baseUrl: url, fetch: watchedFetch(fetchOf(onProgress, bySession)) });
      const authorize = bySession ? sessionOnly(transport(), target) : tokenFor(() => transport(), keyId, key);
      const connection = connectDataService({ transport, streams: false, partId, authorize, redact: redacting(key) });
      known = { key, connection };
      servers.set(place, known);
    }
    return known.connection;
  }

  return async (target) => {
    if (target.kind === 'server') return connectServer(target);
    if (!localTransport) return null;
    const transport = await localTransport();
    if (local?.transport !== transport) {
      const { partId } = localHome;
      const way = { transport: () => transport, streams: true, partId, authorize: null };
      local = { transport, connection: connectDataService({ ...way, redact: (text) => text }) };
    }
    return local.connection;
  };
}

/** `bySession`: with the cookies of the server that the page comes from, which XMLHttpRequest sends by itself. */
function fetchOf(onProgress: ((progress: UploadProgress) => void) | undefined, bySession: boolean): typeof fetch {
  const canTell = onProgress !== undefined && typeof XMLHttpRequest === 'function';
  const credentials = bySession ? 'same-origin' : 'omit';
  return canTell ? fetchByXhr(onProgress) : (input, init) => fetch(input, { ...init, credentials });
}
