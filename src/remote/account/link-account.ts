import { timestampMs } from '@bufbuild/protobuf/wkt';
import { createClient, type CallOptions, type Transport } from '@connectrpc/connect';
import { AppService, OnlineState, type Robot, type RobotPart } from '../../gen/app/v1/app_pb.ts';
import { AccountError } from './account-error.ts';
import { accountErrorOf } from './account-failure.ts';
import type { Account, AccountEntry, LastSeen, PartConfiguration } from './account.ts';

const patienceMs = 30_000;

/** A client for the operations of an account service's public API that the app uses. @param transport adds the token to every call */
export function linkAccount(transport: Transport, address: string): Account {
  const app = createClient(AppService, transport);

  async function call<T>(make: (options: CallOptions) => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await make({ timeoutMs: patienceMs, ...(signal && { signal }) });
    } catch (error) {
      throw accountErrorOf(error, address);
    }
  }

  return {
    async organizations(signal) {
      const { organizations } = await call((options) => app.listOrganizations({}, options), signal);
      return organizations.map(entryOf);
    },

    async locations(organizationId, signal) {
      const { locations } = await call((options) => app.listLocations({ organizationId }, options), signal);
      return locations.map(entryOf);
    },

    async machines(locationId, signal) {
      const { robots } = await call((options) => app.listRobots({ locationId }, options), signal);
      return robots.map((robot) => ({ ...entryOf(robot), ...seenOf(robot) }));
    },

    async parts(machineId, signal) {
      const { parts } = await call((options) => app.getRobotParts({ robotId: machineId }, options), signal);
      return parts
        .toSorted((a, b) => Number(b.mainPart) - Number(a.mainPart))
        .map((part) => ({ ...entryOf(part), ...seenOf(part) }));
    },

    async part(id) {
      const { part } = await call((options) => app.getRobotPart({ id }, options));
      if (part) return configurationOf(part);
      throw new AccountError('not-found', `${address} has no part ${id}.`, 'Choose one of those that it lists.');
    },

    async update(part) {
      const { id, name, entries: robotConfig, text, updatedAt } = part;
      const request = {
        id,
        name,
        robotConfig,
        ...(updatedAt && { lastKnownUpdate: updatedAt }),
        ...(text !== null && { robotConfigJson: text }),
      };
      const answer = await call((options) => app.updateRobotPart(request, options));
      return answer.part?.robotConfig ? configurationOf(answer.part) : { ...part, updatedAt: null };
    },
  };
}

const entryOf = ({ id, name }: AccountEntry): AccountEntry => ({ id, name });

/** An older service says only when it was last online. */
function seenOf({ onlineState, lastAccess }: Pick<Robot, 'onlineState' | 'lastAccess'>): { seen?: LastSeen } {
  if (onlineState === OnlineState.UNSPECIFIED) return {};
  if (onlineState === OnlineState.ONLINE) return { seen: { isOnline: true } };
  return { seen: { isOnline: false, atMs: lastAccess ? timestampMs(lastAccess) : null } };
}

const configurationOf = ({
  id,
  name,
  robotConfig,
  robotConfigJson,
  lastUpdated,
  fqdn,
}: RobotPart): PartConfiguration => ({
  id,
  name,
  entries: robotConfig ?? {},
  text: robotConfigJson ?? null,
  updatedAt: lastUpdated ?? null,
  host: fqdn,
});
