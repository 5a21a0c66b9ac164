import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import {
  SignalingService,
  type CallRequestSchema,
  type CallResponse,
  type CallUpdateRequestSchema,
  type WebRTCConfig,
} from '../../../gen/proto/rpc/webrtc/v1/signaling_pb.ts';
import type { Authorize } from '../../outbox/access-tokens.ts';

export interface SignallingOptions {
  readonly transport: Transport;
  /** null: the service asks for no key */
  readonly authorize: Authorize | null;
  /** name of the machine that is called */
  readonly host: string;
}

/** An update for the machine: an ICE candidate, or that there are no more. */
export type CallUpdate = NonNullable<MessageInitShape<typeof CallUpdateRequestSchema>['update']>;

/** A client of the signalling service, for one attempt to connect to one machine. All calls end when the signal aborts. */
export interface Signalling {
  /** ICE servers and whether candidates are trickled; undefined: the service has no configuration */
  config(): Promise<WebRTCConfig | undefined>;
  /** Sends the offer. Calls `onResponse` with the machine's answer and each of its candidates, and resolves when there are no more. */
  call(
    offer: MessageInitShape<typeof CallRequestSchema>,
    onResponse: (response: CallResponse) => Promise<void>,
  ): Promise<void>;
  update(uuid: string, update: CallUpdate): Promise<unknown>;
}

/** @throws nothing; its calls reject with ConnectError */
export function openSignalling({ transport, authorize, host }: SignallingOptions, signal: AbortSignal): Signalling {
  const client = createClient(SignalingService, transport);
  type Options = { readonly headers: Record<string, string>; readonly signal: AbortSignal };
  function authorized<T>(call: (options: Options) => Promise<T>): Promise<T> {
    const headers = { 'rpc-host': host };
    if (!authorize) return call({ headers, signal });
    return authorize(signal, (authorization) => call({ headers: { ...headers, authorization }, signal }));
  }

  return {
    async config() {
      try {
        return (await authorized((options) => client.optionalWebRTCConfig({}, options))).config;
      } catch (error) {
        if (ConnectError.from(error).code === Code.Unimplemented) return undefined;
        throw error;
      }
    },
    call: (offer, onResponse) =>
      authorized(async (options) => {
        for await (const response of client.call(offer, options)) await onResponse(response);
      }),
    update: (uuid, update) => authorized((options) => client.callUpdate({ uuid, update }, options)),
  };
}
