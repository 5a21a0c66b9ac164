import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService } from '../../gen/app/data/v1/data_pb.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { DatabaseEndpoint } from '../ports/database-endpoint.ts';
import { failedPrecondition, invalidArgument } from '../wire/invalid-argument.ts';
import { principalOf } from './principal.ts';
import { requireOrganization } from './require-access.ts';
import { scramUser } from './scram-user.ts';

type DatabaseRoutes = Pick<ServiceImpl<typeof DataService>, 'getDatabaseConnection' | 'configureDatabaseUser'>;

const minPasswordLength = 8;

/** The one user of the database endpoint that an organization has. */
export const databaseUserName = (organizationId: string): string => `db-user-${organizationId}`;

/** Reading the same data as a MongoDB database, where the host has such an endpoint. */
export function databaseRoutes(dependencies: DataServiceDependencies): DatabaseRoutes {
  const { access } = dependencies.store;
  return {
    async getDatabaseConnection({ organizationId }, context) {
      requireOrganization(principalOf(context), organizationId);
      const endpoint = requireEndpoint(dependencies);
      const user = await access.getDatabaseUser(organizationId);
      const origin = dependencies.publicOrigin({ url: context.url, header: context.requestHeader });
      const address = endpoint.addressFor(origin, databaseUserName(organizationId));
      return { ...address, hasDatabaseUser: user !== null };
    },
    async configureDatabaseUser({ organizationId, password }, context) {
      requireOrganization(principalOf(context), organizationId);
      const endpoint = requireEndpoint(dependencies);
      if (password.length < minPasswordLength) {
        throw invalidArgument(`password has ${password.length} characters; give at least ${minPasswordLength}.`);
      }
      await access.putDatabaseUser(await scramUser(dependencies.secrets, organizationId, password));
      endpoint.dropConnections(organizationId);
      return {};
    },
  };
}

function requireEndpoint({ database }: DataServiceDependencies): DatabaseEndpoint {
  if ('absentBecause' in database) throw failedPrecondition(database.absentBecause);
  return database;
}
