interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId: string; readonly targetInfo: { readonly type: string } };
  readonly result?: never;
  readonly error?: { readonly message: string };
}

/** A page's debugging protocol, over which its workers and theirs are reached too, each as a session; undefined = the page. */
export interface DebuggingProtocol {
  /** @throws what the browser says, and when it says nothing for 30 s */
  send<T>(session: string | undefined, method: string, params?: object): Promise<T>;
  onAttached(listener: (session: string, type: string) => Promise<void>): void;
  onDetached(listener: (session: string) => void): void;
}

const answersWithinMs = 30_000;

/** Opens it at the address that the browser gives the page; it closes with the browser. */
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
