import { expect, it } from 'vitest';
import { clientLines } from './client-lines.ts';

it.each([
  ['http://127.0.0.1:8080', `"127.0.0.1:8080"`, true],
  ['http://data.example', `"data.example:80"`, true],
  ['https://data.example:8443', `"data.example:8443"`, false],
  ['https://data.example', `"data.example"`, false],
  ['http://[::1]', `"[::1]:80"`, true],
])('reach %s by %s', (origin, address, isPlain) => {
  const { TypeScript, Python, Go, Connect } = clientLines(origin, 'id-1');
  expect(TypeScript).toContain(`serviceHost: '${origin}'`);
  expect(Connect).toContain(` ${origin}/proto.rpc.v1.AuthService/Authenticate `);
  for (const line of [Python, Go]) expect(line).toContain(address);
  expect(Python.includes('insecure=True')).toBe(isPlain);
  expect(Go.includes('rpc.WithInsecure()')).toBe(isPlain);
  for (const line of [TypeScript, Python, Go, Connect]) expect(line).toContain('id-1');
});
