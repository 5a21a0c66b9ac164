import { StoreError } from '../../../data-service/face/stores.ts';

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
const limitExceeded = '54000';
const lockNotAvailable = '55P03';
const queryCanceled = '57014';
const damagedData = ['XX001', 'XX002'];
const refusedLogins = ['28000', '28P01', '3D000', '42501'];
/** connection exceptions, and a server that starts or ends */
const lostConnection = /^(08...|57P0[1235])$/;
const socketErrors = /^E(CONN|PIPE|HOST|NET|TIMEDOUT|NOTFOUND|AI_AGAIN)/;
/** Errors of the driver that have no code. */
const fullPool = 'timeout exceeded when trying to connect';
const driverErrors =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|Client has already been|read ECONN)/;
const silentServer = 'Query read timeout';

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');
/** One of all addresses of a name has no words but those of each. */
export const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
};
/** Whether the socket's file is gone: it goes as a server on this machine ends. */
const isWithoutSocket = (error: unknown): boolean =>
  codeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect';

/** Whether the server undid the transaction because of another one: the same work may succeed at once. */
export const isUndoneByOthers = (error: unknown): boolean =>
  codeOf(error) === serializationFailure || codeOf(error) === deadlock;

/** Whether nothing more can be asked over the connection, or its server is no primary any more. */
export const isConnectionLost = (error: unknown): boolean =>
  isOfStandby(error) ||
  lostConnection.test(codeOf(error)) ||
  codeOf(error) === idleInTransaction ||
  socketErrors.test(codeOf(error)) ||
  isWithoutSocket(error) ||
  driverErrors.test(messageOf(error)) ||
  isSilent(error);

/** Whether the server did not answer for as long as anything may take. */
export const isSilent = (error: unknown): boolean => messageOf(error) === silentServer;

/** Whether all connections that a host may have were in use for too long. */
export const isPoolFull = (error: unknown): boolean => messageOf(error) === fullPool;

/** A standby refuses writes, and in other words the beginning of a transaction that may write. */
const isOfStandby = (error: unknown): boolean =>
  codeOf(error) === readOnlyTransaction ||
  (codeOf(error) === notSupported && messageOf(error).includes('during recovery'));

export const standbyError = (place: string, cause?: unknown): StoreError =>
  new StoreError('unavailable', 'The database takes no writes now: it is read-only, as a standby is.', {
    detail: `It is ${place}: connect to its primary server.`,
    cause,
  });

/** A commit whose wait for a standby was cancelled: it is on the primary's disk, and may be lost with that. */
export const unconfirmedWrite = (warning: string): StoreError =>
  new StoreError(
    'unavailable',
    'The standby of the database has not confirmed this write, which may be kept or lost. Try again.',
    { detail: warning },
  );

/** @param reason why, in the words of the driver or of the server */
export const databaseAway = (place: string, reason: string, cause?: unknown): StoreError =>
  new StoreError('unavailable', 'The database cannot be reached. Try again.', {
    detail: `It is ${place}: ${reason}.`,
    cause,
  });

/** The error of a transaction that was undone when a part of what it read had been used. */
export const stateLost = (place: string): StoreError =>
  new StoreError('unavailable', 'The database gave up the state that was being read. Try again.', {
    detail: `It is ${place}.`,
  });

/** What callers may act on as a StoreError; any other error as it is. @param place of the database, without its password */
export function storeErrorOf(error: unknown, place: string): unknown {
  const code = codeOf(error);
  const message = messageOf(error);
  const refuse = (as: StoreError['code'], words: string): StoreError =>
    new StoreError(as, words, { detail: `It is ${place}: ${message}.`, cause: error });
  if (error instanceof StoreError) return error;
  if (code === uniqueViolation) {
    const { table = '', detail = message } = error as { table?: string; detail?: string };
    return new StoreError('already-exists', `The database has such a row of ${table} already: ${detail}`, {
      cause: error,
    });
  }
  if (code === diskFull)
    return refuse('resource-exhausted', 'The disk of the database is full. Nothing of the call was kept.');
  if (code === outOfMemory)
    return refuse('resource-exhausted', 'The database has no memory left for this call. Nothing of it was kept.');
  if (code === limitExceeded)
    return refuse('resource-exhausted', 'The call needs more at once than the database can hold. Ask for less of it.');
  if (isUndoneByOthers(error))
    return refuse('unavailable', 'Other writes of the same rows came first, again and again. Try again.');
  if (code === tooManyConnections) return refuse('unavailable', 'The database takes no more connections. Try again.');
  if (code === lockNotAvailable)
    return refuse('unavailable', 'The rows are locked by another call for too long. Try again.');
  if (isPoolFull(error))
    return refuse('unavailable', 'All connections to the database are in use by other calls. Try again.');
  if (code === queryCanceled || isSilent(error))
    return refuse('unavailable', 'The database took too long for this call. Try again.');
  if (isOfStandby(error)) return standbyError(place, error);
  if (refusedLogins.includes(code))
    return refuse(
      'unavailable',
      'The database refuses this host. Its administrator has to check the user, the password and the rights.',
    );
  if (isConnectionLost(error)) return databaseAway(place, message, error);
  if (damagedData.includes(code))
    return refuse('damaged', `The database ${place} is damaged (${message}). Restore its latest backup.`);
  return error;
}
