import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import type { Authorize } from '../../outbox/access-tokens.ts';
import {
  SignalingService,
  type ICECandidateSchema,
  type ICECandidate,
  type WebRTCConfig,
} from '../../gen/proto/rpc/webrtc/v1/signaling_pb.ts';
import { LinkError } from '../../live-machine/link-error.ts';
import type { DialStep } from '../../live-machine/live-machine.ts';
import type { FrameChannel } from './channel-transport.ts';
import { peerChannel } from './peer-channel.ts';
import { dialErrorOf } from './dial-error.ts';
import { NoWay } from './no-way.ts';
import { unlessAborted } from '../../schedule/unless-aborted.ts';

/** Who brings the two sides together, and who is called. */
export interface Dialled {
  /** to the signalling service */
  readonly signalling: Transport;
  /** null: it asks for no key */
  readonly authorize: Authorize | null;
  /** of the signalling service, for messages */
  readonly via: string;
  /** the machine, as the signalling service names it */
  readonly host: string;
  readonly redact: (message: string) => string;
  readonly onStep: (step: DialStep) => void;
  /** After so long a dial is given up: a machine at the far end of a slow network answers within some seconds. */
  readonly patienceMs: number;
}

export interface Peer {
  readonly connection: RTCPeerConnection;
  readonly channel: FrameChannel;
}

/**
 * Connects to a machine by WebRTC: over the local network where that is possible, else through routers, else by a relay that the
 * signalling service names. Rejects with LinkError; then, and when `signal` aborts, nothing stays open.
 */
export async function dialPeer(dialled: Dialled, signal: AbortSignal): Promise<Peer> {
  const end = new AbortController();
  const ended = AbortSignal.any([signal, end.signal, AbortSignal.timeout(dialled.patienceMs)]);
  let connection: RTCPeerConnection | null = null;
  if (typeof RTCPeerConnection === 'undefined') {
    throw new LinkError(
      'no-way',
      'This browser has no WebRTC, by which a machine in another network is reached.',
      'Use Chromium, Firefox or Safari, or a computer in the machine’s network and its address there.',
    );
  }
  let step: DialStep = 'asking';
  let sayDone = (): Promise<void> => Promise.resolve();
  const onStep = (next: DialStep): void => dialled.onStep((step = next));
  try {
    onStep('asking');
    const client = createClient(SignalingService, dialled.signalling);
    const ask = <T>(
      call: (options: { headers: Record<string, string>; signal: AbortSignal }) => Promise<T>,
    ): Promise<T> => {
      const headers = { 'rpc-host': dialled.host };
      const make = (authorization: string): Promise<T> =>
        call({ headers: authorization === '' ? headers : { ...headers, authorization }, signal: ended });
      return dialled.authorize ? dialled.authorize(ended, make) : make('');
    };
    const config = await ask((options) => client.optionalWebRTCConfig({}, options)).then(
      (answer) => answer.config,
      (error: unknown) => {
        if (ConnectError.from(error).code === Code.Unimplemented && !(error instanceof LinkError)) return undefined;
        throw error;
      },
    );
    connection = new RTCPeerConnection({ iceServers: iceServersOf(config) });
    const data = connection.createDataChannel('data', { id: 0, negotiated: true, ordered: true });
    const opened = unlessAborted(whenOpen(connection, data), ended);
    opened.catch(() => undefined); // awaited below, if nothing fails before
    const candidates = localCandidates(connection);
    await connection.setLocalDescription();
    const hasAll = config?.disableTrickle ?? false;
    if (hasAll) await unlessAborted(candidates.complete, ended);

    onStep('calling');
    const request = { sdp: encoded(connection.localDescription!), disableTrickle: hasAll };
    const answered = ask(async (options) => {
      let uuid: string | null = null;
      for await (const { uuid: called, stage } of client.call(request, options)) {
        if (stage.case === 'init' && uuid === null) {
          uuid = called;
          await connection!.setRemoteDescription(decoded(stage.value.sdp));
          onStep('connecting');
          const say = updatesInOrder((update) =>
            ask((updating) => client.callUpdate({ uuid: called, update }, updating)),
          );
          sayDone = () => say(doneUpdate);
          if (!hasAll) candidates.forward((value) => say(value ? { case: 'candidate', value } : doneUpdate));
        } else if (stage.case === 'update' && stage.value.candidate && called === uuid) {
          // One that this browser cannot use is no failure: another may do.
          await connection!.addIceCandidate(candidateOf(stage.value.candidate)).catch(() => undefined);
        }
      }
    });
    // The answers end when both sides have said all. Until then a failure of them is the dial's.
    const failed = answered.then(() => new Promise<never>(() => undefined));
    failed.catch(() => undefined);
    await Promise.race([opened, failed]);
    void sayDone().finally(() => end.abort());
    return { connection, channel: peerChannel(connection, data) };
  } catch (error) {
    connection?.close();
    end.abort();
    throw dialErrorOf(error, { ...dialled, step, wasCancelled: signal.aborted });
  }
}

