import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';

const binaryPrefix = 'parse binary: ';
const unknownCompression = 'received compressed envelope, but do not know how to decompress';
const jsonPrefix = 'cannot decode ';
const maxDetailLength = 500;

/**
 * Makes a call with an unreadable message fail as the client's mistake, in every protocol: Connect reports invalid
 * protobuf as an error of the service. Call it before the message is read; Connect aborts the call with the error
 * that it then sends.
 */
export function blameUnreadable({ signal, method }: Pick<HandlerContext, 'signal' | 'method'>): void {
  signal.addEventListener(
    'abort',
    () => {
      const reason: unknown = signal.reason;
      if (!(reason instanceof ConnectError)) return;
      const told = unreadable(reason, method.input.typeName);
      if (told === null) return;
      const { code, rawMessage, message, stack } = told;
      // the cause of a syntax error holds the whole text, for as long as the connection remembers its last call
      Object.assign(reason, { code, rawMessage, message, stack, cause: undefined });
    },
    { once: true },
  );
}

/** null: it is another error */
function unreadable({ code, rawMessage }: ConnectError, typeName: string): ConnectError | null {
  if (code === Code.Internal && rawMessage.startsWith(binaryPrefix))
    return unreadableAs('protobuf', typeName, rawMessage.slice(binaryPrefix.length));
  if (code === Code.Internal && rawMessage === unknownCompression)
    return new ConnectError(
      'A message is flagged as compressed, and no header says how: name gzip or br in grpc-encoding or connect-content-encoding, or send it plain.',
      Code.InvalidArgument,
    );
  if (code === Code.InvalidArgument && rawMessage.startsWith(jsonPrefix))
    return unreadableAs('JSON', typeName, rawMessage);
  return null;
}

function unreadableAs(format: string, typeName: string, detail: string): ConnectError {
  const cause = detail.length > maxDetailLength ? copyOf(`${detail.slice(0, maxDetailLength)}…`) : detail;
  return new ConnectError(
    `The message is not a ${typeName} in ${format}: ${cause}. Encode it as the service's .proto says.`,
    Code.InvalidArgument,
  );
}

/** A copy of a part of a text, which does not keep the whole text in memory. */
const copyOf = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text));
