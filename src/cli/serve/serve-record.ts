import { defaultLimits } from '../../data-service/face/hosts.ts';
import { parseTrustedProxies } from '../../server/http/client-address.ts';
import { defaultServerLimits } from '../../server/limits/server-limits.ts';
import { openId } from './open-id.ts';
import { command, type ArgumentsOf } from '../record/command.ts';
import { inGroup, made, option, repeated, together, usual, type Field } from '../record/field.ts';
import { byteSize, duration, integer, integerFrom, kind, oneOf, origin, text, type Kind } from '../record/kinds.ts';
import { UsageError } from '../record/usage-error.ts';
import { dataDir, sharedPlace } from '../data/shared-place.ts';
import { storageRules } from './storage-rules.ts';

export type ServeArguments = ArgumentsOf<typeof serveRecord>;

const dayMs = 86_400_000;
/** No browser keeps a cookie for longer. */
const mostDays = 400;

const port: Kind<number> = {
  read(value, name) {
    const found = integer.read(value, name);
    if (found < 0 || found > 65_535) throw new UsageError(`--${name} wants 0 (any free one) to 65535, got ${found}.`);
    return found;
  },
};

const hostName: Kind<string> = {
  read(value) {
    if (value === '*' || (URL.canParse(`http://${value}`) && !/[/:@?#]/.test(value))) return value;
    throw new UsageError(
      `--allowed-host wants a name as vision.example.com, without a port, or "*" for any; got "${value}".`,
    );
  },
};

const proxies = kind(
  'how many proxies there are (1 to 99) or their networks as 10.0.0.0/8,fd00::/8',
  (value) => parseTrustedProxies(value) ?? undefined,
);

/** How long a person's session lasts, in ms. */
const sessionLives = together(
  {
    sessionIdleMs: usual(
      '--session-idle TIME',
      "a person's session ends after its last use",
      duration,
      defaultLimits.sessionIdleMs,
      '8h',
    ),
    sessionLifeMs: usual(
      '--session-life TIME',
      'and after the log-in at the latest',
      duration,
      defaultLimits.sessionLifeMs,
      '7d',
    ),
  },
  (lives, { one }) => {
    const [idle, life] = [one('session-idle'), one('session-life')];
    if (lives.sessionLifeMs > mostDays * dayMs)
      throw new UsageError(
        `--session-life wants at most ${mostDays}d, since browsers keep no cookie longer, got "${life}".`,
      );
    // a session that is shorter than idle sessions usually are ends with its life
    if (idle !== null && lives.sessionIdleMs > lives.sessionLifeMs)
      throw new UsageError(
        `--session-idle wants at most the whole life of a session, ${life ?? '7d (--session-life)'}, got "${idle}".`,
      );
    return lives;
  },
);

const certificate = together(
  {
    certPath: option('--tls-cert FILE', 'certificate, which is read again at SIGHUP'),
    keyPath: option('--tls-key FILE', 'its key'),
  },
  (paths) => {
    if ((paths.certPath === null) !== (paths.keyPath === null))
      throw new UsageError('--tls-cert and --tls-key go together.');
    return paths;
  },
);

const limit = (form: string, about: string, value: number): Field<number> => usual(form, about, integerFrom(1), value);

export const serveRecord = command('serve', {
  usage: [
    '[--data DIR | --database postgres://USER@HOST/NAME --blobs s3://BUCKET/PREFIX[?endpoint=URL&region=NAME]] [--host HOST] [--port PORT] [--mongo-port PORT] [--tls-cert FILE --tls-key FILE] [--public-origin URL] [options]',
  ],
  reads: made(
    together({
      ...inGroup('Where its data is', {
        dataDir,
        shared: sharedPlace,
        storage: storageRules,
        checkBytesPerSecond: option(
          '--check-rate SIZE',
          'bytes of files that are compared with what was stored, a second (4MiB; 0: none)',
          byteSize,
        ),
      }),
      ...inGroup('Where it listens', {
        tls: certificate,
        host: usual('--host HOST', 'address', text, '127.0.0.1'),
        port: usual('--port PORT', 'its port; 0: any free one', port, 8080),
        publicOrigin: option(
          '--public-origin URL',
          'where people and clients reach it, as https://data.example.com',
          origin,
        ),
        allowedHosts: repeated(
          '--allowed-host NAME',
          'a name by which it is asked, besides its address, localhost, the names of this machine and that of --public-origin ("*": any)',
          hostName,
        ),
        trustedProxies: option(
          '--trusted-proxy WHICH',
          'how many proxies are before it (1 to 99), or their networks (10.0.0.0/8). Then addresses of clients are those of X-Forwarded-For or Forwarded; otherwise all of them count as one',
          proxies,
        ),
        mongoPort: option(
          '--mongo-port PORT',
          "MongoDB clients read here, as the database sensorData, what the organization's sensors read (password: ConfigureDatabaseUser)",
          port,
        ),
        metricsPort: option('--metrics-port PORT', 'of /metrics (the same port)', port),
        logLevel: usual(
          '--log-level LEVEL',
          'debug, info, warn, error or silent',
          oneOf(['debug', 'info', 'warn', 'error', 'silent'], 'one of debug, info, warn, error, silent'),
          'info',
        ),
      }),
      ...inGroup('Who logs in', {
        openId,
        lives: sessionLives,
        tokenLifeMs: usual(
          '--token-life TIME',
          'an access token is good after its last use (s, m, h, d): longer for Python and TypeScript clients that are silent and cannot fetch another. It ends at once with its key',
          duration,
          defaultLimits.tokenLifeMs,
          '1h',
        ),
      }),
      ...inGroup('Limits', {
        maxMessageBytes: limit('--max-message-bytes N', 'of one message', defaultLimits.maxMessageBytes),
        maxUploadBytes: limit('--max-upload-bytes N', 'of one file', defaultLimits.maxUploadBytes),
        maxConnections: limit('--max-connections N', 'at once', defaultServerLimits.maxConnections),
        maxConnectionsPerAddress: limit(
          '--max-connections-per-address N',
          'at once, not behind a trusted proxy',
          defaultServerLimits.maxConnectionsPerAddress,
        ),
        maxStreamsPerConnection: limit(
          '--max-streams N',
          'of one HTTP/2 connection',
          defaultServerLimits.maxStreamsPerConnection,
        ),
        idleTimeoutMs: limit(
          '--idle-timeout-ms MS',
          'of a connection without requests',
          defaultServerLimits.idleTimeoutMs,
        ),
        stallTimeoutMs: limit(
          '--stall-timeout-ms MS',
          'of a slow or silent client',
          defaultServerLimits.stallTimeoutMs,
        ),
        authenticatePerMinute: limit(
          '--authenticate-per-minute N',
          'attempts of one address',
          defaultServerLimits.authenticatePerMinute,
        ),
        queryWorkers: option('--query-workers N', 'queries at once, shared fairly (a processor each)', integerFrom(1)),
        shutdownGraceMs: limit(
          '--shutdown-grace-ms MS',
          'running calls get when it stops',
          defaultServerLimits.shutdownGraceMs,
        ),
      }),
    }),
    ({ tls, lives, ...rest }) => ({ ...tls, ...lives, ...rest }),
  ),
});
