import { Code, ConnectError } from '@connectrpc/connect';
import { HttpRefusal, NoAnswer } from '../outbox/read-failure.ts';
import { AccountError, type AccountErrorCode } from './account-error.ts';

const giveKey = 'Give the id and the key of an API key of this organization, location or machine.';

/** Converts the error of a call to an AccountError. @param address address of the service, for the message */
export function accountErrorOf(error: unknown, address: string): AccountError {
  if (error instanceof AccountError) return error;
  const failure = ConnectError.from(error);
  const { cause } = failure;
  const told = (code: AccountErrorCode, message: string, cure: string): AccountError =>
    new AccountError(code, message, cure, { cause: failure });
  if (cause instanceof NoAnswer) {
    return told(
      'no-answer',
      `${address} does not answer.`,
      'See that this computer is online, that the address is right, and that the service lets pages call it.',
    );
  }
  if (cause instanceof HttpRefusal) return refusalOf(cause, address);
  const said = failure.rawMessage;
  switch (failure.code) {
    case Code.Unauthenticated:
      return told('wrong-key', `${address} does not take this key: ${said}`, giveKey);
    case Code.PermissionDenied:
      return told('not-allowed', `The key may not do this: ${said}`, 'Give a key of an operator or an owner.');
    case Code.NotFound:
      return told('not-found', `${address} knows nothing of this id: ${said}`, 'Choose one of those that it lists.');
    case Code.Unimplemented:
      return told(
        'no-account-service',
        `${address} does not know this operation: ${said}`,
        'Give the address of an account service.',
      );
    case Code.Unavailable:
    case Code.DeadlineExceeded:
    case Code.Canceled:
      return told('no-answer', `${address} did not answer in time: ${said}`, 'Try it again.');
    case Code.ResourceExhausted:
      return told('busy', `${address} has too much to do: ${said}`, 'Try it again in a minute.');
    default:
      return told('failed', said, 'It is the service’s own message. Try it again, or ask who runs it.');
  }
}

function refusalOf(refusal: HttpRefusal, address: string): AccountError {
  const told = (code: AccountErrorCode, message: string, cure: string): AccountError =>
    new AccountError(code, message, cure, { cause: refusal });
  if (refusal.status === 401) return told('wrong-key', `${address} refused: ${refusal.message}`, giveKey);
  if (refusal.status === 403) {
    return told('not-allowed', `${address} refused: ${refusal.message}`, 'Give a key of an operator or an owner.');
  }
  if (refusal.status === 429 || refusal.status >= 500) {
    return told('busy', `${address} is in trouble: ${refusal.message}`, 'Try it again in a minute.');
  }
  return told(
    'no-account-service',
    `Something answers at ${address}, but no account service: ${refusal.message}`,
    'Give its address, as https://app.viam.com.',
  );
}
