import { createGrpcWebTransport } from '@connectrpc/connect-web';
import { linkMachine } from '../live-machine/link-machine.ts';
import type { LiveMachine } from '../live-machine/live-machine.ts';
import { tokenFor } from '../outbox/access-tokens.ts';
import { HttpRefusal } from '../outbox/read-failure.ts';
import { redacting } from '../outbox/target-keys.ts';
import { watchedFetch } from '../outbox/watched-fetch.ts';

export interface MachineKey {
  readonly id: string;
  readonly secret: string;
}

/** The way to a machine over gRPC-Web, which its server answers from any origin. @param url without a slash at its end */
export function openMachineLink(url: string, key: MachineKey | null): LiveMachine {
  const plain = watchedFetch((input, init) => fetch(input, { ...init, credentials: 'omit' }));
  const transport = createGrpcWebTransport({
    baseUrl: url,
    fetch: async (input, init) => answerOfMachine(await plain(input, init)),
  });
  return linkMachine({
    address: url,
    transport,
    authorize: key && tokenFor(() => transport, key.id, key.secret),
    redact: key ? redacting(key.secret) : (message) => message,
  });
}

/** A web server answers any path with a page of its own, and means well. @throws HttpRefusal of what is no gRPC-Web */
function answerOfMachine(response: Response): Response {
  if (response.headers.get('content-type')?.startsWith('application/grpc-web')) return response;
  throw new HttpRefusal(response.status, null);
}
