import { Code, ConnectError, createClient, type ConnectRouter, type Transport } from '@connectrpc/connect';
import { SignalingService } from '../src/gen/proto/rpc/webrtc/v1/signaling_pb.ts';

/**
 * The signalling of an account service for one machine, which signals for itself.
 *
 * @param host the machine's name in the account
 * @param token what its callers have to show
 * @param inside to the machine, which knows itself as `ownHost`
 */
export function signallingRoutes(
  { host, token, ownHost }: { readonly host: string; readonly token: string; readonly ownHost: string },
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
      optionalWebRTCConfig(request, { requestHeader, signal }) {
        know(requestHeader);
        return client.optionalWebRTCConfig(request, { headers, signal });
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
