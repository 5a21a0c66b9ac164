import type { PeerConnection, PeerData } from '../../../platform/ports/peer-connection.ts';
import type { FrameChannel } from './channel-transport.ts';

/** Back-pressure: above so many unsent bytes, the next frame waits. */
const mostWaitingBytes = 1 << 20;

/** Frames over an open data channel. It closes with its connection. */
export function peerChannel(peer: PeerConnection, data: PeerData): FrameChannel {
  data.binaryType = 'arraybuffer';
  data.bufferedAmountLowThreshold = mostWaitingBytes;
  let closed: string | null = null;
  let onClose: (why: string) => void = () => undefined;
  let waitsForRoom: (() => void)[] = [];

  function close(why: string): void {
    if (closed !== null) return;
    closed = why;
    peer.close();
    for (const go of waitsForRoom) go();
    onClose(why);
  }
  const hasRoom = (): Promise<void> =>
    data.bufferedAmount <= mostWaitingBytes ? Promise.resolve() : new Promise((go) => void waitsForRoom.push(go));

  data.addEventListener('bufferedamountlow', () => {
    const goOn = waitsForRoom;
    waitsForRoom = [];
    for (const go of goOn) go();
  });
  data.addEventListener('close', () => close('the machine closed the connection'));
  // The machine closes a disconnected connection, so waiting until it recovers is useless: the next call dials a new one.
  peer.addEventListener('connectionstatechange', () => {
    if (['disconnected', 'failed', 'closed'].includes(peer.connectionState)) close('the connection was lost');
  });

  return {
    async send(frame) {
      await hasRoom();
      if (closed !== null) throw new Error(closed);
      data.send(frame);
    },
    listen(onFrame, whenClosed) {
      onClose = whenClosed;
      data.addEventListener('message', ({ data: frame }) => {
        if (frame instanceof ArrayBuffer) onFrame(new Uint8Array(frame));
        else if (frame instanceof Uint8Array)
          onFrame(frame); // in Node
        else close('the other side sent text, which is not a frame');
      });
      if (closed !== null) whenClosed(closed);
    },
    close,
  };
}
