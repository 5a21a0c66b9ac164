import { timestampMs } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import {
  startDataService,
  startTime,
  uploadPicture,
  uploadReading,
  type Clients,
} from '../../../tests/data-service-fixture.ts';
import { RobotService } from '../../gen/app/v1/robot_pb.ts';
import { FleetService } from '../wire/fleet-service.ts';

const minute = 60_000_000;
const named = ({ id, name }: { readonly id: string; readonly name: string }) => [id, name];

async function served() {
  const service = await startDataService();
  const { access } = service.dependencies.store;
  const fleetOf = (clients: Clients) => clients.of(FleetService);
  /** Registers a part in the yard. */
  const addPart = (id: string, name: string, robot = { robotId: 'yard-robot', robotName: 'yard robot' }) =>
    access.createPart({ id, name, ...robot, organizationId: 'a', locationId: 'yard' });
  return { ...service, addPart, fleet: fleetOf(service.operator), localFleet: fleetOf(service.local) };
}

it('names the organization of the key, and the locations with how many machines each has', async () => {
  const { fleet, addPart } = await served();
  await addPart('arm', 'arm');
  await addPart('other', 'main', { robotId: 'other-robot', robotName: 'other' });
  const { organizations } = await fleet.listOrganizations({});
  expect(organizations.map((each) => [...named(each), timestampMs(each.createdOn!)])).toEqual([
    ['a', 'Organization a', startTime / 1000],
  ]);
  expect((await fleet.getOrganization({ organizationId: 'a' })).organization).toEqual(organizations[0]);
  const { locations } = await fleet.listLocations({ organizationId: 'a' });
  expect(locations.map((each) => [...named(each), each.robotCount])).toEqual([
    ['lab', 'lab', 1],
    ['yard', 'yard', 2],
  ]);
  const { location } = await fleet.getLocation({ locationId: 'yard' });
  expect(location).toEqual(locations[1]);
  expect(location).toMatchObject({
    organizations: [{ organizationId: 'a', primary: true }],
    primaryOrgIdentity: { id: 'a', name: 'Organization a' },
  });
  const owners = await fleet.getOrganizationsWithAccessToLocation({ locationId: 'yard' });
  expect(owners.organizationIdentities.map(named)).toEqual([['a', 'Organization a']]);
});

it('gathers parts with the same machine id into one machine', async () => {
  const { fleet, addPart } = await served();
  await addPart('arm', 'arm');
  await addPart('yard-main', 'yard robot-main');
  const { robots } = await fleet.listRobots({ locationId: 'yard' });
  expect(robots.map((each) => [...named(each), each.location])).toEqual([['yard-robot', 'yard robot', 'yard']]);
  expect((await fleet.getRobot({ id: 'yard-robot' })).robot).toEqual(robots[0]);
  const { parts } = await fleet.getRobotParts({ robotId: 'yard-robot' });
  expect(parts.map(({ id, robot, locationId, mainPart }) => [id, robot, locationId, mainPart])).toEqual([
    ['arm', 'yard-robot', 'yard', false],
    ['yard-part', 'yard-robot', 'yard', false],
    ['yard-main', 'yard-robot', 'yard', true],
  ]);
  expect((await fleet.getRobotPart({ id: 'yard-main' })).part).toEqual(parts[2]);
  expect((await fleet.getRobotPart({ id: 'arm' })).part).toEqual(parts[0]);
});

it.each([
  ['the one called main', ['arm', 'main'], 'main'],
  ['the one called after the machine', ['arm', 'rover-main'], 'rover-main'],
  ['else the first by name', ['leg', 'arm'], 'arm'],
])('takes for the main part %s', async (_, names, main) => {
  const { fleet, addPart } = await served();
  for (const name of names) await addPart(name, name, { robotId: 'rover', robotName: 'rover' });
  const { parts } = await fleet.getRobotParts({ robotId: 'rover' });
  expect(parts.filter(({ mainPart }) => mainPart).map(({ name }) => name)).toEqual([main]);
});

it('says when the newest capture of a part and of a machine arrived, if there is one', async () => {
  const { fleet, addPart, owner, time } = await served();
  await addPart('arm', 'arm');
  const seen = async () => {
    const { parts } = await fleet.getRobotParts({ robotId: 'yard-robot' });
    const { robot } = await fleet.getRobot({ id: 'yard-robot' });
    return [robot!, ...parts].map(({ lastAccess }) => lastAccess && timestampMs(lastAccess));
  };
  expect(await seen()).toEqual([undefined, undefined, undefined]);
  time.now = startTime + 5 * minute;
  await uploadPicture(owner, { partId: 'arm' }, startTime);
  const picture = time.now / 1000;
  expect(await seen()).toEqual([picture, picture, undefined]);
  time.now = startTime + 9 * minute;
  await uploadReading(owner, { kg: 1 }, startTime, { partId: 'yard-part' });
  const reading = time.now / 1000;
  expect(await seen()).toEqual([reading, picture, reading]);
  time.now = startTime + 10 * minute;
  await uploadReading(owner, { kg: 1 }, startTime + minute, { partId: 'arm' });
  expect(await seen()).toEqual([time.now / 1000, time.now / 1000, reading]);
});

it('shows a key of one location that location alone', async () => {
  const { localFleet: fleet } = await served();
  expect((await fleet.listOrganizations({})).organizations.map(named)).toEqual([['a', 'Organization a']]);
  expect((await fleet.listLocations({ organizationId: 'a' })).locations.map(named)).toEqual([['yard', 'yard']]);
  expect((await fleet.listRobots({ locationId: 'yard' })).robots.map(named)).toEqual([['yard-robot', 'yard robot']]);
  const elsewhere = { locationId: 'lab' };
  const denied = '[permission_denied] This key does not reach location lab.';
  await expect(fleet.getLocation(elsewhere)).rejects.toThrow(denied);
  await expect(fleet.listRobots(elsewhere)).rejects.toThrow(denied);
  await expect(fleet.getOrganizationsWithAccessToLocation(elsewhere)).rejects.toThrow(denied);
  await expect(fleet.getRobot({ id: 'lab-robot' })).rejects.toThrow('sees no machine lab-robot');
  await expect(fleet.getRobotParts({ robotId: 'lab-robot' })).rejects.toThrow('sees no machine lab-robot');
  await expect(fleet.getRobotPart({ id: 'lab-part' })).rejects.toThrow('sees no part lab-part');
});

it.each([
  ['location_id', (fleet) => fleet.listRobots({})],
  ['location_id', (fleet) => fleet.getLocation({})],
  ['organization_id', (fleet) => fleet.listLocations({})],
  ['robot_id', (fleet) => fleet.getRobotParts({})],
  ['id', (fleet) => fleet.getRobot({})],
  ['id', (fleet) => fleet.getRobotPart({})],
] as const satisfies (readonly [string, (fleet: Awaited<ReturnType<typeof served>>['fleet']) => Promise<unknown>])[])(
  'asks for %s',
  async (field, call) => {
    const { fleet } = await served();
    await expect(call(fleet)).rejects.toThrow(`[invalid_argument] ${field} is empty; it must be given.`);
  },
);

it('answers the logs of the parts that a key reaches', async () => {
  const { operator, local } = await served();
  expect(await operator.of(RobotService).log({ id: 'lab-part' })).toMatchObject({});
  expect(await local.of(RobotService).log({ id: 'yard-part' })).toMatchObject({});
  const refused = '[invalid_argument] part_id is "lab-part", which is not a part of this organization';
  await expect(local.of(RobotService).log({ id: 'lab-part' })).rejects.toThrow(refused);
});
