import type { DescMessage, Message } from '@bufbuild/protobuf';
import { TimestampSchema, type Timestamp } from '@bufbuild/protobuf/wkt';
import type { Interceptor } from '@connectrpc/connect';
import { invalidArgument } from './invalid-argument.ts';
import { messagesWithin, wayTo } from './messages-within.ts';
import { timestampFault } from './timestamps.ts';

/** Refuses every request that contains an invalid timestamp at any depth. */
export const checkTimestamps: Interceptor = (next) => (request) => {
  const { input } = request.method;
  if (wayTo(input, TimestampSchema).length === 0) return next(request);
  if (request.stream) return next({ ...request, message: checked(input, request.message) });
  check(input, request.message);
  return next(request);
};

async function* checked<Content extends Message>(
  type: DescMessage,
  messages: AsyncIterable<Content>,
): AsyncGenerator<Content, void> {
  for await (const message of messages) {
    check(type, message);
    yield message;
  }
}

/** @throws ConnectError InvalidArgument naming the field */
function check(type: DescMessage, message: Message): void {
  for (const [path, timestamp] of messagesWithin(type, message, TimestampSchema)) {
    const fault = timestampFault(timestamp as Timestamp);
    if (fault !== null) throw invalidArgument(`${path} ${fault}`);
  }
}
