import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { durationFromMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createContextValues, type Transport } from '@connectrpc/connect';
import { createClientMethodSerializers, runUnaryCall } from '@connectrpc/connect/protocol';
import {
  RequestSchema,
  ResponseSchema,
  type Metadata,
  type Response,
} from '../../../gen/proto/rpc/webrtc/v1/grpc_pb.ts';
import { unlessAborted } from '../../../base/schedule/unless-aborted.ts';
import { MessageJoiner, partsOf } from './message-parts.ts';

/** A message channel that delivers whole frames, in order, in both directions. */
export interface FrameChannel {
  /** Resolves when there is room for another frame. Rejects when the channel is closed. */
  send(frame: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Registers the one reader. Calls `onClose` immediately if the channel is closed already. */
  listen(onFrame: (frame: Uint8Array) => void, onClose: (why: string) => void): void;
  /** Closes the connection on both sides. */
  close(why: string): void;
}

interface Answer {
  readonly header: Headers;
  readonly trailer: Headers;
  readonly message: Uint8Array;
}

/** A call that waits for its answer. */
interface Waiting {
  header: Headers | null;
  message: Uint8Array | null;
  readonly joiner: MessageJoiner;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: ConnectError) => void;
}

/**
 * Unary gRPC calls over one data channel, in the frames of machines (`proto.rpc.webrtc.v1`); no streaming call is needed here.
 * An answer that violates the protocol fails only its call; bytes that are not a frame close the channel.
 */
export function channelTransport(channel: FrameChannel): Pick<Transport, 'unary'> {
  const waiting = new Map<bigint, Waiting>();
  let lastId = -1n;
  let closed: string | null = null;

  const send = (id: bigint, type: MessageInitShape<typeof RequestSchema>['type'] & object): Promise<void> =>
    channel.send(toBinary(RequestSchema, create(RequestSchema, { stream: { id }, type })) as Uint8Array<ArrayBuffer>);

  /** Fails a call and tells the machine to cancel it. */
  function drop(id: bigint, error: ConnectError): void {
    const call = waiting.get(id);
    if (!call) return;
    waiting.delete(id);
    send(id, { case: 'rstStream', value: true }).catch(() => undefined); // closed: there is nothing to end
    call.reject(error);
  }

  function receive({ stream, type }: Response): void {
    const id = stream?.id ?? 0n;
    const call = waiting.get(id);
    if (!call) return; // the call was dropped
    if (type.case === 'headers' && !call.header) {
      call.header = headersOf(type.value.metadata);
    } else if (type.case === 'message' && call.header && !call.message && type.value.packetMessage) {
      try {
        call.message = call.joiner.add(type.value.packetMessage);
      } catch (error) {
        drop(id, new ConnectError((error as RangeError).message, Code.OutOfRange));
      }
    } else if (type.case === 'trailers') {
      waiting.delete(id);
      const { code = 0, message = '' } = type.value.status ?? {};
      const trailer = headersOf(type.value.metadata);
      if (code !== 0) call.reject(new ConnectError(message, code, trailer));
      else if (call.message) call.resolve({ header: call.header!, trailer, message: call.message });
      else call.reject(new ConnectError('the call ended without an answer', Code.Unavailable));
    } else {
      drop(id, new ConnectError('the answer breaks the protocol of machines over WebRTC', Code.Internal));
    }
  }

  channel.listen(
    (frame) => {
      let response: Response;
      try {
        response = fromBinary(ResponseSchema, frame);
      } catch {
        return channel.close('the other side sent bytes that are not a frame');
      }
      receive(response);
    },
    (why) => {
      closed = why;
      const calls = [...waiting.values()];
      waiting.clear();
      for (const { reject } of calls) reject(lost(why));
    },
  );

  function exchange(
    method: string,
    header: Headers,
    message: Uint8Array,
    timeoutMs: number | undefined,
    signal: AbortSignal,
  ): Promise<Answer> {
    if (closed !== null) return Promise.reject(lost(closed));
    const id = ++lastId;
    const answer = new Promise<Answer>((resolve, reject) => {
      waiting.set(id, { header: null, message: null, joiner: new MessageJoiner(), resolve, reject });
    });
    const ask = async (): Promise<void> => {
      const timeout = timeoutMs === undefined ? {} : { timeout: durationFromMs(timeoutMs) };
      await send(id, { case: 'headers', value: { method, metadata: metadataOf(header), ...timeout } });
      for (const packetMessage of partsOf(message)) {
        if (!waiting.has(id)) return;
        await send(id, { case: 'message', value: { hasMessage: true, packetMessage, eos: packetMessage.eom } });
      }
    };
    ask().catch((error: unknown) => drop(id, ConnectError.from(error, Code.Unavailable)));
    return unlessAborted(answer, signal).catch((error: unknown) => {
      const failure = ConnectError.from(error);
      drop(id, failure);
      throw failure;
    });
  }

  return {
    unary(method, signal, timeoutMs, header, message, contextValues = createContextValues()) {
      const { serialize, parse } = createClientMethodSerializers(method, true);
      const { parent: service, name } = method;
      return runUnaryCall<typeof method.input, typeof method.output>({
        req: {
          stream: false,
          service,
          method,
          requestMethod: 'POST',
          url: `/${service.typeName}/${name}`,
          header: new Headers(header),
          contextValues,
          message,
        },
        ...(signal && { signal }),
        ...(timeoutMs !== undefined && { timeoutMs }),
        next: async (request) => {
          const bytes = serialize(request.message);
          const answer = await exchange(request.url, request.header, bytes, timeoutMs, request.signal);
          return { stream: false, service, method, ...answer, message: parse(answer.message) };
        },
      });
    },
  };
}

const lost = (why: string): ConnectError => new ConnectError(why, Code.Unavailable);

const metadataOf = (headers: Headers): { md: Record<string, { values: string[] }> } => ({
  md: Object.fromEntries([...headers].map(([name, value]) => [name, { values: [value] }])),
});

function headersOf(metadata: Metadata | undefined): Headers {
  const headers = new Headers();
  for (const [name, { values }] of Object.entries(metadata?.md ?? {})) {
    // Leaves out names and values that HTTP headers cannot have: `append` would throw.
    for (const value of values)
      if (/^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value)) headers.append(name, value);
  }
  return headers;
}
