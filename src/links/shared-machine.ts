import { LinkError, type LinkErrorCode } from '../live-machine/link-error.ts';
import type { ModelHost } from '../live-machine/live-machine.ts';
import type { Tensor } from '../vision/tensor.ts';

// A connection by WebRTC is the page's alone, and models run in a worker of a worker: it asks the page over a channel whose name only
// this page and its workers know. Tensors are copied into it; the key never is.

type Operation = 'health' | 'modelMetadata' | 'infer';
type Asked = { readonly id: string; readonly operation: Operation; readonly given: readonly unknown[] };
type Message =
  | Asked
  | { readonly left: string }
  | { readonly id: string; readonly result: unknown }
  | { readonly id: string; readonly fault: { code: LinkErrorCode; message: string; cure: string } }
  | 'closed';

type Tensors = Readonly<Record<string, Tensor>>;

/** The same tensors, each in memory of its own: a view would be sent with all that it is a view of, and shared memory cannot be sent. */
const owned = (tensors: Tensors): Tensors =>
  Object.fromEntries(
    Object.entries(tensors).map(([name, tensor]) => {
      const { buffer, byteLength } = tensor.data;
      const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
      return [name, isOwn ? tensor : ({ ...tensor, data: tensor.data.slice() } as Tensor)];
    }),
  );

/** Lets workers of this page ask a machine. @returns the end of that: whoever waits is told so */
export function shareMachine(machine: ModelHost, name: string): () => void {
  const channel = new BroadcastChannel(name);
  const running = new Map<string, AbortController>();
  let isOpen = true;
  const post = (message: Message): void => {
    if (isOpen) channel.postMessage(message);
  };

  async function answer({ id, operation, given }: Asked): Promise<void> {
    const leave = new AbortController();
    running.set(id, leave);
    try {
      const call = machine[operation] as (...all: unknown[]) => Promise<unknown>;
      const result = await call(...given, leave.signal);
      post({ id, result: operation === 'infer' ? owned(result as Tensors) : result });
    } catch (error) {
      const { code, message, cure } =
        error instanceof LinkError ? error : new LinkError('failed', String(error), 'Choose the model again.');
      post({ id, fault: { code, message, cure } });
    } finally {
      running.delete(id);
    }
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data === 'closed') return;
    if ('operation' in data) void answer(data);
    else if ('left' in data) running.get(data.left)?.abort();
  };
  return () => {
    post('closed');
    isOpen = false;
    channel.close();
    for (const leave of running.values()) leave.abort();
  };
}

/** A machine that the page shares under a name. */
export function sharedMachine(name: string): ModelHost {
  const channel = new BroadcastChannel(name);
  const waiting = new Map<string, { resolve(result: unknown): void; reject(error: LinkError): void }>();
  // More than one worker may ask.
  const own = crypto.getRandomValues(new Uint32Array(2)).join('-');
  let asked = 0;
  let isOpen = true;
  const left = (): LinkError =>
    new LinkError('no-answer', 'The page left the machine.', 'Connect to it again, and choose its model.');

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    channel.close();
    for (const { reject } of waiting.values()) reject(left());
    waiting.clear();
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data === 'closed') return close();
    if (!('result' in data || 'fault' in data)) return;
    const call = waiting.get(data.id);
    waiting.delete(data.id);
    if ('result' in data) call?.resolve(data.result);
    else call?.reject(new LinkError(data.fault.code, data.fault.message, data.fault.cure));
  };

  function ask<T>(operation: Operation, given: readonly unknown[], signal: AbortSignal): Promise<T> {
    if (!isOpen || signal.aborted) return Promise.reject(left());
    const id = `${own}-${++asked}`;
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        if (!waiting.delete(id)) return;
        channel.postMessage({ left: id } satisfies Message);
        reject(left());
      };
      signal.addEventListener('abort', leave, { once: true });
      const end = (): void => signal.removeEventListener('abort', leave);
      waiting.set(id, {
        resolve: (result) => (end(), resolve(result as T)),
        reject: (error) => (end(), reject(error)),
      });
      channel.postMessage({ id, operation, given } satisfies Message);
    });
  }

  return {
    health: (signal) => ask('health', [], signal),
    modelMetadata: (modelName, signal) => ask('modelMetadata', [modelName], signal),
    infer: (modelName, tensors, signal) => ask('infer', [modelName, owned(tensors)], signal),
    close,
  };
}
