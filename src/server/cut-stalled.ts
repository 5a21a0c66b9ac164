import { cut, type Request, type Response } from './exchange.ts';
import type { ServerLimits } from './server-limits.ts';

/**
 * Cuts an exchange off whose client holds it up: it owes us its request or will not take our answer. A client that
 * waits for the service is left alone, however long that takes.
 */
export function cutStalled(
  request: Request,
  response: Response,
  { stallTimeoutMs, minBytesPerSecond }: Pick<ServerLimits, 'stallTimeoutMs' | 'minBytesPerSecond'>,
  onCut: () => void,
): void {
  const { socket } = request;
  const leastBytes = Math.max(1, (minBytesPerSecond * stallTimeoutMs) / 1000);
  let movedBefore = 0;
  const look = (): void => {
    const moved = socket.bytesRead + socket.bytesWritten;
    const stalled = isWaitingForClient(request, response) && moved - movedBefore < leastBytes;
    movedBefore = moved;
    if (!stalled) return;
    onCut();
    cut(request, response);
  };
  movedBefore = socket.bytesRead + socket.bytesWritten;
  const timer = setInterval(look, stallTimeoutMs);
  response.once('close', () => clearInterval(timer));
}

/** The service has read all there is of an unfinished request, or the answer piles up here. */
const isWaitingForClient = (request: Request, response: Response): boolean =>
  (!request.readableEnded && !request.complete && request.readableLength === 0 && !response.writableEnded) ||
  waitingBytes(response) > 0;

const waitingBytes = (response: Response): number =>
  'stream' in response && 'writableLength' in response.stream
    ? response.stream.writableLength
    : (response as { writableLength: number }).writableLength;
