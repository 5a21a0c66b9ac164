import type { Request } from './exchange.ts';

/**
 * Reads a message before a call is begun for it, so that a client that sends slowly, or never ends, costs only the bytes
 * that it sent. Stops once there are more than `maxBytes`. The result is cut short, or empty, if the client has left.
 */
export function readSmall(request: Request, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const end = (): void => {
      request.off('data', take).off('end', end).off('close', end);
      resolve(Buffer.concat(chunks));
    };
    const take = (chunk: Uint8Array): void => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= maxBytes) return;
      request.pause();
      end();
    };
    request.on('data', take).on('end', end).on('close', end);
  });
}
