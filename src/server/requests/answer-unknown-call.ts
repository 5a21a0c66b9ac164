import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pathOf, type Request, type Response } from '../http/exchange.ts';

const callPath = /^\/((?:[A-Za-z_]\w*\.)+[A-Za-z_]\w*)\/([A-Za-z_]\w*)$/;
// UNIMPLEMENTED (gRPC's status codes); what HTTP's 404 means to clients of Connect
const grpcUnimplemented = '12';
const connectStatus = 404;

/** Whether a request has the form of a call: `POST /<package>.<Service>/<Method>`. */
export const isCall = (request: Request): boolean => request.method === 'POST' && callPath.test(pathOf(request));

/** Tells the client of a service or a method that is not here, in its own protocol: an SDK knows more than this service. */
export function answerUnknownCall(request: Request, response: Response): void {
  const [, service, method] = callPath.exec(pathOf(request))!;
  const message = `${service}/${method} is not served here: this is a data service, which manages no machines, users or billing.`;
  const contentType = request.headers['content-type'] ?? '';
  if (contentType.startsWith('application/grpc')) {
    const headers = {
      'content-type': contentType,
      'grpc-status': grpcUnimplemented,
      'grpc-message': encodeURIComponent(message),
    };
    return answerTrailersOnly(response, headers);
  }
  (response as ServerResponse).writeHead(connectStatus, { 'content-type': 'application/json' });
  (response as ServerResponse).end(JSON.stringify({ code: 'unimplemented', message }));
}

/**
 * Without a message the status stands in the headers, also in gRPC-Web, and over HTTP/2 they end the stream by themselves:
 * with an empty frame of data after them, strict clients take them for headers whose trailers are missing.
 */
function answerTrailersOnly(response: Response, headers: OutgoingHttpHeaders): void {
  if ('stream' in response) {
    if (!response.stream.destroyed) {
      response.stream.respond({ ':status': 200, ...response.getHeaders(), ...headers }, { endStream: true });
    }
    return;
  }
  (response as ServerResponse).writeHead(200, headers);
  (response as ServerResponse).end();
}
