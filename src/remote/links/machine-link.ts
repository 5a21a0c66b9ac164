import { linkMachine } from '../live-machine/link-machine.ts';
import type { LiveMachine } from '../live-machine/live-machine.ts';
import { tokenFor } from '../outbox/access-tokens.ts';
import { redacting } from '../outbox/target-keys.ts';
import { grpcWebTransport } from './grpc-web-transport.ts';

export interface MachineKey {
  readonly id: string;
  readonly secret: string;
}

/** Opens a client of a machine over gRPC-Web. @param url without a trailing slash */
export function openMachineLink(url: string, key: MachineKey | null): LiveMachine {
  const transport = grpcWebTransport(url);
  return linkMachine({
    address: url,
    transport,
    authorize: key && tokenFor(() => transport, key.id, key.secret),
    redact: key ? redacting(key.secret) : (message) => message,
  });
}
