import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { ConnectionSlots, type ConnectionLimit, type PlacedExchange } from './connection-slots.ts';

let lastPort = 0;

/** A connection that closes when it is destroyed, as a socket does: later. */
function from(remoteAddress: string) {
  const socket = Object.assign(new EventEmitter(), {
    remoteAddress,
    remotePort: ++lastPort,
    destroyed: false,
    destroy() {
      socket.destroyed = true;
      queueMicrotask(() => socket.emit('close'));
    },
  });
  return socket as typeof socket & Socket;
}

const atWork = (): boolean => true;
const sendsSlowly = (): boolean => false;

/** An exchange that has shown a key, of a client that is sending. */
function beginWithKey(places: ConnectionSlots, socket: Socket): PlacedExchange {
  const exchange = places.begin(socket, sendsSlowly);
  exchange.showKey();
  return exchange;
}

const placesFor = (maxConnections: number, maxPerAddress: number, closed: ConnectionLimit[] = []): ConnectionSlots =>
  new ConnectionSlots(maxConnections, maxPerAddress, (limit) => closed.push(limit));

function admit(places: ConnectionSlots, ...addresses: readonly string[]) {
  return addresses.map((address) => {
    const socket = from(address);
    places.admit(socket);
    return socket;
  });
}

const closed = (sockets: readonly { readonly destroyed: boolean }[]): boolean[] =>
  sockets.map(({ destroyed }) => destroyed);

it('closes the longest idle one of all where there is no place left', () => {
  const places = placesFor(3, 3);
  const sockets = admit(places, 'a', 'b', 'c');
  places.begin(sockets[0]!, atWork).end(); // the latest of them now
  sockets.push(...admit(places, 'd', 'e'));
  expect(closed(sockets)).toEqual([false, true, true, false, false]);
});

it('closes the longest idle one of an address that took its share, and nobody else’s', () => {
  const places = placesFor(10, 2);
  const sockets = admit(places, 'b', 'a', 'a', 'a', 'a');
  expect(closed(sockets)).toEqual([false, true, true, false, false]);
});

it('refuses an address whose share is all at work, and goes on when one ends', async () => {
  const places = placesFor(10, 2);
  const [one, two] = admit(places, 'a', 'a');
  const first = places.begin(one!, atWork);
  places.begin(two!, atWork);
  expect(closed(admit(places, 'a', 'b'))).toEqual([true, false]);
  first.end();
  expect(closed([...admit(places, 'a'), one!, two!])).toEqual([false, true, false]);
});

it('is idle only after the last of its exchanges', () => {
  const places = placesFor(1, 1);
  const [one] = admit(places, 'a');
  const [first, second] = [places.begin(one!, atWork), places.begin(one!, () => true)];
  first.end();
  expect(closed(admit(places, 'a'))).toEqual([true]);
  second.end();
  expect(closed(admit(places, 'a'))).toEqual([false]);
});

it('keeps eight further places for probes, where all are at work', () => {
  const places = placesFor(2, Infinity);
  for (const socket of admit(places, 'a', 'b')) places.begin(socket, atWork);
  const probes = Array.from({ length: 8 }, () => {
    const [socket] = admit(places, 'c');
    places.begin(socket!, atWork);
    return socket!;
  });
  expect(probes.map((socket) => places.isForProbes(socket))).toEqual(Array(8).fill(true));
  expect(closed([...probes, ...admit(places, 'd')])).toEqual([...Array<boolean>(8).fill(false), true]);
});

it('never takes an idle probe’s place for an ordinary one', () => {
  const places = placesFor(1, Infinity);
  places.begin(admit(places, 'a')[0]!, atWork);
  const [first, second] = admit(places, 'b', 'c');
  expect(closed([first!, second!])).toEqual([false, false]);
  expect([first!, second!].map((socket) => places.isForProbes(socket))).toEqual([true, true]);
});

it('gives the place of a closed connection to the next', async () => {
  const places = placesFor(1, 1);
  const [one] = admit(places, 'a');
  places.begin(one!, atWork);
  one!.destroy();
  await Promise.resolve();
  const [two] = admit(places, 'b');
  expect([two!.destroyed, places.isForProbes(two!)]).toEqual([false, false]);
});

it('closes first who has no key and sends slowly, of the address that has most of these', () => {
  const places = placesFor(4, 4);
  const [honest, keyed, one, two] = admit(places, 'b', 'b', 'a', 'a');
  for (const socket of [honest!, one!, two!]) places.begin(socket, sendsSlowly);
  beginWithKey(places, keyed!);
  expect(closed([...admit(places, 'c'), honest!, keyed!, one!, two!])).toEqual([false, false, false, true, false]);
});

it('closes nobody who has shown a key and is at work, or whose answer it owes', () => {
  const places = placesFor(2, 2);
  const [keyed, waiting] = admit(places, 'a', 'b');
  beginWithKey(places, keyed!);
  const exchange = places.begin(waiting!, atWork);
  const [probe] = admit(places, 'c');
  expect([closed([keyed!, waiting!]), places.isForProbes(probe!)]).toEqual([[false, false], true]);
  exchange.end();
  expect(closed([...admit(places, 'd'), keyed!, waiting!])).toEqual([false, false, true]);
});

it('keeps idle ones with a key before those without, until those have no more than a quarter of the places', () => {
  const places = placesFor(4, 4);
  const sockets = admit(places, 'a', 'a', 'b', 'b');
  for (const socket of sockets.slice(0, 2)) beginWithKey(places, socket).end();
  const first = admit(places, 'c'); // two of the four places are without a key
  expect(closed(sockets)).toEqual([false, false, true, false]);
  beginWithKey(places, sockets[3]!).end(); // now one is
  admit(places, 'd');
  expect(closed([...sockets, ...first])).toEqual([true, false, true, false, false]);
});

it('lets new probes take the places of those that wait', () => {
  const places = placesFor(1, Infinity);
  places.begin(admit(places, 'a')[0]!, atWork);
  const waiting = admit(places, ...Array<string>(8).fill('b'));
  places.begin(waiting[0]!, sendsSlowly);
  const [probe] = admit(places, 'c');
  expect(closed([...waiting, probe!])).toEqual([true, ...Array<boolean>(8).fill(false)]);
  expect(places.isForProbes(probe!)).toBe(true);
});

it('gives the next an ordinary place as soon as one is free, whoever still has those for probes', async () => {
  const places = placesFor(1, Infinity);
  const [one] = admit(places, 'a');
  places.begin(one!, atWork);
  admit(places, 'b', 'b', 'b');
  one!.destroy();
  await Promise.resolve();
  expect(places.isForProbes(admit(places, 'c')[0]!)).toBe(false);
});

it('counts the addresses of one IPv6 network as one, and IPv4 in IPv6 as IPv4', () => {
  const places = placesFor(10, 1);
  const sockets = admit(places, '2001:db8::1', '2001:db8::2', '2001:db8:0:1::1', '::ffff:10.0.0.1', '10.0.0.1');
  expect(closed(sockets)).toEqual([true, false, false, true, false]);
});

it('tells by which limit a connection was refused or made room', () => {
  const limits: ConnectionLimit[] = [];
  const places = placesFor(2, 1, limits);
  admit(places, 'a', 'a', 'b', 'c');
  expect(limits).toEqual(['max-connections-per-address', 'max-connections']);
});
