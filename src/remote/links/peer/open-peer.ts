import { Code, ConnectError, type Transport } from '@connectrpc/connect';
import type { LinkRoute } from '../../live-machine/live-machine.ts';
import { once } from '../../../base/schedule/once.ts';
import { unlessAborted } from '../../../base/schedule/unless-aborted.ts';
import { channelTransport } from './channel-transport.ts';
import { dialPeer, type DialOptions, type Peer } from './dial-peer.ts';
import { routeOf } from './peer-route.ts';

export interface PeerLink {
  readonly transport: Transport;
  route(): Promise<LinkRoute | null>;
  close(): void;
}

interface Connected {
  readonly peer: Peer;
  readonly unary: Transport['unary'];
  /** number of frames received so far */
  readonly frames: () => number;
}

/**
 * A connection to a machine by WebRTC. The first call dials, and so does the first call after the connection was lost; calls that start
 * meanwhile wait for the same attempt, and running calls fail with `unavailable`. If a call times out while no frame at all arrives, the
 * connection is closed: after a change of network, the browser may not notice for long.
 */
export function openPeer(options: DialOptions): PeerLink {
  const end = new AbortController();
  let current: Connected | null = null;
  const connected = once(async (): Promise<Connected> => {
    const peer = await dialPeer(options, end.signal);
    const { channel } = peer;
    let frames = 0;
    const { unary } = channelTransport({
      ...channel,
      listen: (onFrame, onClose) =>
        channel.listen(
          (frame) => {
            frames++;
            onFrame(frame);
          },
          (why) => {
            current = null;
            connected.forget();
            onClose(why);
          },
        ),
    });
    end.signal.addEventListener('abort', () => channel.close('the page left the machine'));
    return (current = { peer, unary, frames: () => frames });
  });

  return {
    transport: {
      async unary(method, signal, ...rest) {
        const { peer, unary, frames } = await unlessAborted(connected(), signal);
        const before = frames();
        try {
          return await unary(method, signal, ...rest);
        } catch (error) {
          const isSilent = ConnectError.from(error).code === Code.DeadlineExceeded && frames() === before;
          if (isSilent) peer.channel.close('frames no longer arrive');
          throw error;
        }
      },
      stream: ({ name }) =>
        Promise.reject(new ConnectError(`${name} streams, which is not done over WebRTC`, Code.Unimplemented)),
    },
    route: async () => current && routeOf(await current.peer.connection.getStats()),
    close: () => end.abort(),
  };
}
