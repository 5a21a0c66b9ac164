import { ConnectError } from '@connectrpc/connect';
import { type DefectLog, QueryError, type QueryErrorCode } from '../../data-service/face/hosts.ts';
import { StoreError } from '../../data-service/face/stores.ts';

/** MongoDB's error codes, as drivers know them (src/mongo/base/error_codes.yml of the MongoDB server, 7.0). */
const codes = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  ProtocolError: 17,
  AuthenticationFailed: 18,
  IllegalOperation: 20,
  InvalidBSON: 22,
  NamespaceNotFound: 26,
  CursorNotFound: 43,
  MaxTimeMSExpired: 50,
  CommandNotFound: 59,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  OperationFailed: 96,
  CommandNotSupported: 115,
  ExceededMemoryLimit: 146,
  NotImplemented: 238,
  MechanismUnavailable: 334,
  UnsupportedOpQueryCommand: 352,
  BSONObjectTooLarge: 10334,
  Location17217: 17217, // "distinct too big, 16mb cap"
} as const;

export type MongoErrorName = keyof typeof codes;

/** A command that is answered with `ok: 0`. The message is for people, the code for drivers. */
export class MongoError extends Error {
  override readonly name = 'MongoError';
  readonly codeName: MongoErrorName;

  constructor(codeName: MongoErrorName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.codeName = codeName;
  }

  get code(): number {
    return codes[this.codeName];
  }
}

const nameOfQueryError: Readonly<Record<QueryErrorCode, MongoErrorName>> = {
  'invalid-query': 'BadValue',
  'deadline-exceeded': 'MaxTimeMSExpired',
  'resource-exhausted': 'ExceededMemoryLimit',
};

/** What a client is told of an error. A defect is reported to the host, and the client only learns that there was one. */
export function mongoErrorOf(error: unknown, command: string, defects: DefectLog): MongoError {
  if (error instanceof MongoError) return error;
  if (error instanceof QueryError) return new MongoError(nameOfQueryError[error.code], error.message);
  if (error instanceof StoreError && error.code !== 'damaged') return new MongoError('OperationFailed', error.message);
  if (error instanceof ConnectError) return new MongoError('BadValue', error.rawMessage);
  defects.report(error, { operation: `mongo ${command}` });
  return new MongoError('InternalError', `${command} failed in the service itself; its log has the cause.`);
}
