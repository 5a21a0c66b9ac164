/** What one client may take of a server. */
export interface ServerLimits {
  /** open connections; a further one takes the place of one that waits for its client */
  readonly maxConnections: number;
  /** those of one address, likewise */
  readonly maxConnectionsPerAddress: number;
  /** calls at a time on one HTTP/2 connection */
  readonly maxStreamsPerConnection: number;
  /** until a connection has shaken hands and sent the headers of its first request */
  readonly headersTimeoutMs: number;
  /** how long a connection without a request is kept */
  readonly idleTimeoutMs: number;
  /** how long a client may send nothing of its request, or take nothing of the answer, while the service waits for it */
  readonly stallTimeoutMs: number;
  /** slower than this over `stallTimeoutMs` counts as nothing */
  readonly minBytesPerSecond: number;
  /** Files of the app, which anybody may ask for, are taken at least so fast over `stallTimeoutMs`, or their exchange is cut off. */
  readonly minAppBytesPerSecond: number;
  /** until a request that has shown no key is whole, however steadily it comes */
  readonly keylessTimeoutMs: number;
  /** calls of Authenticate from one address: so many at once, and then so many a minute */
  readonly authenticateBurst: number;
  readonly authenticatePerMinute: number;
  /** time between two checks whether the session of a running exchange has ended */
  readonly sessionCheckMs: number;
  /** how long a stopping server lets running calls finish */
  readonly shutdownGraceMs: number;
}

export const defaultServerLimits: ServerLimits = {
  maxConnections: 1000,
  maxConnectionsPerAddress: 250,
  maxStreamsPerConnection: 100,
  headersTimeoutMs: 10_000,
  idleTimeoutMs: 120_000,
  stallTimeoutMs: 30_000,
  minBytesPerSecond: 16,
  minAppBytesPerSecond: 8192,
  keylessTimeoutMs: 10_000,
  authenticateBurst: 20,
  authenticatePerMinute: 30,
  sessionCheckMs: 5_000,
  shutdownGraceMs: 30_000,
};
