import { Binary, type Document } from 'bson';
import { databaseUserName } from '../../data-service/face/access.ts';
import { openCommand, organizationCommand, type MongoCall, type MongoCommand } from './command.ts';
import { documentField, textField } from './command-fields.ts';
import { databaseName } from './database-name.ts';
import { scramMechanism, type SaslReply } from './login.ts';
import { MongoError } from './mongo-error.ts';

/** The release whose reading commands these are, for drivers that ask, and its number of the protocol. */
const version = '7.0.0';
const maxWireVersion = 21;
const maxDocumentBytes = 16 * 1024 * 1024;
export const maxMessageBytes = 48_000_000;
const sessionMinutes = 30;

const hello = (primary: 'isWritablePrimary' | 'ismaster'): MongoCommand =>
  openCommand(async (call) => ({
    helloOk: true,
    // A server that stands alone calls itself so; readOnly says the rest.
    [primary]: true,
    maxBsonObjectSize: maxDocumentBytes,
    maxMessageSizeBytes: maxMessageBytes,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: sessionMinutes,
    connectionId: call.connection.id,
    minWireVersion: 0,
    maxWireVersion,
    readOnly: true,
    // the same for every name: whether there is such a user is nobody's business
    ...(call.document.saslSupportedMechs === undefined ? {} : { saslSupportedMechs: [scramMechanism] }),
    ...(await speculativeReply(call)),
  }));

/** A driver may begin to log in with its hello; one that cannot be let in then is told nothing, and asks properly. */
async function speculativeReply(call: MongoCall): Promise<Document> {
  const asked: unknown = call.document.speculativeAuthenticate;
  if (typeof asked !== 'object' || asked === null || !('saslStart' in asked)) return {};
  try {
    const { db } = asked as Document;
    const database = typeof db === 'string' ? db : call.database;
    return { speculativeAuthenticate: await startLogin(call, asked, database) };
  } catch (error) {
    if (error instanceof MongoError) return {};
    throw error;
  }
}

const saslStart = openCommand((call) => startLogin(call, call.document, call.database));

async function startLogin({ connection }: MongoCall, command: Document, database: string): Promise<SaslReply> {
  return connection.login.start({
    mechanism: textField(command, 'mechanism'),
    payload: payloadOf(command),
    database,
    skipEmptyExchange: documentField(command, 'options').skipEmptyExchange === true,
  });
}

const saslContinue = openCommand(({ connection, document }) => connection.login.continue(payloadOf(document)));

/** Bytes, or base64 from clients that speak JSON. */
function payloadOf({ payload }: Document): string {
  if (payload instanceof Binary) return Buffer.from(payload.buffer.subarray(0, payload.position)).toString();
  if (typeof payload === 'string') return Buffer.from(payload, 'base64').toString();
  throw new MongoError('TypeMismatch', 'payload must be bytes.');
}

const logout = openCommand(({ connection }) => {
  connection.login.logout();
  return {};
});

const connectionStatus = openCommand(({ connection, document }) => {
  const { organizationId } = connection.login;
  const isUser = organizationId !== null;
  const privilege = {
    resource: { db: databaseName, collection: '' },
    actions: ['find', 'listCollections', 'listIndexes', 'killCursors'],
  };
  return {
    authInfo: {
      authenticatedUsers: isUser ? [{ user: databaseUserName(organizationId), db: 'admin' }] : [],
      authenticatedUserRoles: isUser ? [{ role: 'read', db: databaseName }] : [],
      ...(document.showPrivileges ? { authenticatedUserPrivileges: isUser ? [privilege] : [] } : {}),
    },
  };
});

const buildInfo = openCommand(() => ({
  version,
  versionArray: [...version.split('.').map(Number), 0],
  gitVersion: '',
  modules: ['sightglass'],
  bits: 64,
  debug: false,
  maxBsonObjectSize: maxDocumentBytes,
}));

const parameters: Readonly<Record<string, unknown>> = { featureCompatibilityVersion: { version: '7.0' } };

const getParameter = organizationCommand(({ document }) => {
  const found = Object.entries(parameters).filter(([name]) => document.getParameter === '*' || document[name]);
  if (found.length === 0) {
    throw new MongoError('InvalidOptions', `There are only the parameters ${Object.keys(parameters).join(', ')}.`);
  }
  return Object.fromEntries(found);
});

const nothing = (): Document => ({});

/** Commands about the connection itself and who is behind it, by name. */
export const connectionCommands: Readonly<Record<string, MongoCommand>> = {
  hello: hello('isWritablePrimary'),
  isMaster: hello('ismaster'),
  ismaster: hello('ismaster'),
  ping: openCommand(nothing),
  buildInfo,
  buildinfo: buildInfo,
  whatsmyuri: openCommand(({ connection }) => ({ you: connection.peer })),
  saslStart,
  saslContinue,
  logout,
  connectionStatus,
  getParameter,
  // Sessions are taken note of nowhere: each query reads for itself.
  endSessions: organizationCommand(nothing),
  refreshSessions: organizationCommand(nothing),
};
