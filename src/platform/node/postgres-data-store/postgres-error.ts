import { StoreError } from '../../../data-service/ports/store-error.ts';

// SQLSTATE codes, https://www.postgresql.org/docs/current/errcodes-appendix.html
const notSupported = '0A000';
const uniqueViolation = '23505';
const readOnlyTransaction = '25006';
const idleInTransaction = '25P03';
const serializationFailure = '40001';
const deadlock = '40P01';
const diskFull = '53100';
const outOfMemory = '53200';
const tooManyConnections = '53300';
const lockNotAvailable = '55P03';
const queryCanceled = '57014';
const damagedData = ['XX001', 'XX002'];
const refusedLogins = ['28000', '28P01', '3D000', '42501'];
/** connection exceptions, and a server that starts or ends */
const lostConnection = /^(08...|57P0[1235])$/;
const socketErrors = /^E(CONN|PIPE|HOST|NET|TIMEDOUT|NOTFOUND|AI_AGAIN)/;
/** Errors of the driver that have no code. */
const driverErrors =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed)|Client has already been|read ECONN)/;
const silentServer = 'Query read timeout';

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');
/** One of all addresses of a name has no words but those of each. */
const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
};
/** As a server ends that is on a socket of this machine, its file goes. */
const isWithoutSocket = (error: unknown): boolean =>
  codeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect';

/** Whether the server undid the transaction because of another one: the same work may succeed at once. */
export const isUndoneByOthers = (error: unknown): boolean =>
  codeOf(error) === serializationFailure || codeOf(error) === deadlock;

/** Whether nothing more can be asked over the connection. */
export const isConnectionLost = (error: unknown): boolean =>
  lostConnection.test(codeOf(error)) ||
  codeOf(error) === idleInTransaction ||
  socketErrors.test(codeOf(error)) ||
  isWithoutSocket(error) ||
  driverErrors.test(messageOf(error)) ||
  messageOf(error) === silentServer;

/** A standby refuses by this the beginning of a transaction that may write. */
const isOfStandby = (code: string, message: string): boolean =>
  code === notSupported && message.includes('during recovery');

export const readOnlyDatabase = (place: string, cause?: unknown): StoreError =>
  new StoreError(
    'unavailable',
    `The database ${place} takes no writes now: it is read-only, as a standby is. Connect to its primary server.`,
    { cause },
  );

/** What callers may act on as a StoreError; any other error as it is. @param place of the database, without its password */
export function storeErrorOf(error: unknown, place: string): unknown {
  const code = codeOf(error);
  const message = messageOf(error);
  const refuse = (as: StoreError['code'], words: string): StoreError => new StoreError(as, words, { cause: error });
  if (error instanceof StoreError) return error;
  if (code === uniqueViolation) {
    const { table = '', detail = message } = error as { table?: string; detail?: string };
    return refuse('already-exists', `The database has such a row of ${table} already: ${detail}`);
  }
  if (code === diskFull)
    return refuse('resource-exhausted', 'The disk of the database is full. Nothing of the call was kept.');
  if (code === outOfMemory)
    return refuse('resource-exhausted', 'The database has no memory left for this call. Nothing of it was kept.');
  if (isUndoneByOthers(error))
    return refuse('unavailable', 'Other writes of the same rows came first, again and again. Try again.');
  if (code === tooManyConnections)
    return refuse('unavailable', `The database ${place} takes no more connections (${message}). Try again.`);
  if (code === lockNotAvailable)
    return refuse('unavailable', 'The rows are locked by another call for too long. Try again.');
  if (code === queryCanceled || message === silentServer)
    return refuse('unavailable', `The database ${place} took too long for this call (${message}). Try again.`);
  if (code === readOnlyTransaction || isOfStandby(code, message)) return readOnlyDatabase(place, error);
  if (refusedLogins.includes(code))
    return refuse(
      'unavailable',
      `The database ${place} refuses this host: ${message}. Mind user, password and rights.`,
    );
  if (isConnectionLost(error))
    return refuse('unavailable', `The database ${place} cannot be reached: ${message}. Try again.`);
  if (damagedData.includes(code))
    return refuse('damaged', `The database ${place} is damaged (${message}). Restore its latest backup.`);
  return error;
}
