import type { ICECandidate, WebRTCConfig } from '../../../gen/proto/rpc/webrtc/v1/signaling_pb.ts';
import { LinkError } from '../../live-machine/link-error.ts';
import type { DialStep } from '../../live-machine/live-machine.ts';
import type {
  IceCandidate,
  IceServer,
  NewPeerConnection,
  PeerConnection,
  PeerData,
  SessionDescription,
} from '../../../platform/ports/peer-connection.ts';
import { unlessAborted } from '../../../base/schedule/unless-aborted.ts';
import type { FrameChannel } from './channel-transport.ts';
import { dialErrorOf, isTimeout } from './dial-error.ts';
import { NoRoute } from './no-route.ts';
import { peerChannel } from './peer-channel.ts';
import { openSignalling, type CallUpdate, type SignallingOptions } from './signalling.ts';

export interface DialOptions {
  readonly signalling: SignallingOptions;
  /** null: there is no WebRTC here */
  readonly newConnection: NewPeerConnection | null;
  /** name of the signalling service, for messages */
  readonly via: string;
  readonly redact: (message: string) => string;
  readonly onStep: (step: DialStep) => void;
  /** Time limit of the attempt. A machine behind a slow network answers within some seconds. */
  readonly patienceMs: number;
  /** Time limit for the first answer of the signalling service. A call that a lost network swallowed is not repeated by it for long. */
  readonly askingPatienceMs: number;
}

export interface Peer {
  readonly connection: PeerConnection;
  readonly channel: FrameChannel;
}

/**
 * Connects to a machine by WebRTC: over the local network if possible, else directly between networks, else by a relay (TURN) that the
 * signalling service names. Rejects with LinkError; then, and when `signal` aborts, the connection is closed.
 */
export async function dialPeer(options: DialOptions, signal: AbortSignal): Promise<Peer> {
  const { newConnection } = options;
  if (!newConnection) {
    throw new LinkError(
      'no-route',
      'This browser has no WebRTC, by which a machine in another network is reached.',
      'Use Chromium, Firefox or Safari, or a computer in the machine’s network and its address there.',
    );
  }
  const attempt = new AbortController();
  const ended = AbortSignal.any([signal, attempt.signal, AbortSignal.timeout(options.patienceMs)]);
  const signalling = openSignalling(options.signalling, ended);
  let connection: PeerConnection | null = null;
  let iceServers: readonly IceServer[] = [];
  let step = 'asking' as DialStep; // `enter` changes it
  const enter = (next: DialStep): void => options.onStep((step = next));
  try {
    enter('asking');
    const config = await unlessAborted(
      signalling.config(),
      AbortSignal.any([ended, AbortSignal.timeout(options.askingPatienceMs)]),
    );
    iceServers = iceServersOf(config);
    const peer = (connection = newConnection({ iceServers: [...iceServers] }));
    const data = peer.createDataChannel('data', { id: 0, negotiated: true, ordered: true });
    const opened = unlessAborted(whenOpen(peer, data, iceServers), ended);
    opened.catch(() => undefined); // awaited below, unless something fails before
    const candidates = localCandidates(peer);
    await peer.setLocalDescription();
    const disableTrickle = config?.disableTrickle ?? false;
    if (disableTrickle) await unlessAborted(candidates.complete, ended);

    enter('calling');
    let callId: string | null = null;
    let sendDone = (): Promise<void> => Promise.resolve();
    const exchange = signalling.call(
      { sdp: encode(peer.localDescription!), disableTrickle },
      async ({ uuid, stage }) => {
        if (stage.case === 'init' && callId === null) {
          callId = uuid;
          await peer.setRemoteDescription(decode(stage.value.sdp));
          enter('connecting');
          const send = inOrder((update) => signalling.update(uuid, update));
          sendDone = () => send(doneUpdate);
          if (!disableTrickle) candidates.forward(send);
        } else if (stage.case === 'update' && stage.value.candidate && uuid === callId) {
          // A candidate that this browser cannot use is no failure: another one may work.
          await peer.addIceCandidate(toCandidate(stage.value.candidate)).catch(() => undefined);
        }
      },
    );
    // The exchange may end before the connection is open, but if it fails before, so does the attempt.
    await Promise.race([opened, exchange.then(() => opened)]);
    void sendDone().finally(() => attempt.abort());
    return { connection, channel: peerChannel(connection, data) };
  } catch (failure) {
    // Browsers take from 15 to more than 20 s to call a search for a pair of addresses failed. The call that is aborted may reject first.
    const isSearching = connection !== null && /^(new|checking)$/.test(connection.iceConnectionState);
    const hasNoPair = step === 'connecting' && isSearching && isTimeout(ended.reason);
    const error = hasNoPair ? new NoRoute(hasRelay(iceServers)) : failure;
    connection?.close();
    attempt.abort();
    const { via, redact, signalling: { host } } = options; // prettier-ignore
    throw dialErrorOf(error, { via, host, redact, step, wasCancelled: signal.aborted });
  }
}

