// The part of WebRTC that calls to a machine use. Browsers have it as `RTCPeerConnection`; Node has none of its own.

export interface SessionDescription {
  readonly type: 'offer' | 'answer' | 'pranswer' | 'rollback';
  readonly sdp: string;
}

export interface IceCandidate {
  readonly candidate: string;
  readonly sdpMid: string | null;
  readonly sdpMLineIndex: number | null;
  readonly usernameFragment: string | null;
}

export interface IceServer {
  readonly urls: string[];
  readonly username?: string;
  readonly credential?: string;
}

export interface PeerConfiguration {
  readonly iceServers: IceServer[];
}

/** A data channel of frames. A frame that comes is an ArrayBuffer, in Node a Uint8Array. */
export interface PeerData {
  binaryType: string;
  /** bytes that wait to be sent */
  readonly bufferedAmount: number;
  /** at most so many of them raise `bufferedamountlow` */
  bufferedAmountLowThreshold: number;
  send(frame: Uint8Array<ArrayBuffer>): void;
  addEventListener(type: 'open' | 'close' | 'bufferedamountlow', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

export interface PeerConnection {
  /** "new", "connecting", "connected", "disconnected", "failed", "closed" */
  readonly connectionState: string;
  /** the same of the search for a pair of addresses: "new", "checking", … */
  readonly iceConnectionState: string;
  readonly localDescription: SessionDescription | null;
  createDataChannel(name: string, options: { id: number; negotiated: boolean; ordered: boolean }): PeerData;
  /** Makes an offer, and begins to collect candidates. */
  setLocalDescription(): Promise<unknown>;
  setRemoteDescription(description: SessionDescription): Promise<unknown>;
  addIceCandidate(candidate: IceCandidate): Promise<unknown>;
  getStats(): Promise<{ values(): Iterable<unknown>; get(id: string): unknown }>;
  close(): void;
  addEventListener(type: 'icecandidate', listener: (event: { readonly candidate: IceCandidate | null }) => void): void;
  addEventListener(type: 'connectionstatechange', listener: () => void): void;
}

/** Makes a connection that is not connected yet. */
export type NewPeerConnection = (configuration: PeerConfiguration) => PeerConnection;
