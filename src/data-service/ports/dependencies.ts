import type { Clock } from './clock.ts';
import type { DatabaseEndpoint } from './database-endpoint.ts';
import type { DataStore } from './data-store.ts';
import type { DefectLog } from './defect-log.ts';
import type { Ids } from './ids.ts';
import type { PasskeyCeremonies } from './passkey-ceremonies.ts';
import type { QueryRunner } from './query-runner.ts';
import type { Secrets } from './secrets.ts';
import type { Principal } from './principal.ts';

/** What a call reveals of the address that its client used. */
export interface RequestAddress {
  readonly url: string;
  readonly header: Headers;
}

export interface DataServiceLimits {
  /** one message of a request; larger ones are refused before they are read */
  readonly maxMessageBytes: number;
  /** one file, however many messages it takes */
  readonly maxUploadBytes: number;
  /** largest size of the bytes in one answer; other files are fetched by their `uri` */
  readonly maxAnswerBytes: number;
  /** how long an access token is valid after it was issued or last used */
  readonly tokenLifeMs: number;
  /** how long a person's session lasts after it was last used */
  readonly sessionIdleMs: number;
  /** the longest time that a session lasts, however much it is used */
  readonly sessionLifeMs: number;
  /** how long an invitation may be taken */
  readonly invitationLifeMs: number;
}

export const defaultLimits: DataServiceLimits = {
  maxMessageBytes: 64 * 2 ** 20,
  maxUploadBytes: 16 * 2 ** 30,
  maxAnswerBytes: 256 * 2 ** 20,
  tokenLifeMs: 60 * 60 * 1000,
  sessionIdleMs: 8 * 60 * 60 * 1000,
  sessionLifeMs: 7 * 24 * 60 * 60 * 1000,
  invitationLifeMs: 7 * 24 * 60 * 60 * 1000,
};

/** How people log in. */
export interface LogInWays {
  /** null: without passkeys */
  readonly passkeys: PasskeyCeremonies | null;
  /** name of the OpenID Connect provider, as people know it; '': none */
  readonly providerName: string;
}

export const noLogIn: LogInWays = { passkeys: null, providerName: '' };

/** What the routes need from their host. */
export interface DataServiceDependencies {
  readonly store: DataStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secrets: Secrets;
  readonly queryRunner: QueryRunner;
  readonly defects: DefectLog;
  readonly limits: DataServiceLimits;
  /**
   * The principal of a call without a token; null: a token is required. In a browser's own service this is the
   * user.
   */
  readonly withoutToken: Principal | null;
  /** the ways in which people log in to this host */
  readonly logIn: LogInWays;
  /** The origin, as `https://host:8080`, that `uri` and signed URLs begin with. */
  readonly publicOrigin: (request: RequestAddress) => string;
  /** the database endpoint; or why the host has none, in words that a client can act on */
  readonly database: DatabaseEndpoint | { readonly absentBecause: string };
}
