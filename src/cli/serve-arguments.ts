import type { Place, Role } from '../data-service/ports/access-store.ts';
import type { AuditFilter } from '../data-service/ports/audit-store.ts';
import type { Powers } from '../data-service/ports/people-store.ts';
import type { TrustedProxies } from '../server/client-address.ts';
import type { S3Place } from '../platform/node/s3-blob-store/s3-place.ts';
import type { StorageRules } from '../server/storage/keep-storage.ts';

/** Where a PostgreSQL database is: its address, or the file that holds it, since it may hold a password. */
export type DatabaseAddress = { readonly url: string } | { readonly file: string };

/** What many hosts may serve at once. */
export interface SharedPlace {
  readonly database: DatabaseAddress;
  readonly blobs: S3Place;
}

/** The OpenID Connect provider by which people log in, and the registration of this server there. */
export interface OpenIdArguments {
  readonly issuer: string;
  readonly clientId: string;
  /** null: a public client, which has no secret */
  readonly clientSecretFile: string | null;
  /** of the provider, for people to read */
  readonly name: string;
}

/** What `sightglass serve` is asked for; null: the default. */
export interface ServeArguments {
  readonly dataDir: string;
  /** serves this instead of `dataDir` */
  readonly shared: SharedPlace | null;
  readonly host: string;
  readonly port: number;
  /** of the database endpoint; null: there is none */
  readonly mongoPort: number | null;
  /** of /metrics and probes alone; null: they share the one port */
  readonly metricsPort: number | null;
  readonly certPath: string | null;
  readonly keyPath: string | null;
  /** what `uri` and signed URLs begin with, where clients reach the server under another name */
  readonly publicOrigin: string | null;
  /** who may say whom a request is from; null: nobody */
  readonly trustedProxies: TrustedProxies | null;
  /** names that requests may ask for beside those of this machine; `*`: any */
  readonly allowedHosts: readonly string[];
  /** null: people log in by passkeys */
  readonly openId: OpenIdArguments | null;
  readonly logLevel: string;
  /** how long an access token is good that nobody uses */
  readonly tokenLifeMs: number | null;
  /** how long a person's session lasts after its last use */
  readonly sessionIdleMs: number | null;
  /** how long it lasts, however much it is used */
  readonly sessionLifeMs: number | null;
  readonly storage: StorageRules;
  /** how fast stored files are compared with what was stored; 0: they are not */
  readonly checkBytesPerSecond: number | null;
  readonly maxMessageBytes: number | null;
  readonly maxUploadBytes: number | null;
  readonly queryWorkers: number | null;
  readonly maxConnections: number | null;
  readonly maxConnectionsPerAddress: number | null;
  readonly maxStreamsPerConnection: number | null;
  readonly idleTimeoutMs: number | null;
  readonly stallTimeoutMs: number | null;
  readonly authenticatePerMinute: number | null;
  readonly shutdownGraceMs: number | null;
}

/** What the commands that look after a data folder, or a database in its place, are asked for. */
export type ManageArguments = { readonly dataDir: string; readonly database: DatabaseAddress | null } & (
  OrganizationCommand | PartCommand | KeyCommand | SecretsCommand
);

type OrganizationCommand = { readonly name: 'orgs' } & (
  | { readonly verb: 'list' }
  | { readonly verb: 'create'; readonly title: string }
  | { readonly verb: 'rename' | 'add-location'; readonly id: string; readonly title: string }
  /** quotaBytes: null: none */
  | { readonly verb: 'quota'; readonly id: string; readonly quotaBytes: number | null }
);

interface SecretsCommand {
  readonly name: 'secrets';
  readonly verb: 'rotate';
}

interface InOrganization {
  readonly verb: 'create';
  readonly title: string;
  readonly organizationId: string | null;
  readonly locationId: string | null;
}
type ListOrDelete =
  { readonly verb: 'list'; readonly organizationId: string | null } | { readonly verb: 'delete'; readonly id: string };

type PartCommand = { readonly name: 'parts' } & (ListOrDelete | (InOrganization & { readonly robotName: string }));
type KeyCommand = { readonly name: 'keys' } & (ListOrDelete | (InOrganization & Powers));

/** What `sightglass people` is asked for. */
export type PeopleArguments = {
  readonly name: 'people';
  readonly dataDir: string;
  /** looks after this instead of `dataDir` */
  readonly database: DatabaseAddress | null;
} & (
  | { readonly verb: 'list'; readonly organizationId: string | null }
  | {
      readonly verb: 'invite';
      /** null: the only one */
      readonly organizationId: string | null;
      readonly person: string;
      /** '': none */
      readonly email: string;
      readonly powers: Powers;
      /** of the server, for the link; null: the token is printed alone */
      readonly origin: string | null;
    }
  /** null: as it is */
  | { readonly verb: 'change'; readonly id: string; readonly role: Role | null; readonly place: Place | null }
  | { readonly verb: 'remove'; readonly id: string }
);

/** What the list of changes is asked for. */
export interface AuditArguments {
  readonly name: 'audit';
  readonly dataDir: string;
  /** reads this instead of `dataDir` */
  readonly database: DatabaseAddress | null;
  /** null: the only one */
  readonly organizationId: string | null;
  readonly filter: Omit<AuditFilter, 'organizationId'>;
}

/** What the commands are asked for that want to know only where the data is: to confirm the clock, to check the data. */
export type FolderArguments =
  | { readonly name: 'clock'; readonly dataDir: string; readonly database: DatabaseAddress | null }
  | {
      readonly name: 'check';
      readonly dataDir: string;
      /** checks this instead of `dataDir` */
      readonly shared: SharedPlace | null;
      /** how fast bytes are read; null: as fast as it goes */
      readonly bytesPerSecond: number | null;
    };

/** What the commands that copy a whole data folder are asked for. */
export interface BackupArguments {
  readonly name: 'backup' | 'restore';
  readonly backupDir: string;
  readonly dataDir: string;
}

/** What the command is asked for that copies a whole installation into another kind of place. */
export interface MoveArguments {
  readonly name: 'move';
  /** what is copied; the other one is what it is copied into */
  readonly from: 'folder' | 'shared';
  readonly dataDir: string;
  readonly shared: SharedPlace;
}

/** What the question whether a server is alive is asked with. */
export interface HealthArguments {
  readonly name: 'health';
  readonly dataDir: string;
}
