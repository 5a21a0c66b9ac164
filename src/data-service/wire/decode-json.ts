import { Code, ConnectError } from '@connectrpc/connect';
import { countJsonParts, requireFewParts } from './message-parts.ts';

const mebibyte = 2 ** 20;
/**
 * Reading a text takes several times its bytes of memory, and the garbage collector may leave a few such texts
 * uncollected.
 */
export const maxJsonBytes = 16 * mebibyte;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the bytes of messages in JSON as text, where Connect lets its host do so. */
export const jsonDecoder = {
  /** @throws ConnectError ResourceExhausted for more than `maxJsonBytes` or `maxMessageParts`, InvalidArgument for what is no UTF-8 */
  decode(bytes: Uint8Array): string {
    if (bytes.length > maxJsonBytes) {
      const size = (bytes.length / mebibyte).toFixed(1);
      throw new ConnectError(
        `A message in JSON may have ${maxJsonBytes / mebibyte} MiB; this one has ${size} MiB. Send it as application/proto, or in parts.`,
        Code.ResourceExhausted,
      );
    }
    requireFewParts(countJsonParts(bytes));
    try {
      return utf8.decode(bytes);
    } catch {
      throw new ConnectError('The message in JSON is not UTF-8 text; encode it so.', Code.InvalidArgument);
    }
  },
};
