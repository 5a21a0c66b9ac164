import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { membershipOf, type ServerTarget } from '../../../remote/outbox/outbox-target.ts';
import type { CaptureHost } from '../../captures/capture-host.ts';
import type { DataHost } from './data-host.ts';
import { findHome, serverDataClient } from './server-data-client.ts';

/** Why a server's data cannot be shown, and what is needed. */
export interface HostTrouble {
  readonly wants: 'key' | 'log-in' | 'organization' | 'patience';
  readonly message: string;
}

export type ReachedServer = Pick<DataHost, 'client' | 'home' | 'refusal'>;

export interface ReachOptions {
  /** the organization's id that a person typed; null: ask the server */
  readonly knownOrganizationId: string | null;
  /** Called when the server no longer accepts the key. */
  readonly onRefused: () => void;
  readonly signal: AbortSignal;
}

/** Connects to a server's data with its key, or the session of its membership; otherwise says what is missing. Rejects with ConnectError. */
export async function reachServer(
  { connectServer }: Pick<CaptureHost, 'connectServer'>,
  server: ServerTarget,
  { knownOrganizationId, onRefused, signal }: ReachOptions,
): Promise<ReachedServer | { readonly trouble: HostTrouble }> {
  const connection = await connectServer(server, onRefused);
  if (!connection) return { trouble: { wants: 'key', message: `The key of ${server.name} was not kept.` } };
  const client = serverDataClient(connection.transport);
  const membershipId = membershipOf(server);
  if (membershipId !== null) {
    const { SessionService } = await import('../../../gen/sightglass/people/v1/people_pb.ts');
    const { membership } = await createClient(SessionService, connection.transport).getSession({}, { signal });
    if (membership?.id !== membershipId)
      return { trouble: { wants: 'log-in', message: `Nobody is logged in as ${server.name}.` } };
    const { organizationId, locationId } = membership;
    const { refusalOf } = await import('./rights.ts');
    const refusal: DataHost['refusal'] = (method) => refusalOf(membership, method);
    return { client, home: { organizationId, locationId, partId: server.partId }, refusal };
  }
  const found = await findHome(client, await connection.authorization(signal), signal);
  const organizationId = knownOrganizationId ?? found.organizationId;
  if (organizationId === null) {
    const message = `${server.name} accepts the key but does not say whose it is.`;
    return { trouble: { wants: 'organization', message } };
  }
  const home = { organizationId, locationId: found.locationId, partId: server.partId };
  if (found.may === null) return { client, home };
  const { refusalOf } = await import('./rights.ts');
  return { client, home, refusal: (method) => refusalOf(found.may, method, 'key') };
}

/** What a failed server needs. */
export function troubleOf(error: unknown): HostTrouble {
  const { code, rawMessage } = ConnectError.from(error);
  return { wants: code === Code.Unauthenticated ? 'key' : 'patience', message: rawMessage };
}
