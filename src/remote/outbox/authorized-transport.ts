import { Code, ConnectError, type Transport } from '@connectrpc/connect';
import type { Authorize } from './access-tokens.ts';
import { HttpRefusal, NoAnswer } from './read-failure.ts';

/** A connection to a server for clients of its operations: every call carries a token. */
export interface ServerConnection {
  readonly transport: Transport;
  /** Resolves to the value of an `authorization` header; '' where the session of a log-in is enough. Rejects with ConnectError. */
  authorization(signal: AbortSignal): Promise<string>;
}

export interface AuthorizedTransportOptions {
  readonly authorize: Authorize;
  /** the server's name, for messages */
  readonly name: string;
  /** Removes secrets from a message. */
  readonly redact: (message: string) => string;
  /** Called when the server refused the token and then the key as well. */
  readonly onRefused: () => void;
}

/**
 * Adds a token to every call. A refused token is fetched anew once, so the messages of a request are buffered
 * before they are sent, and a streamed answer starts with its first message. Failures are ConnectErrors that name
 * the server.
 */
export function authorizedTransport(inner: Transport, options: AuthorizedTransportOptions): ServerConnection {
  const { authorize, onRefused } = options;

  async function call<T>(signal: AbortSignal | undefined, make: (authorization: string) => Promise<T>): Promise<T> {
    try {
      return await authorize(signal ?? new AbortController().signal, make);
    } catch (error) {
      const told = serverError(error, options);
      if (told.code === Code.Unauthenticated) onRefused();
      throw told;
    }
  }

  const transport: Transport = {
    unary: (method, signal, timeoutMs, header, ...rest) =>
      call(signal, (token) => inner.unary(method, signal, timeoutMs, withToken(header, token), ...rest)),
    async stream(method, signal, timeoutMs, header, input, contextValues) {
      const messages: (typeof input extends AsyncIterable<infer Message> ? Message : never)[] = [];
      for await (const message of input) messages.push(message);
      return call(signal, async (token) => {
        const withHeader = withToken(header, token);
        const response = await inner.stream(method, signal, timeoutMs, withHeader, iterate(messages), contextValues);
        const answers = response.message[Symbol.asyncIterator]();
        const first = await answers.next(); // a refusal comes here
        return { ...response, message: told(first, answers) };
      });
    },
  };

  async function* told<T>(first: IteratorResult<T>, answers: AsyncIterator<T>): AsyncGenerator<T> {
    try {
      for (let answer = first; !answer.done; answer = await answers.next()) yield answer.value;
    } catch (error) {
      throw serverError(error, options);
    } finally {
      await answers.return?.();
    }
  }

  return { transport, authorization: (signal) => call(signal, async (token) => token) };
}

async function* iterate<T>(messages: readonly T[]): AsyncGenerator<T> {
  yield* messages;
}

function withToken(header: ConstructorParameters<typeof Headers>[0], authorization: string): Headers {
  const headers = new Headers(header);
  if (authorization !== '') headers.set('authorization', authorization);
  return headers;
}

const codeOfStatus: Readonly<Record<number, Code>> = {
  401: Code.Unauthenticated,
  403: Code.PermissionDenied,
  404: Code.Unimplemented,
  405: Code.Unimplemented,
  413: Code.ResourceExhausted,
  429: Code.ResourceExhausted,
  502: Code.Unavailable,
  503: Code.Unavailable,
  504: Code.Unavailable,
};

/**
 * The message for a person: the server's own words, or which server did not answer or answered with something else.
 */
function serverError(error: unknown, { name, redact }: AuthorizedTransportOptions): ConnectError {
  const known = ConnectError.from(error);
  const cause = known.cause ?? error;
  const told = (message: string, code: Code): ConnectError =>
    new ConnectError(message, code, undefined, undefined, cause);
  if (known.code === Code.Canceled) return known;
  if (cause instanceof NoAnswer) return told(`${name} did not answer: ${redact(cause.message)}`, Code.Unavailable);
  if (cause instanceof HttpRefusal) {
    const code = codeOfStatus[cause.status] ?? Code.Unknown;
    const why = code === Code.Unimplemented ? ' There is no data service at this address.' : '';
    return told(`${name} refused: ${cause.message}${why}`, code);
  }
  return new ConnectError(redact(known.rawMessage), known.code, known.metadata, undefined, cause);
}
