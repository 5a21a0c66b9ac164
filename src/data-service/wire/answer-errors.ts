import { Code, ConnectError, type HandlerContext, type Interceptor } from '@connectrpc/connect';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { QueryError, type QueryErrorCode } from '../ports/query-runner.ts';
import { StoreError, type StoreErrorCode } from '../ports/store-error.ts';

const codeOfStoreError: Readonly<Record<StoreErrorCode, Code>> = {
  'not-found': Code.NotFound,
  'already-exists': Code.AlreadyExists,
  conflict: Code.Aborted,
  'last-owner': Code.FailedPrecondition,
  'resource-exhausted': Code.ResourceExhausted,
  unavailable: Code.Unavailable,
  unsupported: Code.InvalidArgument,
  damaged: Code.DataLoss,
};

const codeOfQueryError: Readonly<Record<QueryErrorCode, Code>> = {
  'invalid-query': Code.InvalidArgument,
  'deadline-exceeded': Code.DeadlineExceeded,
  'resource-exhausted': Code.ResourceExhausted,
};

/** The message for a client whose file is damaged. */
export const damagedFileText = (id: string): string =>
  `The bytes of ${id} are lost or damaged in the service's storage and are not given out; its log tells its keeper what to do. Everything else can be read, also with this file's metadata.`;

/**
 * Converts an error to a client's answer. A defect is reported to the host, and the client learns only that there
 * was one.
 */
function answerFor(
  error: unknown,
  signal: AbortSignal,
  operation: string,
  { defects }: Pick<DataServiceDependencies, 'defects'>,
): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof StoreError && error.code === 'damaged') {
    defects.report(error, { operation });
    const text =
      error.subject === ''
        ? "The service's store is damaged; its log tells its keeper what to do."
        : damagedFileText(error.subject);
    return new ConnectError(text, Code.DataLoss);
  }
  if (error instanceof StoreError) return new ConnectError(error.message, codeOfStoreError[error.code]);
  if (error instanceof QueryError) return new ConnectError(error.message, codeOfQueryError[error.code]);
  if (signal.aborted) return ConnectError.from(signal.reason, Code.Canceled);
  defects.report(error, { operation });
  return new ConnectError(`${operation} failed in the service itself; its log has the cause.`, Code.Internal);
}

/** Gives every error of a handler its Connect code, also one that comes in the middle of a stream. */
export function answerErrors(dependencies: Pick<DataServiceDependencies, 'defects'>): Interceptor {
  return (next) => async (request) => {
    const answer = (error: unknown) => answerFor(error, request.signal, request.method.name, dependencies);
    try {
      const response = await next(request);
      return response.stream ? { ...response, message: answering(response.message, answer) } : response;
    } catch (error) {
      throw answer(error);
    }
  };
}

/** The same for code that runs before the interceptors. */
export function answerGateErrors(
  gate: (context: HandlerContext) => Promise<void>,
  dependencies: Pick<DataServiceDependencies, 'defects'>,
): (context: HandlerContext) => Promise<void> {
  return async (context) => {
    try {
      await gate(context);
    } catch (error) {
      throw answerFor(error, context.signal, context.method.name, dependencies);
    }
  };
}

async function* answering<Message>(
  messages: AsyncIterable<Message>,
  answer: (error: unknown) => ConnectError,
): AsyncIterable<Message> {
  try {
    yield* messages;
  } catch (error) {
    throw answer(error);
  }
}
