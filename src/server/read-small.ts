import type { Request } from './exchange.ts';

/**
 * Reads a message that is small in all honesty, before anything is made for it: of what comes slowly, or never ends, only
 * these bytes are held. Stops once there are more than `maxBytes`; empty, or cut short, where the client has left.
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
