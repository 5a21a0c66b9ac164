import type { JsonObject } from '@bufbuild/protobuf';
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createRouterTransport, type ConnectRouter } from '@connectrpc/connect';
import type { Account } from '../src/remote/account/account.ts';
import { linkAccount } from '../src/remote/account/link-account.ts';
import { AppService, OnlineState } from '../src/gen/app/v1/app_pb.ts';
import { AuthService } from '../src/gen/proto/rpc/v1/auth_pb.ts';
import { tokenFor } from '../src/remote/outbox/access-tokens.ts';
import { authorizedTransport } from '../src/remote/outbox/authorized-transport.ts';
import { redacting } from '../src/remote/outbox/target-keys.ts';

/** A part of the fake account service. Tests read it, and change it as another client would. */
export interface PretendedPart {
  readonly id: string;
  readonly name: string;
  config: JsonObject;
  /** the name by which it is called; absent: the service does not say */
  readonly fqdn?: string;
  /** absent: the service stores only the values, no text */
  text?: string;
  updatedAtMs: number;
}

export interface PretendedAccount {
  /** a key that may read and write */
  readonly key?: string;
  /** a key that may only read; '' = none */
  readonly readerKey?: string;
  readonly parts: readonly PretendedPart[];
  /** machines beside the one with these parts; they are offline, and have no parts */
  readonly others?: readonly { readonly name: string; readonly locationId: 'yard' | 'attic' }[];
  /** the error code for an update of an outdated version; null = it is accepted, as in older services */
  readonly lateCode?: Code | null;
  /** called before an update is checked; if it throws, that error is the answer */
  readonly beforeUpdate?: () => void;
  /** called after an update was stored, before the answer */
  readonly afterUpdate?: () => void;
}

export const accountKeyId = 'key-id';

/** One organization with two locations: the first has a machine with these parts, the second none but the others. */
export function accountRoutes(account: PretendedAccount): (router: ConnectRouter) => void {
  const { key = 's3cret-key', readerKey = '', parts, others = [], lateCode = Code.FailedPrecondition } = account;
  const know = (header: Headers): { mayWrite: boolean } => {
    const token = header.get('authorization');
    if (token === `Bearer token of ${key}`) return { mayWrite: true };
    if (readerKey !== '' && token === `Bearer token of ${readerKey}`) return { mayWrite: false };
    throw new ConnectError('unauthenticated', Code.Unauthenticated);
  };
  const partOf = (id: string): PretendedPart => {
    const part = parts.find((one) => one.id === id);
    if (!part) throw new ConnectError(`no part with id ${id}`, Code.NotFound);
    return part;
  };
  const toWire = ({ id, name, config, fqdn, text, updatedAtMs }: PretendedPart) => ({
    id,
    name,
    robotConfig: config,
    mainPart: name.endsWith('-main'),
    lastUpdated: timestampFromMs(updatedAtMs),
    onlineState: OnlineState.ONLINE,
    ...(fqdn !== undefined && { fqdn }),
    ...(text !== undefined && { robotConfigJson: text }),
  });

  const gate = { id: 'gate', name: 'Gate', onlineState: OnlineState.ONLINE };

  return ({ service }) => {
    service(AuthService, {
      authenticate({ entity, credentials }) {
        const isKnown = credentials?.payload === key || (readerKey !== '' && credentials?.payload === readerKey);
        if (entity !== accountKeyId || credentials?.type !== 'api-key' || !isKnown) {
          throw new ConnectError(`key ${credentials?.payload} is not known`, Code.Unauthenticated);
        }
        return { accessToken: `token of ${credentials.payload}` };
      },
    });
    service(AppService, {
      listOrganizations(_, { requestHeader }) {
        know(requestHeader);
        return { organizations: [{ id: 'org', name: 'Yard works' }] };
      },
      listLocations({ organizationId }, { requestHeader }) {
        know(requestHeader);
        if (organizationId !== 'org') throw new ConnectError('no organization', Code.NotFound);
        return {
          locations: [
            { id: 'yard', name: 'Yard' },
            { id: 'attic', name: 'Attic' },
          ],
        };
      },
      listRobots({ locationId }, { requestHeader }) {
        know(requestHeader);
        const here = others
          .filter((other) => other.locationId === locationId)
          .map(({ name }) => ({ id: name, name, onlineState: OnlineState.OFFLINE, lastAccess: timestampFromMs(0) }));
        return { robots: locationId === 'yard' ? [gate, ...here] : here };
      },
      getRobotParts({ robotId }, { requestHeader }) {
        know(requestHeader);
        return { parts: robotId === 'gate' ? parts.map(toWire) : [] };
      },
      getRobotPart({ id }, { requestHeader }) {
        know(requestHeader);
        return { part: toWire(partOf(id)) };
      },
      updateRobotPart({ id, name, robotConfig, robotConfigJson, lastKnownUpdate }, { requestHeader }) {
        if (!know(requestHeader).mayWrite) throw new ConnectError('not an operator', Code.PermissionDenied);
        const part = partOf(id);
        if (name === '') throw new ConnectError('name is empty', Code.InvalidArgument);
        account.beforeUpdate?.();
        if (lateCode !== null && lastKnownUpdate && timestampMs(lastKnownUpdate) < part.updatedAtMs) {
          throw new ConnectError('the part was updated since', lateCode);
        }
        Object.assign(part, { name, config: robotConfig ?? {}, updatedAtMs: part.updatedAtMs + 1000 });
        if (part.text !== undefined) part.text = robotConfigJson ?? JSON.stringify(part.config);
        account.afterUpdate?.();
        return { part: toWire(part) };
      },
    });
  };
}

/** A client of a fake account service in memory. */
export function linkPretendedAccount(
  account: PretendedAccount,
  key = { id: accountKeyId, secret: 's3cret-key' },
): Account {
  const inner = createRouterTransport(accountRoutes(account));
  const { transport } = authorizedTransport(inner, {
    authorize: tokenFor(() => inner, key.id, key.secret),
    name: 'https://account.example',
    redact: redacting(key.secret),
    onRefused: () => undefined,
  });
  return linkAccount(transport, 'https://account.example');
}
