import { create, fromBinary, toBinary, type DescMethodUnary, type MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError, createRouterTransport, type ConnectRouter, type Transport } from '@connectrpc/connect';
import { CameraService } from '../src/gen/component/camera/v1/camera_pb.ts';
import { RequestSchema, ResponseSchema, type Request } from '../src/gen/proto/rpc/webrtc/v1/grpc_pb.ts';
import { SignalingService, type CallResponseSchema } from '../src/gen/proto/rpc/webrtc/v1/signaling_pb.ts';
import type {
  NewPeerConnection,
  PeerConnection,
  PeerData,
  SessionDescription,
} from '../src/platform/ports/peer-connection.ts';
import { RobotService } from '../src/gen/robot/v1/robot_pb.ts';
import { MLModelService } from '../src/gen/service/mlmodel/v1/mlmodel_pb.ts';
import { VisionService } from '../src/gen/service/vision/v1/vision_pb.ts';

const methods = new Map<string, DescMethodUnary>(
  [RobotService, CameraService, VisionService, MLModelService].flatMap((service) =>
    service.methods.map((method) => [`/${service.typeName}/${method.name}`, method as DescMethodUnary] as const),
  ),
);

type Answer = MessageInitShape<typeof ResponseSchema>['type'];

/** The machine's end of a connection. */
export interface PeerEnd {
  readonly connection: PeerConnection;
  readonly data: PeerData;
  /** Reads nothing more. */
  deafen(): void;
  /** Sends a frame of the call. */
  answer(request: Request, type: Answer): void;
}

export interface PeerMachineOptions {
  /** Called with each frame that comes; true: it was dealt with. */
  readonly onRequest?: (request: Request, end: PeerEnd) => boolean;
  /** Called when the signalling service is asked for ICE servers, which it answers after this. */
  readonly beforeConfig?: () => Promise<void>;
  /** Called by the signalling service; may throw a ConnectError instead of calling the machine. */
  readonly onCall?: (headers: Headers) => void;
  /** both sides wait for all of their candidates */
  readonly disableTrickle?: boolean;
  /** false: the machine tells no address of its own, and hears of none */
  readonly hasCandidates?: boolean;
}

/** A machine that is reached by WebRTC, and the service that connects with it. */
export interface PeerMachine {
  readonly signalling: Transport;
  /** routes of the same service, to be served */
  readonly signallingRoutes: (router: ConnectRouter) => void;
  /** the machine's ends of all calls so far */
  readonly ends: readonly PeerEnd[];
  /** frames that came */
  readonly requests: readonly Request[];
  /** what the caller let the machine know: 'candidate', 'done' */
  readonly updates: readonly string[];
}

