import type { LeaseStore } from '../../../data-service/face/stores.ts';
import { leaseLost } from '../../data-store/lease-rules.ts';
import type { PostgresDatabase } from './postgres-database.ts';

/** Each call is one statement, which the server orders with those of other hosts by the lock of the row. */
export function postgresLeaseStore(database: PostgresDatabase): LeaseStore {
  return {
    take: (name, length) =>
      database.write(async (statements) => {
        // one that ends far beyond was set by a server whose clock ran ahead
        const taken = await statements.row(
          `INSERT INTO leases (name, token, ends) VALUES ($1, 1, store_time() + $2)
           ON CONFLICT (name) DO UPDATE SET token = leases.token + 1, ends = excluded.ends
           WHERE leases.ends < store_time() OR leases.ends > store_time() + 2 * $2
           RETURNING token`,
          name,
          length,
        );
        return taken === undefined ? null : { name, token: taken['token'] as number };
      }),
    renew: (lease, length) =>
      database.write(async (statements) => {
        const sql = 'UPDATE leases SET ends = store_time() + $3 WHERE name = $1 AND token = $2';
        if ((await statements.run(sql, lease.name, lease.token, length)) === 0) throw leaseLost(lease);
      }),
    release: ({ name, token }) =>
      database.write(async (statements) => {
        // another token, so that a renewal which is under way does not take it again
        const sql = "UPDATE leases SET token = token + 1, ends = '-Infinity' WHERE name = $1 AND token = $2";
        await statements.run(sql, name, token);
      }),
  };
}
