import type { ServiceImpl } from '@connectrpc/connect';
import type { AuthService } from '../../gen/proto/rpc/v1/auth_pb.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';
import { unauthenticated } from './access-gate.ts';
import { issueAccessToken } from './access-token.ts';
import { verifyApiKey } from './api-keys.ts';
import { verifyKeyValue, type VerifyKey } from './verify-key.ts';

const credentialType = 'api-key';

/** Turns a key into an access token. */
export function authRoutes(dependencies: DataServiceDependencies): ServiceImpl<typeof AuthService> {
  const verifyPlainly: VerifyKey = (keyId, secret) => verifyApiKey(dependencies, keyId, secret);
  return {
    async authenticate({ entity, credentials }, { values, signal }) {
      if (credentials?.type !== credentialType) {
        const type = JSON.stringify(credentials?.type ?? '');
        throw invalidArgument(`credentials.type is ${type}; only "${credentialType}" is known.`);
      }
      const verify = values.get(verifyKeyValue) ?? verifyPlainly;
      const key = await verify(entity, credentials.payload, signal);
      if (key === null) throw unauthenticated('invalid credentials');
      return { accessToken: await issueAccessToken(dependencies, key) };
    },
  };
}
