import { createHmac, randomBytes } from 'node:crypto';
import { databaseUserName, scramIterations, scramSaltBytes, timingSafeEqual } from '../../data-service/face/access.ts';
import type { AccessStore, DatabaseUser } from '../../data-service/face/accounts.ts';
import type { AttemptLimit } from '../limits/attempt-limit.ts';
import { databaseName } from './database-name.ts';
import { MongoError } from './mongo-error.ts';
import { readClientFirst, ScramConversation } from './scram-conversation.ts';

export const scramMechanism = 'SCRAM-SHA-256';
/** Where MongoDB's users usually are, and where a connection string without `authSource` looks for them. */
const userDatabases: readonly string[] = ['admin', databaseName];

/** What logging in needs of the server. */
export interface LoginDependencies {
  readonly access: Pick<AccessStore, 'getDatabaseUser'>;
  /** keeps the salts of users that do not exist the same at every attempt, on every host */
  readonly decoySecret: Uint8Array;
  /** failed attempts, by address */
  readonly attempts: AttemptLimit;
  /** @param user whose password was wrong; null: there is no such user */
  readonly onFailure: (user: DatabaseUser | null, address: string) => void;
}

export interface SaslReply {
  readonly conversationId: 1;
  readonly done: boolean;
  readonly payload: Uint8Array;
}

interface Exchange {
  readonly conversation: ScramConversation;
  readonly user: DatabaseUser | null;
  readonly userName: string;
  readonly skipEmpty: boolean;
  /** the client showed that it knows the password, and only acknowledges */
  verified: boolean;
}

/** Who a connection is, and the exchange that makes it somebody. */
export class Login {
  readonly #dependencies: LoginDependencies;
  readonly #address: string;
  #exchange: Exchange | null = null;
  #user: DatabaseUser | null = null;

  constructor(dependencies: LoginDependencies, address: string) {
    this.#dependencies = dependencies;
    this.#address = address;
  }

  /** null: nobody yet */
  get organizationId(): string | null {
    return this.#user?.organizationId ?? null;
  }

  /** Whether the password that this connection showed still is the user's. */
  async isCurrent(): Promise<boolean> {
    const user = this.#user;
    if (user === null) return true;
    const kept = await this.#dependencies.access.getDatabaseUser(user.organizationId);
    return kept !== null && timingSafeEqual(kept.storedKey, user.storedKey);
  }

  logout(): void {
    this.#user = null;
    this.#exchange = null;
  }

  /** `saslStart`: the same answer, after the same work, whether there is such a user or not. @throws MongoError */
  async start(options: {
    readonly mechanism: string;
    readonly payload: string;
    readonly database: string;
    readonly skipEmptyExchange: boolean;
  }): Promise<SaslReply> {
    this.#exchange = null;
    if (options.mechanism !== scramMechanism) {
      throw new MongoError('MechanismUnavailable', `${options.mechanism} is not supported; use ${scramMechanism}.`);
    }
    if (this.#user !== null) throw new MongoError('ProtocolError', 'This connection is logged in already.');
    this.#refuseTooMany();
    const clientFirst = readClientFirst(options.payload);
    const { userName } = clientFirst;
    const organizationId = userDatabases.includes(options.database) ? organizationOf(userName) : '';
    const user = await this.#dependencies.access.getDatabaseUser(organizationId);
    const decoy = this.#decoyOf(userName);
    const conversation = new ScramConversation(user ?? decoy, clientFirst, randomBytes(24).toString('base64'));
    this.#exchange = { conversation, user, userName, skipEmpty: options.skipEmptyExchange, verified: false };
    return reply(conversation.serverFirst, false);
  }

  /** `saslContinue`. @throws MongoError */
  continue(payload: string): SaslReply {
    const exchange = this.#exchange;
    if (exchange === null)
      throw new MongoError('ProtocolError', 'There is no exchange to go on with; begin with saslStart.');
    if (exchange.verified) {
      if (payload !== '') throw this.#failed(exchange);
      return this.#succeed(exchange, '');
    }
    this.#refuseTooMany();
    // From here to the count of a failure nothing waits: no crowd of attempts gets past the limit together.
    const serverFinal = exchange.conversation.finish(payload);
    if (serverFinal === null || exchange.user === null) throw this.#failed(exchange);
    if (exchange.skipEmpty) return this.#succeed(exchange, serverFinal);
    exchange.verified = true;
    return reply(serverFinal, false);
  }

  #succeed(exchange: Exchange, payload: string): SaslReply {
    this.#user = exchange.user;
    this.#exchange = null;
    return reply(payload, true);
  }

  #failed({ user }: Exchange): MongoError {
    this.#exchange = null;
    this.#dependencies.attempts.take(this.#address);
    this.#dependencies.onFailure(user, this.#address);
    return new MongoError('AuthenticationFailed', 'Authentication failed.');
  }

  #refuseTooMany(): void {
    if (this.#dependencies.attempts.allows(this.#address)) return;
    this.#exchange = null;
    throw new MongoError('AuthenticationFailed', 'Too many failed attempts to authenticate; wait a minute.');
  }

  #decoyOf(userName: string): DatabaseUser {
    const derive = (purpose: string): Uint8Array =>
      createHmac('sha256', this.#dependencies.decoySecret).update(`${purpose}:${userName}`).digest();
    const salt = derive('salt').subarray(0, scramSaltBytes);
    const keys = { storedKey: derive('stored key'), serverKey: derive('server key') };
    return { organizationId: '', iterations: scramIterations, salt, ...keys };
  }
}

const userPrefix = databaseUserName('');
const organizationOf = (userName: string): string =>
  userName.startsWith(userPrefix) ? userName.slice(userPrefix.length) : '';

const reply = (payload: string, done: boolean): SaslReply => ({
  conversationId: 1,
  done,
  payload: Buffer.from(payload),
});
