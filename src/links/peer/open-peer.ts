import { Code, ConnectError, type Transport } from '@connectrpc/connect';
import type { LinkWay } from '../../live-machine/live-machine.ts';
import { once } from '../../schedule/once.ts';
import { unlessAborted } from '../../schedule/unless-aborted.ts';
import { channelTransport } from './channel-transport.ts';
import { dialPeer, type Dialled, type Peer } from './dial-peer.ts';
import { wayOf } from './peer-way.ts';

export interface PeerLink {
  readonly transport: Transport;
  way(): Promise<LinkWay | null>;
  close(): void;
}

interface Connected {
  readonly peer: Peer;
  readonly unary: Transport['unary'];
  /** how many frames came */
  readonly frames: () => number;
}

/**
 * A machine by WebRTC, dialled with the first call and again with the first one after the connection was lost. Calls that come
 * meanwhile wait for the same dial; those that were under way fail with `unavailable`. A call that runs out of time while nothing at
 * all comes ends the connection: a network that changed may never say so.
 */
export function openPeer(dialled: Dialled): PeerLink {
  const end = new AbortController();
  let current: Connected | null = null;
  const connected = once(async (): Promise<Connected> => {
    const peer = await dialPeer(dialled, end.signal);
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
          if (isSilent) peer.channel.close('nothing comes any more');
          throw error;
        }
      },
      stream: ({ name }) =>
        Promise.reject(new ConnectError(`${name} streams, which is not done over WebRTC`, Code.Unimplemented)),
    },
    way: async () => current && wayOf(await current.peer.connection.getStats()),
    close: () => end.abort(),
  };
}
