import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openMachineLink } from './machine-link.ts';

it('knows a web server that answers any path with a page for no machine', async () => {
  const server = createServer((_, response) => void response.setHeader('content-type', 'text/html').end('<p>Hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const asked = openMachineLink(`http://127.0.0.1:${port}`, null).version(new AbortController().signal);
  await expect(asked).rejects.toMatchObject({
    code: 'not-a-machine',
    message: expect.stringMatching(/no machine: The host answered HTTP 200\./),
  });
});
