import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { SessionService } from '../../gen/sightglass/people/v1/people_pb.ts';
import type { Authorize } from './access-tokens.ts';
import { membershipOf, type ServerTarget } from './outbox-target.ts';
import { UploadError } from './upload-error.ts';

/**
 * Makes calls that carry no key, each after the server has said that the session is of the target's membership: another
 * person may have logged in since, and must not send in their own name what this one captured.
 */
export function sessionOnly(transport: Transport, target: ServerTarget): Authorize {
  const sessions = createClient(SessionService, transport);
  const ended = (): UploadError =>
    new UploadError('unauthenticated', `Nobody is logged in as ${target.name}; log in, and sending goes on.`);
  return async (signal, call) => {
    const { membership } = await sessions.getSession({}, { signal });
    if (membership?.id !== membershipOf(target)) throw ended();
    try {
      return await call('');
    } catch (error) {
      throw ConnectError.from(error).code === Code.Unauthenticated ? ended() : error;
    }
  };
}
