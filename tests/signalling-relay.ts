import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, type ConnectRouter, type Transport } from '@connectrpc/connect';
import { SignalingService, type ICEServerSchema } from '../src/gen/proto/rpc/webrtc/v1/signaling_pb.ts';

export interface RelayedSignalling {
  /** the machine's name in the account */
  readonly host: string;
  /** what its callers have to show */
  readonly token: string;
  /** by which the machine knows itself */
  readonly ownHost: string;
  /** STUN and TURN servers that the service names; default: none */
  readonly iceServers?: readonly MessageInitShape<typeof ICEServerSchema>[];
}

/**
 * The signalling of an account service for one machine, which signals for itself.
 *
 * @param inside to the machine
 */
export function signallingRoutes(
  { host, token, ownHost, iceServers = [] }: RelayedSignalling,
  inside: Transport,
): (router: ConnectRouter) => void {
  const client = createClient(SignalingService, inside);
  const headers = { 'rpc-host': ownHost };
  const know = (header: Headers): void => {
    if (header.get('authorization') !== `Bearer ${token}`)
      throw new ConnectError('invalid token', Code.Unauthenticated);
    if (header.get('rpc-host') !== host) throw new ConnectError('host appears to be offline', Code.Unavailable);
  };
  return ({ service }) => {
    service(SignalingService, {
      async optionalWebRTCConfig(request, { requestHeader, signal }) {
        know(requestHeader);
        const { config } = await client.optionalWebRTCConfig(request, { headers, signal });
        const disableTrickle = config?.disableTrickle ?? false;
        return { config: { additionalIceServers: [...iceServers], disableTrickle } };
      },
      async *call(request, { requestHeader, signal }) {
        know(requestHeader);
        yield* client.call(request, { headers, signal });
      },
      callUpdate(request, { requestHeader, signal }) {
        know(requestHeader);
        return client.callUpdate(request, { headers, signal });
      },
    });
  };
}
