import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { hasPostgres, startPostgres, urlOfServers, type PostgresServer } from '../postgres/postgres-server.ts';
import { startVersitygw, versitygw, type TestS3 } from '../s3/versitygw.ts';
import { startFaultProxy, type Fault, type FaultProxy } from './fault-proxy.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

/** What must be in no log. The test database takes any password. */
export const databasePassword = 'opensesame-database';

/** A database and a bucket that hosts share, for one test. */
export interface SharedStore {
  /** arguments of `serve` */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** where the S3 server keeps the bytes of files */
  readonly blobFolder: string;
  startHost(args?: readonly string[]): Promise<ServerProcess>;
}

export interface SharedPlaces {
  readonly postgres: PostgresServer;
  readonly s3: TestS3;
  /** How the bucket fares from now on. */
  setBucketFault(fault: Fault): void;
  /** An empty database, and a part of the bucket. @param standbys that may take the place of the database's primary */
  newStore(standbys?: readonly PostgresServer[]): Promise<SharedStore>;
}

/** Runs tests on a PostgreSQL and an S3 server of their own; they are skipped, by name, where one of them is missing. */
export function describeShared(name: string, tests: (places: () => SharedPlaces) => void): void {
  const isAble = hasPostgres && versitygw !== null;
  describe.skipIf(!isAble)(`${name} (skipped without PostgreSQL and versitygw)`, () => {
    let [postgres, s3, proxy]: [PostgresServer?, TestS3?, FaultProxy?] = [];
    let fault: Fault = { kind: 'none' };
    let stores = 0;
    beforeAll(async () => {
      // it keeps what it has committed when it is killed; that the machine ends is not tested
      postgres = await startPostgres({ fsync: 'off', jit: 'off', shared_buffers: '64MB' });
      s3 = await startVersitygw();
      proxy = await startFaultProxy({ upstreamPort: () => s3!.port, nextFault: () => fault });
    });
    afterAll(async () => {
      await proxy?.close();
      await s3?.close();
      await postgres?.stop();
    });
    tests(() => ({
      postgres: postgres!,
      s3: s3!,
      setBucketFault: (next) => (fault = next),
      async newStore(standbys = []) {
        const { name } = await postgres!.createDatabase();
        const url = urlOfServers([postgres!, ...standbys], name);
        const { accessKeyId, secretAccessKey } = s3!.credentials;
        const prefix = `test-${++stores}`;
        const args = ['--blobs', `s3://${s3!.place.bucket}/${prefix}?endpoint=${proxy!.origin}`];
        const environment = {
          SIGHTGLASS_DATABASE: url.replace('postgres@', `postgres:${databasePassword}@`),
          AWS_ACCESS_KEY_ID: accessKeyId,
          AWS_SECRET_ACCESS_KEY: secretAccessKey,
        };
        return {
          args,
          environment,
          blobFolder: join(s3!.folder, prefix, 'blobs'),
          startHost: (more = []) => startServerProcess(null, { args: [...args, ...more], environment }),
        };
      },
    }));
  });
}