export function startPeerMachine(
  newConnection: NewPeerConnection,
  routes: (router: ConnectRouter) => void,
  {
    onRequest = () => false,
    beforeConfig = async () => {},
    onCall = () => {},
    disableTrickle = false,
    hasCandidates = true,
  }: PeerMachineOptions = {},
): PeerMachine {
  const inside = createRouterTransport(routes);
  const ends: PeerEnd[] = [];
  const requests: Request[] = [];
  const updates: string[] = [];

  function accept(): PeerEnd {
    const connection = newConnection({ iceServers: [] });
    const data = connection.createDataChannel('data', { id: 0, negotiated: true, ordered: true });
    data.binaryType = 'arraybuffer';
    let [isOpen, hears] = [false, true];
    const end: PeerEnd = {
      connection,
      data,
      deafen: () => void (hears = false),
      answer({ stream }, type) {
        const response = create(ResponseSchema, { ...(stream && { stream }), ...(type && { type }) });
        if (isOpen) data.send(toBinary(ResponseSchema, response) as Uint8Array<ArrayBuffer>);
      },
    };
    const calls = new Map<bigint, { method: string; parts: Uint8Array<ArrayBuffer>[] }>();
    data.addEventListener('open', () => (isOpen = true));
    data.addEventListener('message', ({ data: frame }) => {
      if (!hears) return;
      const request = fromBinary(RequestSchema, new Uint8Array(frame as ArrayBuffer));
      requests.push(request);
      if (onRequest(request, end)) return;
      const id = request.stream!.id;
      if (request.type.case === 'headers') {
        calls.set(id, { method: request.type.value.method, parts: [] });
      } else if (request.type.case === 'message') {
        const call = calls.get(id);
        if (!call) return; // its beginning was dealt with
        call.parts.push(request.type.value.packetMessage!.data.slice());
        if (request.type.value.eos) void serve(request, call.method, call.parts, end);
      }
    });
    data.addEventListener('close', () => {
      isOpen = false;
      connection.close();
    });
    ends.push(end);
    return end;
  }

  async function serve(request: Request, path: string, parts: Uint8Array<ArrayBuffer>[], end: PeerEnd): Promise<void> {
    const method = methods.get(path)!;
    const message = fromBinary(method.input, new Uint8Array(await new Blob(parts).arrayBuffer()));
    try {
      const answer = await inside.unary(method, undefined, undefined, undefined, message as never);
      const bytes = toBinary(method.output, answer.message);
      end.answer(request, { case: 'headers', value: {} });
      await sendMessage(request, bytes, end);
      end.answer(request, { case: 'trailers', value: { status: { code: 0 } } });
    } catch (error) {
      const { code, rawMessage } = ConnectError.from(error);
      end.answer(request, { case: 'headers', value: {} });
      end.answer(request, { case: 'trailers', value: { status: { code, message: rawMessage } } });
    }
  }

  const signallingRoutes = ({ service }: ConnectRouter): void => {
    service(SignalingService, {
      async optionalWebRTCConfig() {
        await beforeConfig();
        return { config: { additionalIceServers: [], disableTrickle } };
      },
      async *call(request, { requestHeader, signal }) {
        onCall(requestHeader);
        const { connection } = accept();
        const said: MessageInitShape<typeof CallResponseSchema>[] = [];
        let wake = (): void => {};
        const say = (response: MessageInitShape<typeof CallResponseSchema>): void => {
          said.push({ uuid: String(ends.length - 1), ...response });
          wake();
        };
        const gathered = new Promise<void>((resolve) => {
          connection.addEventListener('icecandidate', ({ candidate }) => {
            if (!candidate) return resolve();
            if (disableTrickle || !hasCandidates) return;
            const { sdpMid, sdpMLineIndex } = candidate;
            say({
              stage: {
                case: 'update',
                value: {
                  candidate: {
                    candidate: candidate.candidate,
                    sdpMid: sdpMid ?? '0',
                    sdpmLineIndex: sdpMLineIndex ?? 0,
                  },
                },
              },
            });
          });
        });
        await connection.setRemoteDescription(JSON.parse(atob(request.sdp)) as SessionDescription);
        await connection.setLocalDescription();
        if (disableTrickle) await gathered;
        const { type, sdp } = connection.localDescription!;
        yield {
          uuid: String(ends.length - 1),
          stage: { case: 'init' as const, value: { sdp: btoa(JSON.stringify({ type, sdp })) } },
        };
        signal.addEventListener('abort', () => wake());
        while (!signal.aborted) {
          yield* said.splice(0);
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (said.length > 0 || signal.aborted) resolve();
          });
        }
      },
      async callUpdate({ uuid, update }) {
        updates.push(update.case!);
        const end = ends[Number(uuid)];
        if (!end) throw new ConnectError('no such call', Code.NotFound);
        if (update.case !== 'candidate' || !hasCandidates) return {};
        const { candidate, sdpMid, sdpmLineIndex } = update.value;
        await end.connection.addIceCandidate({
          candidate,
          sdpMid: sdpMid ?? null,
          sdpMLineIndex: sdpmLineIndex ?? null,
          usernameFragment: null,
        });
        return {};
      },
    });
  };
  return { signalling: createRouterTransport(signallingRoutes), signallingRoutes, ends, requests, updates };
}

/** Sends a message in parts of 60,000 bytes, as fast as they go out. */
export async function sendMessage(request: Request, bytes: Uint8Array, end: PeerEnd): Promise<void> {
  let start = 0;
  do {
    const data = bytes.subarray(start, start + 60_000);
    start += data.length;
    end.answer(request, { case: 'message', value: { packetMessage: { data, eom: start >= bytes.length } } });
    if (end.data.bufferedAmount > 1_000_000) {
      await new Promise<void>((resolve) => end.data.addEventListener('bufferedamountlow', resolve));
    }
  } while (start < bytes.length);
}
