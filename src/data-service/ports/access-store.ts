import type { Micros } from './stored-captures.ts';

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly timeCreated: Micros;
  /** how many bytes of files and readings it may store together (usage-store.ts); absent: as many as there is room for */
  readonly quotaBytes?: number;
}

export interface Location {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
}

/** A registered machine part: only a registered one may upload. */
export interface Part {
  readonly id: string;
  readonly name: string;
  readonly robotId: string;
  readonly robotName: string;
  readonly organizationId: string;
  readonly locationId: string;
}

/** The data to which a key or a membership gives access. Where `partId` is set, `locationId` is the location of that part. */
export interface Place {
  /** null: the whole organization; else only this location's data */
  readonly locationId: string | null;
  /** null: all parts of the location, or of the organization; else only what this part captured */
  readonly partId: string | null;
}

/**
 * What one may do, each role as much as those before it and more.
 * - annotator: view, and draw on images that are assigned.
 * - reviewer: draw on all images, assign, accept and reject.
 * - operator: query, export, upload, build datasets.
 * - owner: delete data, and say who may do what.
 */
export const roles = ['annotator', 'reviewer', 'operator', 'owner'] as const;
export type Role = (typeof roles)[number];

/**
 * Whether a text is a role.
 * @param text as a person or another service gives it
 * @returns true for one of `roles`
 * @example
 * isRole('owner'); // => true
 * isRole('king'); // => false
 */
export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

/**
 * Whether a role may do as much as another, or more.
 * @param role of the caller
 * @param least the role that is required
 * @returns true where `role` is enough
 * @example
 * isAtLeast('operator', 'reviewer'); // => true
 * isAtLeast('annotator', 'reviewer'); // => false
 */
export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least);

/** A slow, salted hash and how to make it again. */
export interface HashedSecret {
  readonly algorithm: 'pbkdf2-sha256';
  readonly iterations: number;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

export interface ApiKey extends Place {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly role: Role;
  readonly secret: HashedSecret;
  readonly timeCreated: Micros;
}

/** With what somebody tried to log in to an organization: a key, a passkey, an invitation, an account of the provider, a database user. */
export interface ShownLogIn {
  readonly by: 'key' | 'passkey' | 'invitation' | 'provider' | 'database-user';
  readonly organizationId: string;
  readonly id: string;
  /** name of the key or the database user, or of whom the passkey, invitation or account is */
  readonly name: string;
}

/** Log-ins with something that is known here, but did not fit, within a minute. */
export interface RefusedLogIns {
  readonly shown: ShownLogIn;
  /** address by which attempts are counted, for IPv6 a network; '': further ones together */
  readonly address: string;
  readonly times: number;
}

/** The reader of the database endpoint: what SCRAM-SHA-256 needs, never the password. */
export interface DatabaseUser {
  readonly organizationId: string;
  readonly iterations: number;
  readonly salt: Uint8Array;
  readonly storedKey: Uint8Array;
  readonly serverKey: Uint8Array;
}

/** Who there is and who may come in. Methods are atomic and durable; lists are by name, then id. */
export interface AccessStore {
  /** A known id: `already-exists`. */
  createOrganization(organization: Organization): Promise<void>;
  getOrganization(id: string): Promise<Organization | null>;
  listOrganizations(): Promise<readonly Organization[]>;
  renameOrganization(id: string, name: string): Promise<void>;
  /** `not-found`. null: none. What is stored stays, also where it is more than the quota. */
  setQuota(id: string, quotaBytes: number | null): Promise<void>;

  /** Leaves a row in the audit, and changes nothing else. */
  noteRefusedLogIns(refused: RefusedLogIns): Promise<void>;

  /** `not-found` without its organization, `already-exists` for a known id. */
  createLocation(location: Location): Promise<void>;
  getLocation(id: string): Promise<Location | null>;
  listLocations(organizationId: string): Promise<readonly Location[]>;

  /** `not-found` without its location in its organization, `already-exists` for a known id. */
  createPart(part: Part): Promise<void>;
  getPart(id: string): Promise<Part | null>;
  listParts(organizationId: string): Promise<readonly Part[]>;
  /** `not-found`. What the part uploaded stays. */
  deletePart(id: string): Promise<void>;

  /** `not-found` without its organization, `already-exists` for a known id. */
  createKey(key: ApiKey): Promise<void>;
  getKey(id: string): Promise<ApiKey | null>;
  listKeys(organizationId: string): Promise<readonly ApiKey[]>;
  /** `not-found`. Tokens made from the key end with it, on every host that shares the store. */
  deleteKey(id: string): Promise<void>;

  /** Until when an access token is good beyond its own end; null: it was never renewed. */
  tokenRenewal(tokenId: string): Promise<Micros | null>;
  /** Makes it good until then, or longer where it is that already, and forgets the tokens that were over by `now`. */
  renewToken(tokenId: string, until: Micros, now: Micros): Promise<void>;
  /**
   * Whether nobody has used this one-time token before, on any host. The store remembers it until `until`, and forgets the tokens that
   * were over by `now`.
   */
  useOnce(tokenId: string, until: Micros, now: Micros): Promise<boolean>;

  /** Adds or replaces. */
  putDatabaseUser(user: DatabaseUser): Promise<void>;
  getDatabaseUser(organizationId: string): Promise<DatabaseUser | null>;

  /**
   * The secret of the whole installation under `name`: the first `candidate` ever given becomes it, for all hosts and
   * until it is replaced. Signs access tokens and URLs.
   */
  installationSecret(name: string, candidate: Uint8Array): Promise<Uint8Array>;
  /** Adds or replaces: what the former one signed is void, on every host that shares the store. */
  replaceInstallationSecret(name: string, secret: Uint8Array): Promise<void>;
}
