import { transferHandlers, type TransferHandler } from 'comlink';

/** What both ends of the worker boundary agree on beyond comlink's own rules. Call it on both ends before any message. */
export function installComlinkHandlers(): void {
  keepErrorFields();
  transferHandlers.set('abort-signal', abortSignals);
}

interface SerializedThrow {
  isError: boolean;
  value: { message?: string } & Record<string, unknown>;
}

/** comlink carries name, message and stack only: callers act on `code`, and people on `cure`. */
function keepErrorFields(): void {
  const original = transferHandlers.get('throw') as TransferHandler<{ value: unknown }, SerializedThrow>;
  transferHandlers.set('throw', {
    ...original,
    serialize(thrown: { value: unknown }): [SerializedThrow, Transferable[]] {
      const [serialized, transferables] = original.serialize(thrown);
      const { code, cure } = thrown.value as { code?: unknown; cure?: unknown };
      if (serialized.isError && typeof code === 'string') serialized.value['code'] = code;
      if (serialized.isError && typeof cure === 'string') serialized.value['cure'] = cure;
      return [serialized, transferables];
    },
  } as TransferHandler<unknown, unknown>);
}

/** An abort on one side aborts a signal on the other. */
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
