import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type { LocationSchema, OrganizationSchema, RobotPartSchema, RobotSchema } from '../../gen/app/v1/app_pb.ts';
import { isWithin } from '../access/place.ts';
import { principalOf } from '../access/principal.ts';
import type { Principal } from '../ports/principal.ts';
import { requireOrganization, withinReach } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { Location, Organization, Part } from '../ports/access-store.ts';
import type { Micros } from '../ports/stored-captures.ts';
import { notFound, requireText } from '../wire/invalid-argument.ts';
import { toTimestamp } from '../wire/timestamps.ts';
import type { FleetService } from '../wire/fleet-service.ts';
import { lastAccess, latestOf } from './last-access.ts';
import { machinesOf, type Machine } from './machines.ts';

/** Which organizations, locations, machines and parts there are: a key of one location or part sees its own alone. */
export function fleetRoutes({ store }: Pick<DataServiceDependencies, 'store'>): ServiceImpl<typeof FleetService> {
  const { access } = store;

  const ownOrganization = async ({ organizationId }: Principal): Promise<Organization> => {
    const organization = await access.getOrganization(organizationId);
    if (organization === null) throw notFound(`There is no organization ${organizationId}.`);
    return organization;
  };
  const visibleParts = async (principal: Principal): Promise<readonly Part[]> =>
    (await access.listParts(principal.organizationId)).filter((part) => isWithin(principal, part));
  const requireLocation = async (principal: Principal, id: string): Promise<Location> => {
    withinReach(principal, { locationIds: [requireText(id, 'location_id')], partId: '' });
    const location = await access.getLocation(id);
    if (location?.organizationId === principal.organizationId) return location;
    throw notFound(`This organization has no location ${id}; ListLocations lists those that it has.`);
  };
  const requireMachine = async (principal: Principal, id: string, field: string): Promise<Machine> => {
    requireText(id, field);
    const machine = machinesOf(await visibleParts(principal)).find((each) => each.id === id);
    if (machine !== undefined) return machine;
    throw notFound(`This key sees no machine ${id}; ListRobots lists those of a location.`);
  };
  const locationMessages = async (principal: Principal, locations: readonly Location[]) => {
    const [organization, parts] = await Promise.all([ownOrganization(principal), visibleParts(principal)]);
    const machines = machinesOf(parts);
    return locations.map((location) => locationMessage(location, organization, machines));
  };
  const machineMessage = async (machine: Machine) => {
    const times = await Promise.all(machine.parts.map((part) => lastAccess(store, part)));
    return robotMessage(machine, latestOf(times));
  };

  return {
    async listOrganizations(_, context) {
      return { organizations: [organizationMessage(await ownOrganization(principalOf(context)))] };
    },
    async getOrganization({ organizationId }, context) {
      const principal = principalOf(context);
      requireOrganization(principal, organizationId);
      return { organization: organizationMessage(await ownOrganization(principal)) };
    },
    async getOrganizationsWithAccessToLocation({ locationId }, context) {
      const principal = principalOf(context);
      await requireLocation(principal, locationId);
      const { id, name } = await ownOrganization(principal);
      return { organizationIdentities: [{ id, name }] };
    },
    async listLocations({ organizationId }, context) {
      const principal = principalOf(context);
      requireOrganization(principal, organizationId);
      const locations = await access.listLocations(organizationId);
      const visible = locations.filter(({ id }) => principal.locationId === null || id === principal.locationId);
      return { locations: await locationMessages(principal, visible) };
    },
    async getLocation({ locationId }, context) {
      const principal = principalOf(context);
      const location = await requireLocation(principal, locationId);
      return { location: (await locationMessages(principal, [location]))[0]! };
    },
    async listRobots({ locationId }, context) {
      const principal = principalOf(context);
      await requireLocation(principal, locationId);
      const machines = machinesOf(await visibleParts(principal)).filter((each) => each.locationId === locationId);
      const robots: Awaited<ReturnType<typeof machineMessage>>[] = [];
      for (const machine of machines) {
        context.signal.throwIfAborted();
        robots.push(await machineMessage(machine));
      }
      return { robots };
    },
    async getRobot({ id }, context) {
      return { robot: await machineMessage(await requireMachine(principalOf(context), id, 'id')) };
    },
    async getRobotParts({ robotId }, context) {
      const { parts, mainPart } = await requireMachine(principalOf(context), robotId, 'robot_id');
      const message = async (part: Part) => partMessage(part, part === mainPart, await lastAccess(store, part));
      return { parts: await Promise.all(parts.map(message)) };
    },
    async getRobotPart({ id }, context) {
      requireText(id, 'id');
      const parts = await visibleParts(principalOf(context));
      const part = parts.find((each) => each.id === id);
      if (part === undefined) throw notFound(`This key sees no part ${id}; GetRobotParts lists those of a machine.`);
      const isMain = machinesOf(parts).some(({ mainPart }) => mainPart === part);
      return { part: partMessage(part, isMain, await lastAccess(store, part)) };
    },
  };
}

const organizationMessage = ({ id, name, timeCreated }: Organization): MessageInitShape<typeof OrganizationSchema> => ({
  id,
  name,
  createdOn: toTimestamp(timeCreated),
});

const locationMessage = (
  { id, name }: Location,
  organization: Organization,
  machines: readonly Machine[],
): MessageInitShape<typeof LocationSchema> => ({
  id,
  name,
  organizations: [{ organizationId: organization.id, primary: true }],
  robotCount: machines.filter(({ locationId }) => locationId === id).length,
  primaryOrgIdentity: { id: organization.id, name: organization.name },
});

const robotMessage = (
  { id, name, locationId }: Machine,
  time: Micros | null,
): MessageInitShape<typeof RobotSchema> => ({ id, name, location: locationId, ...accessTime(time) });

const partMessage = (part: Part, mainPart: boolean, time: Micros | null): MessageInitShape<typeof RobotPartSchema> => ({
  id: part.id,
  name: part.name,
  robot: part.robotId,
  locationId: part.locationId,
  mainPart,
  ...accessTime(time),
});

const accessTime = (time: Micros | null) => (time === null ? {} : { lastAccess: toTimestamp(time) });
