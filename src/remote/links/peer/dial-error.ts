import { Code, ConnectError } from '@connectrpc/connect';
import { LinkError } from '../../live-machine/link-error.ts';
import type { DialStep } from '../../live-machine/live-machine.ts';
import { HttpRefusal, NoAnswer } from '../../outbox/read-failure.ts';
import { NoRoute } from './no-route.ts';

/** The state of an attempt to connect when it failed. */
export interface FailedDial {
  readonly via: string;
  readonly host: string;
  readonly step: DialStep;
  readonly wasCancelled: boolean;
  readonly redact: (message: string) => string;
}

/** The error for the person who connects: what failed, and what to try. */
export function dialErrorOf(error: unknown, { via, host, step, wasCancelled, redact }: FailedDial): LinkError {
  const told = (code: LinkError['code'], message: string, cure: string): LinkError =>
    new LinkError(code, message, cure, { cause: error });
  if (wasCancelled) return told('cancelled', `The call to ${host} was cancelled.`, 'Connect again.');
  if (error instanceof NoRoute) {
    return told(
      'no-route',
      error.hadRelay
        ? `${host} answered, but no connection to it was found, not even by the relay that ${via} names.`
        : `${host} answered, but no direct connection to it was found, and ${via} names no relay.`,
      'Open this page on a computer in the machine’s network, or let the firewall pass UDP to the internet.',
    );
  }
  const failure = ConnectError.from(error);
  const { cause } = failure;
  if (cause instanceof NoAnswer || (step === 'asking' && isTimeout(error))) {
    return told(
      'no-answer',
      `${via} does not answer: it connects pages with machines.`,
      'See that this computer is online, and that the address of the account service is right.',
    );
  }
  if (cause instanceof HttpRefusal && cause.status !== 401 && cause.status !== 403) {
    return cause.status === 429 || cause.status >= 500
      ? told('busy', `${via} is in trouble: ${cause.message}`, 'Connect again in a minute.')
      : told(
          'not-a-machine',
          `${via} answers, but not as an account service: ${cause.message}`,
          'Give the address of the account service, as https://app.viam.com.',
        );
  }
  const said = redact(failure.rawMessage);
  switch (failure.code) {
    case Code.Unauthenticated:
      return told(
        'wrong-key',
        `${via} does not take this key: ${said}`,
        'Give the id and the key of an API key of this machine, its location or its organization.',
      );
    case Code.PermissionDenied:
      return told(
        'not-allowed',
        `The key may not connect to ${host}: ${said}`,
        'Give an API key of this machine, its location or its organization.',
      );
    case Code.Unimplemented:
      return told(
        'not-a-machine',
        `${via} connects no machines: ${said}`,
        'Give the address of the account service, as https://app.viam.com.',
      );
    default:
      return step === 'connecting'
        ? told('no-answer', `${host} answered, but no connection to it came about in time.`, 'Connect again.')
        : told(
            'offline',
            `${host} is not online, as far as ${via} knows: ${said}`,
            'See that the machine is on and has a network, and that its name is right.',
          );
  }
}

export const isTimeout = (error: unknown): boolean => (error as { name?: unknown } | null)?.name === 'TimeoutError';
