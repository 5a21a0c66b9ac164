import { Code, ConnectError } from '@connectrpc/connect';

/** The error for a request that can never succeed unchanged. The message says what was received and what to try. */
export const invalidArgument = (message: string): ConnectError => new ConnectError(message, Code.InvalidArgument);

export const notFound = (message: string): ConnectError => new ConnectError(message, Code.NotFound);

/** The error for a request that what is there does not allow now: the message says what has to be done first. */
export const failedPrecondition = (message: string): ConnectError => new ConnectError(message, Code.FailedPrecondition);

/** @throws ConnectError InvalidArgument for a text of more UTF-16 units than `most` */
export function notLonger(value: string, field: string, most: number): string {
  if (value.length > most) throw invalidArgument(`${field} has ${value.length} characters; give at most ${most}.`);
  return value;
}

/** Longer than any name that a person gives or a machine has. */
const longestName = 1000;

/** A name that may be empty. @throws ConnectError InvalidArgument for one that is too long */
export const boundedName = (value: string, field: string): string => notLonger(value, field, longestName);

/** @throws ConnectError InvalidArgument for an empty name, or one that is too long */
export const requireBoundedName = (value: string, field: string): string =>
  requireText(boundedName(value, field), field);

/** @throws ConnectError InvalidArgument for an empty text */
export function requireText(value: string, field: string): string {
  if (value.trim() === '') throw invalidArgument(`${field} is empty; it must be given.`);
  return value;
}
