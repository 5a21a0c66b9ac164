import type { ServerResponse } from 'node:http';
import type { Request, Response } from './exchange.ts';

// What the clients of the API send and read from other origins (`@viamrobotics/sdk` and Connect in a page), and what ours does.
const allowedHeaders = [
  'authorization',
  'content-type',
  'viam_client',
  'x-grpc-web',
  'x-user-agent',
  'connect-protocol-version',
  'connect-timeout-ms',
  'grpc-timeout',
  'x-upload-id',
  'key_id',
  'key',
  'range',
].join(', ');
const exposedHeaders = [
  'grpc-status',
  'grpc-message',
  'grpc-status-details-bin',
  'retry-after',
  'content-range',
  'content-length',
  'accept-ranges',
  'etag',
  'content-disposition',
  'x-parameters-left-out',
  'sightglass-bytes-left-out',
  'sightglass-bytes-damaged',
  'sightglass-stored',
].join(', ');
const keptSeconds = 7200;

/**
 * Lets pages of any origin call: a call is let in by the token that the page must have, never by a cookie. Answers a
 * preflight request and returns true.
 */
export function answerCors(request: Request, response: Response): boolean {
  response.setHeader('vary', 'origin'); // what a page kept without CORS must not answer one that asks with it
  if (request.headers.origin === undefined) return false;
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', exposedHeaders);
  response.setHeader('cross-origin-resource-policy', 'cross-origin');
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  (response as ServerResponse).writeHead(204, {
    'access-control-allow-methods': 'GET, HEAD, POST',
    'access-control-allow-headers': allowedHeaders,
    'access-control-max-age': String(keptSeconds),
  });
  (response as ServerResponse).end();
  return true;
}
