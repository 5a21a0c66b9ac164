import type { DescMethodUnary } from '@bufbuild/protobuf';
import { Code, ConnectError, type Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { once } from 'node:events';
import { connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { expect, it, onTestFinished } from 'vitest';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb.ts';
import { serveForTest } from '../test-server.ts';

const transports: readonly [string, (baseUrl: string) => Transport][] = [
  ['gRPC', (baseUrl) => createGrpcTransport({ baseUrl })],
  ['gRPC-Web over HTTP/1.1', (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: '1.1' })],
  ['gRPC-Web over HTTP/2', (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: '2' })],
  ['Connect', (baseUrl) => createConnectTransport({ baseUrl, httpVersion: '1.1' })],
];

it.each(transports)('a call of what is not served is answered as unimplemented by %s', async (_, transportTo) => {
  const { origin, log } = await serveForTest();
  const method: DescMethodUnary = { ...AuthService.method.authenticate, name: 'AuthenticateTo' };
  const call = transportTo(origin).unary(method, undefined, undefined, undefined, {});
  const error = ConnectError.from(await call.catch((reason: unknown) => reason));
  expect(error).toMatchObject({ code: Code.Unimplemented });
  expect(error.rawMessage).toContain('proto.rpc.v1.AuthService/AuthenticateTo is not served here');
  expect(log()).toContain('"operation":"unknown call"');
});

it('gRPC over HTTP/2 gets headers that end the stream by themselves, those for other origins too', async () => {
  const { origin } = await serveForTest();
  const session = connect(origin);
  onTestFinished(() => session.close());
  const call = session.request({
    ':method': 'POST',
    ':path': '/viam.app.v1.AppService/UpdateRobotPart',
    'content-type': 'application/grpc',
    origin: 'https://page.example',
  });
  call.end();
  const [headers, flags] = (await once(call, 'response')) as [IncomingHttpHeaders, number];
  expect(headers).toMatchObject({ ':status': 200, 'grpc-status': '12', 'access-control-allow-origin': '*' });
  const message = decodeURIComponent(String(headers['grpc-message']));
  expect(message).toMatch(/^viam\.app\.v1\.AppService\/UpdateRobotPart is not served here: .* manages no machines/);
  expect(flags & constants.NGHTTP2_FLAG_END_STREAM).toBe(constants.NGHTTP2_FLAG_END_STREAM);
});

it('a page is no call', async () => {
  const { origin } = await serveForTest();
  expect((await fetch(`${origin}/some.page/here`)).status).toBe(404);
  expect((await fetch(`${origin}/page`, { method: 'POST' })).status).not.toBe(200);
});
