import type { Account } from '../account/account.ts';
import { linkAccount } from '../account/link-account.ts';
import { tokenFor } from '../outbox/access-tokens.ts';
import { authorizedTransport } from '../outbox/authorized-transport.ts';
import { redacting } from '../outbox/target-keys.ts';
import { grpcWebTransport } from './grpc-web-transport.ts';

/** Opens a client of an account service over gRPC-Web. @param url without a trailing slash */
export function openAccountLink(url: string, key: { readonly id: string; readonly secret: string }): Account {
  const inner = grpcWebTransport(url);
  const { transport } = authorizedTransport(inner, {
    authorize: tokenFor(() => inner, key.id, key.secret),
    name: url,
    redact: redacting(key.secret),
    onRefused: () => {},
  });
  return linkAccount(transport, url);
}
