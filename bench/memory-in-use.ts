import { debuggingPort } from './bench-browser.ts';

export interface MemoryInUse {
  readonly heapBytes: number;
  /** array buffers; V8 does not count WebAssembly memory here */
  readonly bufferBytes: number;
  /** of the thread that has most: threads of one module share theirs */
  readonly wasmBytes: number;
}

interface Answer {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: { readonly sessionId: string; readonly targetInfo: { readonly type: string } };
  readonly result?: Record<string, never>;
  readonly error?: { readonly message: string };
}
interface HeapUsage {
  readonly usedSize: number;
  readonly embedderHeapUsedSize?: number;
  readonly backingStorageSize?: number;
}

/**
 * JavaScript heap, array buffers and WebAssembly memory of a page and its workers after a garbage collection. Each thread answers for
 * itself over the debugging protocol.
 */
export async function memoryInUse(pageUrl: string): Promise<MemoryInUse> {
  const targets = (await (await fetch(`http://127.0.0.1:${debuggingPort}/json/list`)).json()) as {
    url: string;
    type: string;
    webSocketDebuggerUrl: string;
  }[];
  const page = targets.find(({ url, type }) => pathOf(url) === pathOf(pageUrl) && type === 'page');
  if (!page) throw new Error(`No page ${pageUrl} to look into.`);
  const socket = new WebSocket(page.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('The debugging protocol does not answer.'));
  });
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  const sessions: (string | undefined)[] = [undefined];
  let sent = 0;
  const send = <T>(sessionId: string | undefined, method: string, params = {}): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting.set(++sent, { resolve, reject });
      socket.send(JSON.stringify({ id: sent, sessionId, method, params }));
    });
  const attach = (sessionId: string | undefined) =>
    send(sessionId, 'Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
  const attaching: Promise<unknown>[] = [];
  socket.onmessage = ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(data as string) as Answer;
    if (method === 'Target.attachedToTarget' && params?.targetInfo.type === 'worker') {
      sessions.push(params.sessionId);
      attaching.push(attach(params.sessionId));
    }
    const call = waiting.get(id ?? 0);
    if (error) call?.reject(new Error(error.message));
    else call?.resolve(result as never);
  };
  await attach(undefined);
  for (let known = -1; known < attaching.length;) {
    known = attaching.length;
    await Promise.all(attaching);
  }

  let heapBytes = 0;
  let bufferBytes = 0;
  let wasmBytes = 0;
  for (const session of sessions) {
    await send(session, 'HeapProfiler.collectGarbage');
    const usage = await send<HeapUsage>(session, 'Runtime.getHeapUsage');
    heapBytes += usage.usedSize + (usage.embedderHeapUsedSize ?? 0);
    bufferBytes += usage.backingStorageSize ?? 0;
    wasmBytes = Math.max(wasmBytes, await wasmBytesOf((method, params) => send(session, method, params)));
  }
  socket.close();
  return { heapBytes, bufferBytes, wasmBytes };
}

/** The app writes its state behind the path. */
const pathOf = (url: string): string => url.split(/[?#]/, 1)[0]!;

interface Remote<T> {
  readonly result: T;
}
interface RemoteObject {
  readonly objectId: string;
}

/** Asks a thread for all of its WebAssembly memories, wherever they are held. */
async function wasmBytesOf(send: <T>(method: string, params: object) => Promise<T>): Promise<number> {
  const { result: prototype } = await send<Remote<RemoteObject>>('Runtime.evaluate', {
    expression: 'WebAssembly.Memory.prototype',
  });
  const { objects } = await send<{ readonly objects: RemoteObject }>('Runtime.queryObjects', {
    prototypeObjectId: prototype.objectId,
  });
  const { result } = await send<Remote<{ readonly value: number }>>('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: 'function () { return this.reduce((sum, { buffer }) => sum + buffer.byteLength, 0); }',
    returnByValue: true,
  });
  await send('Runtime.releaseObject', { objectId: objects.objectId }); // it would hold them
  return result.value;
}
