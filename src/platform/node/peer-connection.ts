import type { IceServer, NewPeerConnection, PeerConnection } from '../ports/peer-connection.ts';

/**
 * WebRTC in Node, by the package werift, which is optional.
 * @returns null where it is not installed
 */
export async function loadPeerConnections(): Promise<NewPeerConnection | null> {
  try {
    const { RTCPeerConnection } = await import('werift');
    return ({ iceServers }) => {
      const connection = new RTCPeerConnection({ iceServers: [...iceServers, ...withoutOtherStun(iceServers)] });
      return connection as unknown as PeerConnection; // the library's types want a Buffer, of which it uses what a Uint8Array has
    };
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/**
 * Without a STUN server werift asks one of Google's, which nobody here named. It asks from IPv4 sockets only, so that this address
 * fails before anything is sent.
 */
const withoutOtherStun = (iceServers: readonly IceServer[]): IceServer[] =>
  iceServers.some(({ urls }) => urls.some((url) => url.startsWith('stun:'))) ? [] : [{ urls: ['stun:[::1]:1'] }];
