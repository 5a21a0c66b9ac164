import type { ServiceImpl } from '@connectrpc/connect';
import type { AuthService } from '../../gen/proto/rpc/v1/auth_pb.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';
import { unauthenticated } from './access-gate.ts';
import { issueAccessToken } from './access-token.ts';
import { verifyApiKey } from './api-keys.ts';

const credentialType = 'api-key';

/** Turns a key into an access token. */
export function authRoutes(dependencies: DataServiceDependencies): ServiceImpl<typeof AuthService> {
  return {
    async authenticate({ entity, credentials }) {
      if (credentials?.type !== credentialType) {
        const type = JSON.stringify(credentials?.type ?? '');
        throw invalidArgument(`credentials.type is ${type}; only "${credentialType}" is known.`);
      }
      const key = await verifyApiKey(dependencies, entity, credentials.payload);
      if (key === null) throw unauthenticated('invalid credentials');
      return { accessToken: await issueAccessToken(dependencies, key) };
    },
  };
}
