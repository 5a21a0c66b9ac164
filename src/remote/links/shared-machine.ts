import { LinkError, type LinkErrorCode } from '../live-machine/link-error.ts';
import type { ModelHost } from '../live-machine/live-machine.ts';
import { unlessAborted } from '../../base/schedule/unless-aborted.ts';
import type { Tensor } from '../../machine/vision/face/feeding.ts';

// Only the page can have a WebRTC connection, but models run in a worker of a worker. That worker calls the machine through the page, by a
// BroadcastChannel with a random name. Tensors are copied into messages; the key never is.

type Operation = 'health' | 'modelMetadata' | 'infer';
type Call = { readonly id: string; readonly operation: Operation; readonly args: readonly unknown[] };
type Message =
  | Call
  | { readonly cancel: string }
  | { readonly id: string; readonly result: unknown }
  | { readonly id: string; readonly fault: { code: LinkErrorCode; message: string; cure: string } }
  | 'closed';

type Tensors = Readonly<Record<string, Tensor>>;

/** The tensors in memory of their own: a message would copy the whole buffer of a view, and shared memory cannot be sent. */
const owned = (tensors: Tensors): Tensors =>
  Object.fromEntries(
    Object.entries(tensors).map(([name, tensor]) => {
      const { buffer, byteLength } = tensor.data;
      const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
      return [name, isOwn ? tensor : ({ ...tensor, data: tensor.data.slice() } as Tensor)];
    }),
  );

/** Answers calls that workers make by a channel. @returns ends this; workers' calls then fail */
export function shareMachine(machine: ModelHost, name: string): () => void {
  const channel = new BroadcastChannel(name);
  const running = new Map<string, AbortController>();
  let isOpen = true;
  const post = (message: Message): void => {
    if (isOpen) channel.postMessage(message);
  };

  async function answer({ id, operation, args }: Call): Promise<void> {
    const cancel = new AbortController();
    running.set(id, cancel);
    try {
      const method = machine[operation] as (...all: unknown[]) => Promise<unknown>;
      const result = await method(...args, cancel.signal);
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
    else if ('cancel' in data) running.get(data.cancel)?.abort();
  };
  return () => {
    post('closed');
    isOpen = false;
    channel.close();
    for (const cancel of running.values()) cancel.abort();
  };
}

/** The worker's client of a machine that the page shares by a channel. Its calls fail with `no-answer` once the page left the machine. */
export function sharedMachine(name: string): ModelHost {
  const channel = new BroadcastChannel(name);
  const waiting = new Map<string, { resolve(result: unknown): void; reject(error: LinkError): void }>();
  // Several workers may use the channel.
  const prefix = crypto.getRandomValues(new Uint32Array(2)).join('-');
  let calls = 0;
  let isOpen = true;
  const pageLeft = (): LinkError =>
    new LinkError('no-answer', 'The page left the machine.', 'Connect to it again, and choose its model.');

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    channel.close();
    for (const { reject } of waiting.values()) reject(pageLeft());
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

  function call<T>(operation: Operation, args: readonly unknown[], signal: AbortSignal): Promise<T> {
    if (!isOpen) return Promise.reject(pageLeft());
    const id = `${prefix}-${++calls}`;
    const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }));
    channel.postMessage({ id, operation, args } satisfies Message);
    return unlessAborted(answer as Promise<T>, signal).catch((error: unknown) => {
      if (waiting.delete(id)) channel.postMessage({ cancel: id } satisfies Message);
      throw error instanceof LinkError ? error : pageLeft();
    });
  }

  return {
    health: (signal) => call('health', [], signal),
    modelMetadata: (modelName, signal) => call('modelMetadata', [modelName], signal),
    infer: (modelName, tensors, signal) => call('infer', [modelName, owned(tensors)], signal),
    close,
  };
}
