import { Code, ConnectError } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { createDataClient } from './client.ts';

it('starts no worker once it is closed, and rejects calls', async () => {
  let started = 0;
  const startWorker = (): Worker => {
    started++;
    throw new Error('No worker may be started.');
  };
  const client = createDataClient(startWorker, { baseUrl: 'http://localhost/' });
  client.close();
  client.start();
  const asked = client.data.tagsByFilter({}).catch((error: unknown) => ConnectError.from(error).code);
  expect([await asked, started]).toEqual([Code.Unavailable, 0]);
});
