import { Code, ConnectError } from '@connectrpc/connect';
import { HttpRefusal, NoAnswer } from '../outbox/read-failure.ts';
import { LinkError, type LinkErrorCode } from './link-error.ts';

/** What a failed call means. `redact` takes secrets out of what the machine said. */
export function linkErrorOf(error: unknown, address: string, redact: (message: string) => string): LinkError {
  if (error instanceof LinkError) return error;
  const failure = ConnectError.from(error);
  const cause = failure.cause ?? error;
  const told = (code: LinkErrorCode, message: string, cure: string): LinkError =>
    new LinkError(code, message, cure, { cause: failure });
  if (cause instanceof NoAnswer) {
    return told(
      'no-answer',
      `${address} does not answer.`,
      'See that the machine is on, that this computer is in its network, and that the port is right (a machine listens on 8080).',
    );
  }
  if (cause instanceof HttpRefusal) return refusalOf(cause, address);
  const said = redact(failure.rawMessage);
  switch (failure.code) {
    case Code.Canceled:
      return told('cancelled', 'Broken off before the machine answered.', 'Ask again.');
    case Code.Unauthenticated:
      return told(
        'wrong-key',
        `The machine does not take this key: ${said}`,
        'Give the id and the key of an API key of this machine.',
      );
    case Code.PermissionDenied:
      return told(
        'not-allowed',
        `The key may not do this: ${said}`,
        'Give a key of an operator or an owner of this machine.',
      );
    case Code.NotFound:
      return told('no-such-resource', said, 'Choose one of the resources that the machine has now.');
    case Code.Unimplemented:
      return told(
        'too-old',
        `The machine does not know this operation: ${said}`,
        'Let the machine update its viam-server.',
      );
    case Code.Unavailable:
    case Code.DeadlineExceeded:
      return told('no-answer', `${address} did not answer in time: ${said}`, 'It is asked again automatically.');
    case Code.ResourceExhausted:
      return told('busy', `The machine has too much to do: ${said}`, 'Ask for fewer frames a second.');
    default:
      return isMissing(said)
        ? told('no-such-resource', said, 'Choose one of the resources that the machine has now.')
        : told('failed', said, 'It is the machine’s own message: its log says more.');
  }
}

/** The machine says so of a name that it does not have, under the code of any other failure. */
function isMissing(said: string): boolean {
  return /resource "[^"]*" not found|no resource with name|no node found with api/i.test(said);
}

function refusalOf(refusal: HttpRefusal, address: string): LinkError {
  if (refusal.status === 401 || refusal.status === 403) {
    return new LinkError(
      'wrong-key',
      `${address} refused: ${refusal.message}`,
      'Give the id and the key of an API key of this machine.',
      { cause: refusal },
    );
  }
  if (refusal.status === 429 || refusal.status >= 500) {
    return new LinkError('busy', `${address} is in trouble: ${refusal.message}`, 'It is asked again automatically.', {
      cause: refusal,
    });
  }
  return new LinkError(
    'not-a-machine',
    `Something answers at ${address}, but no machine: ${refusal.message}`,
    'Give the address of viam-server, as http://host:8080.',
    { cause: refusal },
  );
}
