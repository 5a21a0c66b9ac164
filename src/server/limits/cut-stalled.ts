import { cut, owesRequest, waitingBytes, type Request, type Response } from '../http/exchange.ts';
import type { ServerLimits } from './server-limits.ts';

/**
 * Cuts an exchange off whose client holds it up: it owes us its request or will not take our answer. A client that
 * waits for the service is left alone, however long that takes. Other exchanges on the same HTTP/2 connection neither
 * keep a silent one alive nor end with it.
 * @param answerBytesPerSecond how fast the answer is to be taken, however steadily it is; null: any progress will do
 */
export function cutStalled(
  request: Request,
  response: Response,
  {
    stallTimeoutMs,
    minBytesPerSecond,
    maxStreamsPerConnection,
  }: Pick<ServerLimits, 'stallTimeoutMs' | 'minBytesPerSecond' | 'maxStreamsPerConnection'>,
  onCut: () => void,
  answerBytesPerSecond: number | null = null,
): void {
  const leastBytes = Math.max(1, (minBytesPerSecond * stallTimeoutMs) / 1000);
  const leastAnswerBytes = answerBytesPerSecond === null ? null : (answerBytesPerSecond * stallTimeoutMs) / 1000;
  const isRead = readWatch(request, leastBytes);
  const isTaken = answerWatch(request, response, leastBytes, maxStreamsPerConnection, leastAnswerBytes);
  const check = (): void => {
    const [read, taken] = [isRead(), isTaken()];
    // in HTTP/1.1 the rest of a request still comes after its answer
    const stalled = (owesRequest(request) && !read && !('stream' in request && response.writableEnded)) || !taken;
    if (!stalled) return;
    onCut();
    cut(request, response);
  };
  const timer = setInterval(check, stallTimeoutMs);
  const end = (): void => clearInterval(timer);
  response.once('close', () => {
    if (request.complete || 'stream' in request) end();
    else request.once('close', end);
  });
}

/** Returns whether enough of the request came in since it was asked last. */
function readWatch(request: Request, leastBytes: number): () => boolean {
  let bytes = 0;
  if ('stream' in request) {
    // Node counts what a connection carries, not its streams; all that comes for a stream is pushed here.
    const push = request.push.bind(request);
    request.push = (chunk: Uint8Array | null, encoding) => {
      bytes += chunk?.length ?? 0;
      return push(chunk, encoding);
    };
  }
  const { socket } = request;
  let before = 'stream' in request ? 0 : socket.bytesRead;
  return () => {
    const total = 'stream' in request ? bytes : socket.bytesRead;
    const moved = total - before;
    before = total;
    return moved >= leastBytes;
  };
}

/** Returns whether the client took of the answer that waits for it since it was asked last; true if none waits. */
function answerWatch(
  request: Request,
  response: Response,
  leastBytes: number,
  maxStreams: number,
  leastAnswerBytes: number | null,
): () => boolean {
  const { socket } = request;
  let [waitingBefore, drains, sentBefore] = [0, 0, socket.bytesWritten];
  response.on('drain', () => drains++);
  return () => {
    const waiting = waitingBytes(response);
    const moved = socket.bytesWritten - sentBefore;
    const progressed = waiting < waitingBefore || drains > 0;
    drains = 0;
    waitingBefore = waiting;
    if (waiting === 0 || progressed || leastAnswerBytes !== null) {
      sentBefore = socket.bytesWritten;
      return waiting === 0 || leastAnswerBytes === null || moved >= leastAnswerBytes;
    }
    if (moved < leastBytes) return false;
    if (!('stream' in request)) {
      sentBefore = socket.bytesWritten;
      return true;
    }
    // A large message shows no progress before it is whole. Streams take turns on their connection, so one that is taken
    // has ended before the connection carried as much for every other.
    return moved < waiting * maxStreams;
  };
}
