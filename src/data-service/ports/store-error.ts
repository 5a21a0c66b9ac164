/**
 * Why a store refused. Routes turn each code into the Connect code of the same meaning.
 * - `not-found`, `already-exists`: the thing named by `subject`.
 * - `conflict`: a precondition no longer holds (a lease was lost, a dataset is not empty); reading again may help.
 * - `last-owner`: an organization would have no owner any more.
 * - `resource-exhausted`: disk or quota is full; nothing of the call was kept.
 * - `unavailable`: locked or unreachable for now; the same call may succeed later.
 * - `unsupported`: this store cannot do what was asked, and never will (an index it could not use).
 * - `damaged`: what was kept cannot be read any more; the message is for the host's keeper, not for clients.
 */
export type StoreErrorCode =
  | 'not-found'
  | 'already-exists'
  | 'conflict'
  | 'last-owner'
  | 'resource-exhausted'
  | 'unavailable'
  | 'unsupported'
  | 'damaged';

/** The only error that a port throws on purpose. Any other error of a store is a defect. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  /** the id or name that was not found, exists already or is in conflict; '': none */
  readonly subject: string;
  /** what only the host's keeper may read beside the message: addresses, the words of a driver; '': nothing */
  readonly detail: string;

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { subject?: string; detail?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.subject = options.subject ?? '';
    this.detail = options.detail ?? '';
  }
}
