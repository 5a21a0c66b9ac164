import type { ServerResponse } from 'node:http';
import { pathOf, type Request, type Response } from './exchange.ts';

const callPath = /^\/((?:[A-Za-z_]\w*\.)+[A-Za-z_]\w*)\/([A-Za-z_]\w*)$/;
// UNIMPLEMENTED (gRPC's status codes); what HTTP's 404 means to clients of Connect
const grpcUnimplemented = '12';
const connectStatus = 404;

/** Whether a request has the form of a call: `POST /<package>.<Service>/<Method>`. */
export const isCall = (request: Request): boolean => request.method === 'POST' && callPath.test(pathOf(request));

/** Tells the client of a service or a method that is not here, in its own protocol: an SDK knows more than this service. */
export function answerUnknownCall(request: Request, response: Response): void {
  const [, service, method] = callPath.exec(pathOf(request))!;
  const message = `${service}/${method} is not served here: this is a data service, without machines, users or billing.`;
  const contentType = request.headers['content-type'] ?? '';
  const answer = response as ServerResponse;
  if (contentType.startsWith('application/grpc')) {
    // without a message the status stands in the headers, also in gRPC-Web
    answer.writeHead(200, {
      'content-type': contentType,
      'grpc-status': grpcUnimplemented,
      'grpc-message': encodeURIComponent(message),
    });
    answer.end();
    return;
  }
  answer.writeHead(connectStatus, { 'content-type': 'application/json' });
  answer.end(JSON.stringify({ code: 'unimplemented', message }));
}
