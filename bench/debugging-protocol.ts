interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId: string; readonly targetInfo: { readonly type: string } };
  readonly result?: never;
  readonly error?: { readonly message: string };
}

/** The debugging protocol of a page. Its workers and their workers are reached as sessions; undefined = the page itself. */
export interface DebuggingProtocol {
  /** @throws the browser's error, or an error after 30 s without an answer */
  send<T>(session: string | undefined, method: string, params?: object): Promise<T>;
  onAttached(listener: (session: string, type: string) => Promise<void>): void;
  onDetached(listener: (session: string) => void): void;
}

const answersWithinMs = 30_000;

/** Connects to the page's debugging address. The connection closes with the browser. */
export async function openProtocol(url: string): Promise<DebuggingProtocol> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error(`The debugging protocol does not answer at ${url}.`));
  });
  const waiting = new Map<number, (answer: Message) => void>();
  let onAttached: (session: string, type: string) => Promise<void> = async () => undefined;
  let onDetached: (session: string) => void = () => undefined;
  let failure: Error | null = null;
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data as string) as Message;
    const { id = 0, method, params } = message;
    waiting.get(id)?.(message);
    waiting.delete(id);
    if (method === 'Target.detachedFromTarget') onDetached(params!.sessionId);
    if (method === 'Target.attachedToTarget') {
      onAttached(params!.sessionId, params!.targetInfo.type).catch((error: Error) => (failure ??= error));
    }
  };
  let sent = 0;
  return {
    send<T>(session: string | undefined, method: string, params: object = {}): Promise<T> {
      if (failure) return Promise.reject(failure);
      const id = ++sent;
      return new Promise((resolve, reject) => {
        const tooLate = setTimeout(() => {
          waiting.delete(id);
          reject(new Error(`The browser does not answer ${method}${session ? ' in a worker' : ''}.`));
        }, answersWithinMs);
        waiting.set(id, ({ result, error }) => {
          clearTimeout(tooLate);
          if (error) reject(new Error(`${method}: ${error.message}`));
          else resolve(result as T);
        });
        socket.send(JSON.stringify({ id, sessionId: session, method, params }));
      });
    },
    onAttached: (listener) => void (onAttached = listener),
    onDetached: (listener) => void (onDetached = listener),
  };
}
