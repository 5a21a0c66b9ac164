import type { Socket } from 'node:net';
import { countedAddress } from '../http/client-address.ts';

/** Connections beside all others that may ask only whether the server is alive. */
const probePlaces = 8;
/** While those without a key have no more than this share, idle connections with a key make room before them. */
const keylessShare = 1 / 4;

type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/** The limit that a connection was closed for, named as the option that sets it. */
export type ConnectionLimit = 'max-connections' | 'max-connections-per-address';

/** An exchange under way. */
export interface PlacedExchange {
  /** Notes that the exchange is from somebody whose key was right. */
  showKey(): void;
  end(): void;
}

interface Place {
  readonly key: string;
  readonly socket: Socket;
  readonly address: string;
  readonly forProbes: boolean;
  /** for each exchange under way, whether it waits for the server: else its client has still to send, or to take the answer */
  readonly running: Set<() => boolean>;
  /** whether an exchange under way, or else the last one, has shown a key */
  hasKey: boolean;
}

/**
 * Who may be connected. One address takes its share at most. Where no place is left, a connection makes room whose client
 * lets us wait: one without a key first, of the address that has most of these, the oldest of them. So whoever opens a
 * thousand, and sends slowly or nothing, refuses nobody but itself. No exchange is closed for another that has shown a
 * key, or whose answer the server owes. Finding who leaves takes no longer with more connections of an address.
 */
export class ConnectionSlots {
  readonly #maxConnections: number;
  readonly #maxPerAddress: number;
  readonly #onClosed: (limit: ConnectionLimit) => void;
  readonly #places = new Map<string, Place>();
  readonly #ofAddress = new Map<string, Set<Place>>();
  /** by address; these and `#withKey` in the order of their last exchange */
  readonly #keyless = new Map<string, Set<Place>>();
  readonly #withKey = new Set<Place>();
  readonly #forProbes = new Set<Place>();

  /**
   * @param maxPerAddress Infinity: behind proxies one address is many clients
   * @param onClosed told of each connection that is refused, or closed to make room
   */
  constructor(maxConnections: number, maxPerAddress: number, onClosed: (limit: ConnectionLimit) => void) {
    this.#maxConnections = maxConnections;
    this.#maxPerAddress = maxPerAddress;
    this.#onClosed = onClosed;
  }

  /** Gives a new connection its place, or closes it. */
  admit(socket: Socket): void {
    const address = countedAddress(socket.remoteAddress ?? '');
    const forProbes = this.#kindOfPlace(address);
    if (forProbes === null) return void socket.destroy();
    const place: Place = { key: keyOf(socket), socket, address, forProbes, running: new Set(), hasKey: false };
    this.#places.set(place.key, place);
    addTo(this.#ofAddress, address, place);
    this.#sort(place);
    socket.once('close', () => this.#forget(place));
  }

  /** Whether this connection got the last place, and may only ask how the server is. */
  isForProbes(peer: Peer): boolean {
    return this.#places.get(keyOf(peer))?.forProbes ?? false;
  }

  /** An exchange begins on a connection, which is not idle until it has ended. */
  begin(peer: Peer, waitsForServer: () => boolean): PlacedExchange {
    const place = this.#places.get(keyOf(peer));
    if (place === undefined) return { showKey: () => undefined, end: () => undefined };
    const setKey = (hasKey: boolean): void => {
      place.hasKey = hasKey;
      this.#sort(place);
    };
    if (place.running.size === 0 && place.hasKey) setKey(false);
    place.running.add(waitsForServer);
    return {
      showKey: () => setKey(true),
      end: () => {
        place.running.delete(waitsForServer);
        this.#sort(place);
      },
    };
  }

  /** Makes room for one more of this address, if need be: whether it is for probes; null: there is none. */
  #kindOfPlace(address: string): boolean | null {
    const own = this.#ofAddress.get(address) ?? new Set();
    if (own.size >= this.#maxPerAddress) {
      this.#onClosed('max-connections-per-address');
      const keyless = [this.#keyless.get(address) ?? new Set<Place>()];
      const withKey = [...this.#withKey].filter((place) => place.address === address);
      if (!this.#close(firstToLeave(keyless, withKey, this.#maxPerAddress))) return null;
    }
    if (this.#places.size - this.#forProbes.size < this.#maxConnections) return false;
    this.#onClosed('max-connections');
    if (this.#close(firstToLeave([...this.#keyless.values()], this.#withKey, this.#maxConnections))) return false;
    if (this.#forProbes.size < probePlaces || this.#close(first(this.#forProbes, isWaiting))) return true;
    return null;
  }

  /** Puts a place where it is looked for, as the latest of its kind. */
  #sort(place: Place): void {
    if (this.#places.get(place.key) !== place) return; // the connection has ended
    this.#unsort(place);
    if (place.forProbes) this.#forProbes.add(place);
    else if (place.hasKey) this.#withKey.add(place);
    else addTo(this.#keyless, place.address, place);
  }

  #unsort(place: Place): void {
    this.#forProbes.delete(place);
    this.#withKey.delete(place);
    removeFrom(this.#keyless, place.address, place);
  }

  #forget(place: Place): void {
    if (this.#places.get(place.key) === place) this.#places.delete(place.key);
    removeFrom(this.#ofAddress, place.address, place);
    this.#unsort(place);
  }

  #close(place: Place | undefined): boolean {
    if (place === undefined) return false;
    this.#forget(place);
    place.socket.destroy();
    return true;
  }
}

/**
 * @param keyless by address
 * @returns undefined: all are at work
 */
function firstToLeave(
  keyless: readonly ReadonlySet<Place>[],
  withKey: Iterable<Place>,
  limit: number,
): Place | undefined {
  const count = keyless.reduce((total, { size }) => total + size, 0);
  const idle = count > limit * keylessShare ? undefined : first(withKey, ({ running }) => running.size === 0);
  if (idle !== undefined) return idle;
  for (const places of keyless.toSorted((a, b) => b.size - a.size)) {
    const waiting = first(places, isWaiting);
    if (waiting !== undefined) return waiting;
  }
  return first(withKey, ({ running }) => running.size === 0);
}

/** Whether the server waits for the client of this place. */
const isWaiting = ({ running }: Place): boolean => [...running].every((waitsForServer) => !waitsForServer());

function first(places: Iterable<Place>, isIt: (place: Place) => boolean): Place | undefined {
  for (const place of places) if (isIt(place)) return place;
  return undefined;
}

function addTo(sets: Map<string, Set<Place>>, address: string, place: Place): void {
  const places = sets.get(address) ?? new Set();
  sets.set(address, places.add(place));
}

function removeFrom(sets: Map<string, Set<Place>>, address: string, place: Place): void {
  const places = sets.get(address);
  if (places?.delete(place) && places.size === 0) sets.delete(address);
}

const keyOf = ({ remoteAddress, remotePort }: Peer): string => `${remoteAddress} ${remotePort}`;
