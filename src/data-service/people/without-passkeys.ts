import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import type { SessionService } from '../../gen/sightglass/people/v1/people_pb.ts';

type PasskeyRoutes = Pick<
  ServiceImpl<typeof SessionService>,
  'beginPasskeyLogIn' | 'finishPasskeyLogIn' | 'beginPasskeyRegistration' | 'finishPasskeyRegistration'
>;

const refuse = (): never => {
  throw new ConnectError('This host has no log-in by passkeys; use an API key.', Code.FailedPrecondition);
};

/** The routes of passkeys on a host that has none. */
export const withoutPasskeys: PasskeyRoutes = {
  beginPasskeyLogIn: refuse,
  finishPasskeyLogIn: refuse,
  beginPasskeyRegistration: refuse,
  finishPasskeyRegistration: refuse,
};
