import type { Socket } from 'node:net';

/** Connections beside all others that may ask only whether the server is alive. */
const probePlaces = 8;

type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

interface Place {
  readonly socket: Socket;
  readonly address: string;
  readonly forProbes: boolean;
  running: number;
}

/**
 * Who may be connected. One address takes its share at most, and where no place is left the connection that has been idle
 * the longest makes room: whoever opens a thousand and says nothing refuses nobody but itself.
 */
export class ConnectionPlaces {
  readonly #maxConnections: number;
  readonly #maxPerAddress: number;
  /** by peer, in the order of their last exchange */
  readonly #places = new Map<string, Place>();

  /** @param maxPerAddress Infinity: behind proxies one address is many clients */
  constructor(maxConnections: number, maxPerAddress: number) {
    this.#maxConnections = maxConnections;
    this.#maxPerAddress = maxPerAddress;
  }

  /** Gives a new connection its place, or closes it. */
  admit(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    if (this.#countOf(address) >= this.#maxPerAddress && !this.#closeIdle(address)) return void socket.destroy();
    if (this.#places.size >= this.#maxConnections) this.#closeIdle(null);
    if (this.#places.size >= this.#maxConnections + probePlaces) return void socket.destroy();
    const forProbes = this.#places.size >= this.#maxConnections;
    const key = keyOf(socket);
    const place: Place = { socket, address, forProbes, running: 0 };
    this.#places.set(key, place);
    socket.once('close', () => {
      if (this.#places.get(key) === place) this.#places.delete(key);
    });
  }

  /** Whether this connection got the last place, and may only ask how the server is. */
  isForProbes(peer: Peer): boolean {
    return this.#places.get(keyOf(peer))?.forProbes ?? false;
  }

  /** An exchange begins on a connection, which is not idle until `end` is called. */
  begin(peer: Peer): { end(): void } {
    const key = keyOf(peer);
    const place = this.#places.get(key);
    if (place === undefined) return { end: () => undefined };
    place.running++;
    return {
      end: () => {
        place.running--;
        if (this.#places.get(key) !== place) return;
        this.#places.delete(key);
        this.#places.set(key, place);
      },
    };
  }

  #countOf(address: string): number {
    let count = 0;
    for (const place of this.#places.values()) if (place.address === address) count++;
    return count;
  }

  /** Closes the one of an address, or of all, that has been idle the longest. False: all are at work. */
  #closeIdle(address: string | null): boolean {
    for (const [key, place] of this.#places) {
      if (place.running > 0 || (address !== null && place.address !== address)) continue;
      this.#places.delete(key);
      place.socket.destroy();
      return true;
    }
    return false;
  }
}

const keyOf = ({ remoteAddress, remotePort }: Peer): string => `${remoteAddress} ${remotePort}`;
