import type { OptionGroup } from './option-table.ts';

/** The options of `serve`: how they are read, and what its help says of them. */
export const serveOptions: readonly OptionGroup[] = [
  {
    title: 'Where its data is',
    options: [
      { name: 'data', value: 'DIR', about: 'folder of its data (./sightglass-data)' },
      {
        name: 'database',
        value: 'URL',
        about:
          'postgres://USER@HOST/NAME, which any number of hosts serve, with --blobs. An address with a password is in the variable SIGHTGLASS_DATABASE, or in the file that SIGHTGLASS_DATABASE_FILE names',
      },
      {
        name: 'blobs',
        value: 'URL',
        about:
          "s3://BUCKET/PREFIX?endpoint=URL&region=NAME. Its keys are where AWS's tools look: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY among others",
      },
      {
        name: 'keep',
        value: 'TIME',
        many: true,
        about:
          'delete what is older, but no file of a dataset: 90d (h, d, w, y), files=1y, readings=30d or audit=5y. Otherwise all is kept. After the clock went on by more than a day at once, nothing is deleted by age until "clock confirm" says that it is right',
      },
      { name: 'disk-budget', value: 'SIZE', about: 'room for files and rows, as 200GB: beyond it uploads are refused' },
      { name: 'over-budget', value: 'WHAT', about: 'refuse (uploads), or delete-oldest: the oldest go' },
      { name: 'keep-free', value: 'SIZE', about: 'refuse uploads while less of the disk is free (256MiB)' },
      {
        name: 'check-rate',
        value: 'SIZE',
        about: 'bytes of files that are compared with what was stored, a second (4MiB; 0: none)',
      },
    ],
  },
  {
    title: 'Where it listens',
    options: [
      { name: 'host', value: 'HOST', about: 'address (127.0.0.1)' },
      { name: 'port', value: 'PORT', about: 'its port (8080; 0: any free one)' },
      { name: 'tls-cert', value: 'FILE', about: 'certificate, which is read again at SIGHUP' },
      { name: 'tls-key', value: 'FILE', about: 'its key' },
      { name: 'public-origin', value: 'URL', about: 'where people and clients reach it, as https://data.example.com' },
      {
        name: 'allowed-host',
        value: 'NAME',
        many: true,
        about:
          'a name by which it is asked, besides its address, localhost, the names of this machine and that of --public-origin ("*": any)',
      },
      {
        name: 'trusted-proxy',
        value: 'WHICH',
        about:
          'how many proxies are before it (1 to 99), or their networks (10.0.0.0/8). Then addresses of clients are those of X-Forwarded-For or Forwarded; otherwise all of them count as one',
      },
      {
        name: 'mongo-port',
        value: 'PORT',
        about:
          "MongoDB clients read here, as the database sensorData, what the organization's sensors read (password: ConfigureDatabaseUser)",
      },
      { name: 'metrics-port', value: 'PORT', about: 'of /metrics (the same port)' },
      { name: 'log-level', value: 'LEVEL', about: 'debug, info, warn, error or silent (info)' },
    ],
  },
  {
    title: 'Who logs in',
    options: [
      {
        name: 'oidc-issuer',
        value: 'URL',
        about:
          'people log in by this provider of OpenID Connect; otherwise by passkeys. Register the path /login/callback of --public-origin there. Each of these can be a variable: SIGHTGLASS_OIDC_ISSUER',
      },
      { name: 'oidc-client-id', value: 'ID', about: 'as the provider knows this service' },
      { name: 'oidc-client-secret-file', value: 'FILE', about: 'file with the secret of that client' },
      { name: 'oidc-name', value: 'NAME', about: 'what the provider is called on the page' },
      { name: 'session-idle', value: 'TIME', about: "a person's session ends after its last use (8h)" },
      { name: 'session-life', value: 'TIME', about: 'and after the log-in at the latest (7d)' },
      {
        name: 'token-life',
        value: 'TIME',
        about:
          'an access token is good after its last use (1h; s, m, h, d): longer for Python and TypeScript clients that are silent and cannot fetch another. It ends at once with its key',
      },
    ],
  },
  {
    title: 'Limits',
    options: [
      { name: 'max-message-bytes', value: 'N', about: 'of one message (67108864)' },
      { name: 'max-upload-bytes', value: 'N', about: 'of one file (17179869184)' },
      { name: 'max-connections', value: 'N', about: 'at once (1000)' },
      { name: 'max-connections-per-address', value: 'N', about: 'at once (250), not behind a trusted proxy' },
      { name: 'max-streams', value: 'N', about: 'of one HTTP/2 connection (100)' },
      { name: 'idle-timeout-ms', value: 'MS', about: 'of a connection without requests (120000)' },
      { name: 'stall-timeout-ms', value: 'MS', about: 'of a slow or silent client (30000)' },
      { name: 'authenticate-per-minute', value: 'N', about: 'attempts of one address (30)' },
      { name: 'query-workers', value: 'N', about: 'queries at once, shared fairly (a processor each)' },
      { name: 'shutdown-grace-ms', value: 'MS', about: 'running calls get when it stops (30000)' },
    ],
  },
];