type Candidate = MessageInitShape<typeof ICECandidateSchema>;
type Update = { case: 'candidate'; value: Candidate } | { case: 'done'; value: true };
const doneUpdate: Update = { case: 'done', value: true };

/** Sends what the other side is to know, one after the other, and nothing behind the end. A candidate that is lost is no failure: another may do. */
function updatesInOrder(send: (update: Update) => Promise<unknown>): (update: Update) => Promise<void> {
  let last = Promise.resolve();
  let isDone = false;
  return (update) => {
    if (isDone) return last;
    isDone = update.case === 'done';
    return (last = last
      .then(() => send(update))
      .then(
        () => undefined,
        () => undefined,
      ));
  };
}

const decoded = (sdp: string): RTCSessionDescriptionInit => JSON.parse(atob(sdp)) as RTCSessionDescriptionInit;

const candidateOf = ({ candidate, sdpMid, sdpmLineIndex, usernameFragment }: ICECandidate): RTCIceCandidateInit => ({
  candidate,
  sdpMid: sdpMid ?? null,
  sdpMLineIndex: sdpmLineIndex ?? null,
  usernameFragment: usernameFragment ?? null,
});

/** Keeps the candidates of this side until they can be sent. Null is the end of them. */
function localCandidates(connection: RTCPeerConnection): {
  readonly complete: Promise<void>;
  forward(send: (candidate: Candidate | null) => unknown): void;
} {
  const kept: (Candidate | null)[] = [];
  let take = (candidate: Candidate | null): void => void kept.push(candidate);
  const complete = new Promise<void>((resolve) => {
    connection.addEventListener('icecandidate', ({ candidate }) => {
      if (!candidate) resolve();
      take(
        candidate && {
          candidate: candidate.candidate,
          ...(candidate.sdpMid !== null && { sdpMid: candidate.sdpMid }),
          ...(candidate.sdpMLineIndex !== null && { sdpmLineIndex: candidate.sdpMLineIndex }),
          ...(candidate.usernameFragment !== null && { usernameFragment: candidate.usernameFragment }),
        },
      );
    });
  });
  return {
    complete,
    forward(send) {
      take = send;
      for (const candidate of kept) send(candidate);
    },
  };
}

function whenOpen(connection: RTCPeerConnection, data: RTCDataChannel): Promise<void> {
  return new Promise((resolve, reject) => {
    data.addEventListener('open', () => resolve(), { once: true });
    connection.addEventListener('connectionstatechange', () => {
      if (connection.connectionState === 'failed') reject(new NoWay(hasRelay(connection.getConfiguration())));
    });
  });
}

function iceServersOf(config: WebRTCConfig | undefined): RTCIceServer[] {
  return (config?.additionalIceServers ?? []).map(({ urls, username, credential }) => ({
    // A network that lets no UDP out may let TCP out to the same relay.
    urls: urls.flatMap((url) => (url.endsWith('transport=udp') ? [url, `${url.slice(0, -3)}tcp`] : [url])),
    ...(username !== '' && { username, credential }),
  }));
}

const hasRelay = ({ iceServers = [] }: RTCConfiguration): boolean =>
  iceServers.some(({ urls }) => [urls].flat().some((url) => /^turns?:/.test(url)));

const encoded = ({ type, sdp }: RTCSessionDescription): string => btoa(JSON.stringify({ type, sdp }));
