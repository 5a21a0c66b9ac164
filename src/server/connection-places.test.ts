import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { ConnectionPlaces } from './connection-places.ts';

let lastPort = 0;

/** A connection that closes when it is destroyed, as a socket does: later. */
function from(remoteAddress: string) {
  const socket = Object.assign(new EventEmitter(), {
    ...{ remoteAddress, remotePort: ++lastPort, destroyed: false },
    destroy() {
      socket.destroyed = true;
      queueMicrotask(() => socket.emit('close'));
    },
  });
  return socket as typeof socket & Socket;
}

function admit(places: ConnectionPlaces, ...addresses: readonly string[]) {
  return addresses.map((address) => {
    const socket = from(address);
    places.admit(socket);
    return socket;
  });
}

const closed = (sockets: readonly { readonly destroyed: boolean }[]): boolean[] =>
  sockets.map(({ destroyed }) => destroyed);

it('closes the longest idle one of all where there is no place left', () => {
  const places = new ConnectionPlaces(3, 3);
  const sockets = admit(places, 'a', 'b', 'c');
  places.begin(sockets[0]!).end(); // the latest of them now
  sockets.push(...admit(places, 'd', 'e'));
  expect(closed(sockets)).toEqual([false, true, true, false, false]);
});

it('closes the longest idle one of an address that took its share, and nobody else’s', () => {
  const places = new ConnectionPlaces(10, 2);
  const sockets = admit(places, 'b', 'a', 'a', 'a', 'a');
  expect(closed(sockets)).toEqual([false, true, true, false, false]);
});

it('refuses an address whose share is all at work, and goes on when one ends', async () => {
  const places = new ConnectionPlaces(10, 2);
  const [one, two] = admit(places, 'a', 'a');
  const first = places.begin(one!);
  places.begin(two!);
  expect(closed(admit(places, 'a', 'b'))).toEqual([true, false]);
  first.end();
  expect(closed([...admit(places, 'a'), one!, two!])).toEqual([false, true, false]);
});

it('is idle only after the last of its exchanges', () => {
  const places = new ConnectionPlaces(1, 1);
  const [one] = admit(places, 'a');
  const [first, second] = [places.begin(one!), places.begin(one!)];
  first.end();
  expect(closed(admit(places, 'a'))).toEqual([true]);
  second.end();
  expect(closed(admit(places, 'a'))).toEqual([false]);
});

it('keeps eight further places for probes, where all are at work', () => {
  const places = new ConnectionPlaces(2, Infinity);
  for (const socket of admit(places, 'a', 'b')) places.begin(socket);
  const probes = Array.from({ length: 8 }, () => {
    const [socket] = admit(places, 'c');
    places.begin(socket!);
    return socket!;
  });
  expect(probes.map((socket) => places.isForProbes(socket))).toEqual(Array(8).fill(true));
  expect(closed([...probes, ...admit(places, 'd')])).toEqual([...Array<boolean>(8).fill(false), true]);
});

it('never takes an idle probe’s place for an ordinary one', () => {
  const places = new ConnectionPlaces(1, Infinity);
  places.begin(admit(places, 'a')[0]!);
  const [first, second] = admit(places, 'b', 'c');
  expect(closed([first!, second!])).toEqual([true, false]);
  expect(places.isForProbes(second!)).toBe(true);
});

it('gives the place of a closed connection to the next', async () => {
  const places = new ConnectionPlaces(1, 1);
  const [one] = admit(places, 'a');
  places.begin(one!);
  one!.destroy();
  await Promise.resolve();
  const [two] = admit(places, 'b');
  expect([two!.destroyed, places.isForProbes(two!)]).toEqual([false, false]);
});
