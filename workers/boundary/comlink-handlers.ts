import {
  expose,
  releaseProxy,
  transferHandlers,
  wrap,
  type ProxyMarked,
  type Remote,
  type TransferHandler,
} from 'comlink';

/**
 * Installs the transfer handlers that both sides of the worker boundary need beyond comlink's own. Call it on both
 * sides before any message.
 */
export function installComlinkHandlers(): void {
  if (transferHandlers.has('lent-function')) return;
  keepErrorFields();
  transferHandlers.set('abort-signal', abortSignals);
  transferHandlers.set('lent-function', lentFunctions);
}

interface SerializedThrow {
  isError: boolean;
  value: { message?: string } & Record<string, unknown>;
}

/**
 * comlink transfers only name, message and stack of an error: callers need `code` and `keptBytes`, and messages to people
 * need `cure`.
 */
function keepErrorFields(): void {
  const original = transferHandlers.get('throw') as TransferHandler<{ value: unknown }, SerializedThrow>;
  transferHandlers.set('throw', {
    ...original,
    serialize(thrown: { value: unknown }): [SerializedThrow, Transferable[]] {
      const [serialized, transferables] = original.serialize(thrown);
      const { code, cure, keptBytes } = thrown.value as { code?: unknown; cure?: unknown; keptBytes?: unknown };
      if (serialized.isError && typeof code === 'string') serialized.value['code'] = code;
      if (serialized.isError && typeof cure === 'string') serialized.value['cure'] = cure;
      if (serialized.isError && typeof keptBytes === 'number') serialized.value['keptBytes'] = keptBytes;
      return [serialized, transferables];
    },
  } as TransferHandler<unknown, unknown>);
}

/** Transfers an AbortSignal: aborting it on one side aborts the signal on the other. */
const abortSignals: TransferHandler<AbortSignal, MessagePort> = {
  canHandle: (value): value is AbortSignal => value instanceof AbortSignal,
  serialize(signal) {
    const { port1, port2 } = new MessageChannel();
    if (signal.aborted) port1.postMessage('abort');
    else signal.addEventListener('abort', () => port1.postMessage('abort'), { once: true });
    return [port2, [port2]];
  },
  deserialize(port) {
    const controller = new AbortController();
    port.onmessage = () => {
      controller.abort();
      port.close();
    };
    return controller.signal;
  },
};

type Lent = (...given: unknown[]) => unknown;
const borrowed = new WeakSet<object>();

/**
 * A function argument lives as long as its call. A function that must outlive the call is marked with comlink's
 * `proxy`.
 */
const lentFunctions: TransferHandler<Lent, MessagePort> = {
  canHandle: (value): value is Lent => typeof value === 'function',
  serialize(lent) {
    const { port1, port2 } = new MessageChannel();
    expose(lent, port1);
    return [port2, [port2]];
  },
  deserialize(port) {
    port.start();
    const borrowedFunction = wrap<Lent>(port);
    borrowed.add(borrowedFunction);
    return borrowedFunction as unknown as Lent;
  },
};

/** Called after a call has ended: closes the ports of its function arguments. */
export function giveBack(given: readonly unknown[]): void {
  for (const value of given)
    if (typeof value === 'function' && borrowed.has(value)) (value as unknown as Remote<ProxyMarked>)[releaseProxy]();
}
