import type { Transport } from '@connectrpc/connect';
import { tokenFor } from '../outbox/access-tokens.ts';
import { authorizedTransport } from '../outbox/authorized-transport.ts';
import { redacting } from '../outbox/target-keys.ts';
import { grpcWebTransport } from './grpc-web-transport.ts';

/** Calls a server over gRPC-Web with an API key. @param url without a trailing slash */
export function serverTransport(url: string, key: { readonly id: string; readonly secret: string }): Transport {
  const inner = grpcWebTransport(url);
  const { transport } = authorizedTransport(inner, {
    authorize: tokenFor(() => inner, key.id, key.secret),
    name: url,
    redact: redacting(key.secret),
    onRefused: () => {},
  });
  return transport;
}
