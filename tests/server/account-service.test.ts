import { fromBinary } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { appApi, createViamClient, Struct, Timestamp } from '@viamrobotics/sdk';
import { expect, it, onTestFinished } from 'vitest';
import { watchPart } from '../../src/remote/account/watched-part.ts';
import { RobotPartSchema, UpdateRobotPartRequestSchema } from '../../src/gen/app/v1/app_pb.ts';
import { openAccountLink } from '../../src/remote/links/account-link.ts';
import { accountKeyId, accountRoutes, type PretendedPart } from '../account-fixture.ts';
import { serveRoutes } from '../serve-routes.ts';

// The public client library of account services has its own generated code of the API, so it checks that our messages are compatible.

const key = 's3cret-key';
const config = { services: [{ name: 'v', attributes: { default_minimum_confidence: 0.4, x: [null, true, -2] } }] };

async function served() {
  const part: PretendedPart = { id: 'p1', name: 'gate-main', config, updatedAtMs: 5000 };
  const { url, close } = await serveRoutes(accountRoutes({ parts: [part] }));
  onTestFinished(close);
  const credentials = { type: 'api-key', authEntity: accountKeyId, payload: key } as const;
  const { appClient } = await createViamClient({ serviceHost: url, credentials });
  return { part, appClient, account: openAccountLink(url, { id: accountKeyId, secret: key }) };
}

it('lists for the Viam SDK what it lists for us', async () => {
  const { appClient, account } = await served();
  const { signal } = new AbortController();
  const [organization] = await appClient.listOrganizations();
  const [location] = await appClient.listLocations(organization!.id);
  const [machine] = await appClient.listRobots(location!.id);
  const [part] = await appClient.getRobotParts(machine!.id);
  const named = ({ id, name }: { id: string; name: string }) => ({ id, name });
  const ours = [
    (await account.organizations(signal))[0],
    (await account.locations(organization!.id, signal))[0],
    (await account.machines(location!.id, signal))[0],
    (await account.parts(machine!.id, signal))[0],
  ];
  expect([organization, location, machine, part].map((one) => named(one!))).toEqual(ours.map((one) => named(one!)));
  expect([machine!.onlineState, ours[2]!.seen]).toEqual([appApi.OnlineState.ONLINE, { isOnline: true }]);
  expect([part!.mainPart, part!.lastUpdated!.toDate().getTime()]).toEqual([true, 5000]);
});

it('has what either writes read by the other', async () => {
  const { appClient, account, part } = await served();
  const watch = await watchPart(account, 'p1', '');
  const before = await watch.read();
  await watch.replace(before, before.replace('0.4', '0.7'));
  const seen = (await appClient.getRobotPart('p1')).part!.robotConfig!.toJson();
  const [service] = config.services;
  const tuned = {
    services: [{ ...service!, attributes: { ...service!.attributes, default_minimum_confidence: 0.7 } }],
  };
  expect(seen).toEqual(tuned);

  await appClient.updateRobotPart('p1', 'front', Struct.fromJson(config));
  expect([await watch.read(), part.name]).toEqual([before, 'front']);
});

it('reads the time that an update builds on, and when a part was updated', () => {
  const time = Timestamp.fromDate(new Date(7_000));
  const request = new appApi.UpdateRobotPartRequest({ id: 'p1', name: 'gate', lastKnownUpdate: time });
  expect(timestampMs(fromBinary(UpdateRobotPartRequestSchema, request.toBinary()).lastKnownUpdate!)).toBe(7_000);
  const part = new appApi.RobotPart({ id: 'p1', lastUpdated: time, mainPart: true });
  expect(fromBinary(RobotPartSchema, part.toBinary())).toMatchObject({ lastUpdated: { seconds: 7n }, mainPart: true });
});
