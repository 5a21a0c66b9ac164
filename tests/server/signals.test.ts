import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type PeerCertificate } from 'node:tls';
import { request } from 'node:https';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { makeCertificate } from '../../src/server/test-server.ts';
import { binPath, sourcesPath, startServerProcess, temporaryFolder } from './server-process.ts';

const logged = (stderr: string): string[] =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { readonly msg: string }).msg);

const certificateOf = (port: number): Promise<PeerCertificate> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate());
      socket.destroy();
    }).once('error', reject);
  });

async function writeCertificate(folder: string): Promise<void> {
  const { cert, key } = await makeCertificate();
  await writeFile(join(folder, 'cert.pem'), cert);
  await writeFile(join(folder, 'key.pem'), key);
}

it('reads its certificate again at SIGHUP, and goes on with what is under way', async () => {
  const [folder, dataDir] = [await temporaryFolder(), await temporaryFolder()];
  await writeCertificate(folder);
  const tls = ['--tls-cert', join(folder, 'cert.pem'), '--tls-key', join(folder, 'key.pem')];
  const server = await startServerProcess(dataDir, { args: tls });
  const before = await certificateOf(server.port);
  const { keyId, key } = server.firstStart!;
  const path = '/proto.rpc.v1.AuthService/Authenticate';
  const headers = { 'content-type': 'application/json' };
  const message = JSON.stringify({ entity: keyId, credentials: { type: 'api-key', payload: key } });
  const options = { port: server.port, host: '127.0.0.1', path, method: 'POST', headers, rejectUnauthorized: false };
  const status = new Promise<number>((resolve, reject) => {
    const asked = request(options, (answer) => resolve(answer.resume().statusCode!)).once('error', reject);
    asked.write(message.slice(0, 5), () => {
      void (async () => {
        await writeCertificate(folder);
        server.process.kill('SIGHUP');
        await expect.poll(() => logged(server.stderr())).toContain('SIGHUP: the certificate was read again');
        asked.end(message.slice(5));
      })().catch(reject);
    });
  });
  expect(await status).toBe(200);
  const after = await certificateOf(server.port);
  expect(after.fingerprint256).not.toBe(before.fingerprint256);

  await writeFile(join(folder, 'cert.pem'), 'no certificate');
  server.process.kill('SIGHUP');
  const stays = 'SIGHUP: the certificate could not be read again; the previous one stays';
  await expect.poll(() => logged(server.stderr())).toContain(stays);
  expect((await certificateOf(server.port)).fingerprint256).toBe(after.fingerprint256);

  // calls the server over TLS on the port that its data folder names
  const asked = await promisify(execFile)(process.execPath, [binPath, 'health', '--data', dataDir]);
  expect(JSON.parse(asked.stdout)).toEqual({ address: `${server.origin}/`, healthz: 200 });
});

it('goes on at SIGHUP without a certificate', async () => {
  const server = await startServerProcess(await temporaryFolder());
  server.process.kill('SIGHUP');
  await expect.poll(() => logged(server.stderr())).toContain('SIGHUP: there is no certificate to be read again');
  expect(await (await fetch(`${server.origin}/readyz`)).text()).toBe('ready\n');
});

it('says that no server is healthy where none serves', async () => {
  const asked = promisify(execFile)(process.execPath, [binPath, 'health', '--data', await temporaryFolder()]);
  await expect(asked).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('No server says that it') });
});

it('ends with the process that started it again, also where that is killed', async () => {
  const dataDir = await temporaryFolder();
  const server = await startServerProcess(dataDir, {
    nodeArgs: ['--no-experimental-strip-types'],
    command: sourcesPath,
  });
  const { pid } = JSON.parse(await readFile(join(dataDir, 'server.json'), 'utf8')) as { readonly pid: number };
  expect(pid).not.toBe(server.process.pid);
  await server.end('SIGKILL');
  const isRunning = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isRunning, { timeout: 10_000 }).toBe(false);
});
