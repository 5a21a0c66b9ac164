import { StoreError } from '../../../data-service/ports/store-error.ts';

// SQLSTATE codes, https://www.postgresql.org/docs/current/errcodes-appendix.html
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
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether the server undid the transaction because of another one: the same work may succeed at once. */
export const isUndoneByOthers = (error: unknown): boolean =>
  codeOf(error) === serializationFailure || codeOf(error) === deadlock;

/** Whether nothing more can be asked over the connection. */
export const isConnectionLost = (error: unknown): boolean =>
  lostConnection.test(codeOf(error)) ||
  codeOf(error) === idleInTransaction ||
  socketErrors.test(codeOf(error)) ||
  driverErrors.test(messageOf(error)) ||
  messageOf(error) === silentServer;

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
  if (code === readOnlyTransaction)
    return refuse(
      'unavailable',
      `The database ${place} takes no writes now: it is read-only, as a standby is. Connect to its primary server.`,
    );
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
