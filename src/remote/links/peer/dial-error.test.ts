import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { HttpRefusal, NoAnswer } from '../../outbox/read-failure.ts';
import { dialErrorOf, type FailedDial } from './dial-error.ts';
import { NoRoute } from './no-route.ts';

const dial: FailedDial = {
  via: 'account.example',
  host: 'robot-main.a.example',
  step: 'calling',
  wasCancelled: false,
  redact: (message) => message.replaceAll('s3cret', '[key]'),
};
const caused = (cause: Error): ConnectError =>
  new ConnectError('failed', Code.Unavailable, undefined, undefined, cause);
const timeout = new DOMException('signal timed out', 'TimeoutError');

describe('a failed dial', () => {
  it.each([
    ['no way, with a relay', new NoRoute(true), {}, 'no-route', /not even by the relay/],
    ['no way, without one', new NoRoute(false), {}, 'no-route', /account\.example names no relay/],
    ['nobody at the service', caused(new NoAnswer('no route')), {}, 'no-answer', /^account\.example does not answer/],
    ['a service that is silent', timeout, { step: 'asking' }, 'no-answer', /^account\.example does not answer/],
    [
      'a machine that is silent',
      timeout,
      { step: 'calling' },
      'offline',
      /is not online, as far as account\.example knows/,
    ],
    [
      'a connection that is slow',
      timeout,
      { step: 'connecting' },
      'no-answer',
      /answered, but no connection to it came about/,
    ],
    ['a busy service', caused(new HttpRefusal(503, null)), {}, 'busy', /is in trouble/],
    ['a page of HTML', caused(new HttpRefusal(404, null)), {}, 'not-a-machine', /not as an account service/],
    [
      'a refused key',
      new ConnectError('key s3cret is void', Code.Unauthenticated),
      {},
      'wrong-key',
      /: key \[key\] is void$/,
    ],
    ['a person who left', timeout, { wasCancelled: true }, 'cancelled', /was cancelled/],
  ] as const)('by %s says so, and what to do', (_, error, changes, code, message) => {
    const told = dialErrorOf(error, { ...dial, ...changes });
    expect(told).toMatchObject({ code, message: expect.stringMatching(message), cure: expect.stringMatching(/\.$/) });
    expect(told.message + told.cure).not.toContain('s3cret');
  });
});