const doneUpdate: CallUpdate = { case: 'done', value: true };

/** Sends updates one after the other, and nothing after `done`. A candidate that cannot be sent is no failure: another one may work. */
function inOrder(send: (update: CallUpdate) => Promise<unknown>): (update: CallUpdate) => Promise<void> {
  let last = Promise.resolve();
  let isDone = false;
  return (update) => {
    if (isDone) return last;
    isDone = update.case === 'done';
    return (last = last.then(async () => void (await send(update).catch(() => undefined))));
  };
}

/** Collects this side's ICE candidates until they can be sent; `done` is the last update. */
function localCandidates(peer: PeerConnection): {
  /** resolves when there are no more */
  readonly complete: Promise<void>;
  forward(send: (update: CallUpdate) => unknown): void;
} {
  const pending: CallUpdate[] = [];
  let add = (update: CallUpdate): unknown => pending.push(update);
  const complete = new Promise<void>((resolve) => {
    peer.addEventListener('icecandidate', ({ candidate }) => {
      if (!candidate) resolve();
      add(candidate ? { case: 'candidate', value: fromCandidate(candidate) } : doneUpdate);
    });
  });
  return {
    complete,
    forward(send) {
      add = send;
      pending.forEach(send);
    },
  };
}

function whenOpen(peer: PeerConnection, data: PeerData, iceServers: readonly IceServer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    data.addEventListener('open', () => resolve());
    peer.addEventListener('connectionstatechange', () => {
      if (peer.connectionState === 'failed') reject(new NoRoute(hasRelay(iceServers)));
    });
  });
}

function iceServersOf(config: WebRTCConfig | undefined): readonly IceServer[] {
  return (config?.additionalIceServers ?? []).map(({ urls, username, credential }) => ({
    // A firewall that blocks UDP may let TCP pass to the same relay.
    urls: urls.flatMap((url) => (url.endsWith('transport=udp') ? [url, `${url.slice(0, -3)}tcp`] : [url])),
    ...(username !== '' && { username, credential }),
  }));
}

const hasRelay = (iceServers: readonly IceServer[]): boolean =>
  iceServers.some(({ urls }) => urls.some((url) => /^turns?:/.test(url)));

const encode = ({ type, sdp }: SessionDescription): string => btoa(JSON.stringify({ type, sdp }));
const decode = (sdp: string): SessionDescription => JSON.parse(atob(sdp)) as SessionDescription;

const fromCandidate = ({ candidate, sdpMid, sdpMLineIndex, usernameFragment }: IceCandidate) => ({
  candidate,
  ...(sdpMid !== null && { sdpMid }),
  ...(sdpMLineIndex !== null && { sdpmLineIndex: sdpMLineIndex }),
  ...(usernameFragment !== null && { usernameFragment }),
});

const toCandidate = ({ candidate, sdpMid, sdpmLineIndex, usernameFragment }: ICECandidate): IceCandidate => ({
  candidate,
  sdpMid: sdpMid ?? null,
  sdpMLineIndex: sdpmLineIndex ?? null,
  usernameFragment: usernameFragment ?? null,
});
