import { Code, ConnectError } from '@connectrpc/connect';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { pageConnections } from '../../src/remote/links/page-machine-link.ts';
import { openPeer, type PeerLink } from '../../src/remote/links/peer/open-peer.ts';
import { awaitConfiguration } from '../../src/remote/live-machine/await-configuration.ts';
import { borrowSession } from '../../src/remote/live-machine/borrow-session.ts';
import { captureBoth } from '../../src/remote/live-machine/capture-both.ts';
import { chooseAsking } from '../../src/remote/live-machine/choose-asking.ts';
import { linkMachine } from '../../src/remote/live-machine/link-machine.ts';
import { readMachineAddress } from '../../src/remote/live-machine/machine-address.ts';
import { LinkError } from '../../src/remote/live-machine/link-error.ts';
import type { DialStep, LiveMachine } from '../../src/remote/live-machine/live-machine.ts';
import { proveFrames } from '../../src/remote/live-machine/prove-frames.ts';
import type { Tensor } from '../../src/machine/vision/tensor/tensor.ts';
import { linkPretended, pretendedRoutes, type PretendedMachine } from '../live-machine-fixture.ts';
import { sendMessage, startPeerMachine, type PeerMachine, type PeerMachineOptions } from '../peer-machine.ts';

const { signal } = new AbortController();
const host = 'robot-main.abc.viam.cloud';

interface Called {
  readonly machine: PeerMachine;
  readonly link: PeerLink;
  readonly live: LiveMachine;
  readonly steps: readonly DialStep[];
}

function call(pretended: PretendedMachine = {}, options: PeerMachineOptions = {}, patience = {}): Called {
  const machine = startPeerMachine(pageConnections()!, pretendedRoutes(pretended), options);
  const steps: DialStep[] = [];
  const link = openPeer({
    signalling: { transport: machine.signalling, authorize: null, host },
    newConnection: pageConnections(),
    via: 'account.example',
    redact: (message) => message.replaceAll('s3cret', '[key]'),
    onStep: (step) => steps.push(step),
    patienceMs: 20_000,
    askingPatienceMs: 4_000,
    ...patience,
  });
  const { transport } = link;
  const live = linkMachine({ address: host, transport, authorize: null, redact: (text) => text, connection: link });
  onTestFinished(() => link.close());
  return { machine, link, live, steps };
}

/** All connections of the test, of both sides. */
function countConnections(): readonly RTCPeerConnection[] {
  const opened: RTCPeerConnection[] = [];
  const Native = RTCPeerConnection;
  vi.stubGlobal(
    'RTCPeerConnection',
    class extends Native {
      constructor(config?: RTCConfiguration) {
        super(config);
        opened.push(this);
      }
    },
  );
  return opened;
}

const refused = (promise: Promise<unknown>): Promise<LinkError> =>
  promise.then(
    () => expect.fail('it was answered'),
    (error: unknown) => (expect(error).toBeInstanceOf(LinkError), error as LinkError),
  );

const detector: PretendedMachine = {
  answer: () => ({
    detections: [{ label: 'cat', score: 0.5, xMin: 1, yMin: 2, xMax: 3, yMax: 4 }],
    classifications: null,
  }),
};
const abilities = { classifies: false, detects: true, defaultCamera: 'cam' };

describe('a machine by WebRTC', () => {
  it('is dialled with the first call, over the local network, and answers as over HTTP', async () => {
    const { live, steps, machine } = call(detector);
    expect(await live.route()).toBeNull();
    expect(await live.version(signal)).toMatchObject({ version: 'v1.2.3' });
    expect(await live.resources(signal)).toContainEqual({ api: 'rdk:service:vision', name: 'v' });
    expect(await live.captureAll({ visionName: 'v', cameraName: 'cam', abilities }, signal)).toMatchObject({
      detections: [{ label: 'cat', score: 0.5, xMin: 1, yMin: 2, xMax: 3, yMax: 4 }],
    });
    expect(await live.route()).toMatchObject({ kind: 'local' });
    expect((await live.route())!.receivedBytes).toBeGreaterThan(0);
    expect(steps).toEqual(['asking', 'calling', 'connecting']);
    expect(machine.ends).toHaveLength(1);
    await vi.waitFor(() => expect(machine.updates.at(-1)).toBe('done'));
    expect(machine.updates.filter((update) => update === 'done')).toHaveLength(1);
  });

  it('is dialled once for calls that come together, and where both sides tell all candidates at once', async () => {
    const { live, machine } = call({}, { disableTrickle: true });
    await Promise.all([live.version(signal), live.resources(signal), live.health(signal)]);
    expect(machine.ends).toHaveLength(1);
    await expect.poll(() => machine.updates).toEqual(['done']);
  });

  it('sends and gets messages of many frames, byte for byte', async () => {
    const bytes = Uint8Array.from({ length: 4_000_003 }, (_, at) => (at * 31 + (at >> 8)) & 255);
    const got: Uint8Array[] = [];
    const { live, machine } = call({
      ...detector,
      image: () => bytes,
      answer: (image) => (got.push(image), { detections: [], classifications: null }),
    });
    const [image] = await live.images('cam', signal);
    expect(image!.bytes).toEqual(bytes);
    await live.answerTo(image!, { visionName: 'v', abilities }, signal);
    expect(got).toEqual([bytes]);
    const largest = Math.max(
      ...machine.requests.map(({ type }) => (type.case === 'message' ? type.value.packetMessage!.data.length : 0)),
    );
    expect(largest).toBeLessThanOrEqual(65_000);
  });

  it('fails in the machine’s words', async () => {
    const { live } = call();
    expect(await refused(live.visionAbilities('w', signal))).toMatchObject({ code: 'no-such-resource' });
  });

  it('tells the machine how long a call may take, and that nobody waits any more', async () => {
    const { live, machine } = call({}, { onRequest: () => true });
    const leave = new AbortController();
    const asked = refused(live.version(leave.signal));
    await vi.waitFor(() => expect(machine.requests.map(({ type }) => type.case)).toEqual(['headers', 'message']));
    expect(machine.requests[0]!.type.value).toMatchObject({ timeout: { seconds: 30n } });
    leave.abort();
    expect((await asked).code).toBe('cancelled');
    await vi.waitFor(() => expect(machine.requests.at(-1)!.type.case).toBe('rstStream'));
  });
});

describe.each([
  ['a transport in memory', linkPretended],
  ['WebRTC', (pretended: PretendedMachine) => call(pretended).live],
])('over %s a machine', (_, open) => {
  const answer = {
    detections: [{ label: 'cat', score: 0.5, xMin: 1, yMin: 2, xMax: 3, yMax: 4 }],
    classifications: null,
  };

  it('says whether it is well', async () => {
    expect(await open({ visionError: 'no model' }).health(signal)).toMatchObject({
      isRunning: true,
      revision: 'r1',
      resources: expect.arrayContaining(
        [{ name: 'v', isReady: false, error: 'no model' }].map((row) => expect.objectContaining(row)),
      ),
    });
  });

  it('runs a model that is borrowed from it', async () => {
    const tensor = { dtype: 'float32', shape: [1, 300_000] } as const;
    const info = { name: 'x', ...tensor, symbols: [null, null] } as const;
    const run = async (feeds: Readonly<Record<string, Tensor>>) => ({
      x: { ...tensor, data: (feeds['x']!.data as Float32Array).map((value) => 2 * value) },
    });
    const session = await borrowSession(open({ model: { inputs: [info], outputs: [info], run } }), 'm');
    const data = Float32Array.from({ length: 300_000 }, (_value, at) => at / 7);
    const { x } = await session.run({ x: { ...tensor, data } });
    expect(x!.data).toEqual(data.map((value) => 2 * value));
    await session.release();
  });

  it('is waited for until it has a configuration that was written for it', async () => {
    let asked = 0;
    const live = open({ revision: () => (++asked > 6 ? 'r2' : 'r1') });
    const before = await live.health(signal);
    const options = { before, resources: ['v'], signal, wait: async () => {}, nowMs: () => 0 };
    expect(await awaitConfiguration(live, options)).toEqual({
      isWell: true,
      words: 'The machine has it: “v” is ready.',
    });
    expect(asked).toBeGreaterThan(6);
  });

  it('has its transform camera compared from one picture of the source', async () => {
    const [picture, turned] = [Uint8Array.of(1, 2), Uint8Array.of(2, 1)];
    const live = open({ image: () => picture, transformCamera: { name: 't', image: () => turned } });
    const { source, output, isOneFrame } = await captureBoth(live, 'cam', 't', signal);
    expect([source.bytes, output.bytes, isOneFrame]).toEqual([picture, turned, true]);
  });

  it('answers for its recorder beside the service that is recorded', async () => {
    const low = { ...answer, detections: [...answer.detections, { ...answer.detections[0]!, score: 0.25 }] };
    const live = open({ visionName: 'watch', answer: () => low });
    const watched = await live.captureAll({ visionName: 'watch', cameraName: '', abilities }, signal);
    expect(watched.detections!.map(({ score }) => score)).toEqual([0.5, 0.25]);
    expect(await refused(live.visionAbilities('v', signal))).toMatchObject({ code: 'no-such-resource' });
  });

  it('is proved to say the same of many frames, and where it does not, on how many', async () => {
    let shown = 0;
    const live = open({ image: () => Uint8Array.of(1, ++shown), answer: () => answer });
    const request = { visionName: 'v', cameraName: 'cam', abilities };
    const { ask, confirm } = await chooseAsking(live, request, signal);
    const here = { ...answer, widthPx: 9, heightPx: 9 };
    const facts = { model: null, rule: null };
    const options = { frames: 5, facts, confirm, signal, onProgress: () => {} };
    const same = await proveFrames(ask, async () => here, options);
    expect(same).toMatchObject({ frames: 5, counts: { equal: 5, differs: 0 } });
    const other = await proveFrames(ask, async () => ({ ...here, detections: [] }), options);
    expect(other).toMatchObject({ frames: 5, counts: { equal: 0, differs: 5 } });
  });
});

describe('a connection that breaks', () => {
  it('fails the calls under way, and the next call dials again', async () => {
    let isHeld = true;
    const { live, machine } = call({}, { onRequest: () => isHeld });
    const asked = refused(live.version(signal));
    await vi.waitFor(() => expect(machine.requests.length).toBeGreaterThan(0));
    machine.ends[0]!.connection.close();
    expect((await asked).code).toBe('no-answer');
    expect(await live.route()).toBeNull();
    isHeld = false;
    expect(await live.version(signal)).toMatchObject({ version: 'v1.2.3' });
    expect(machine.ends).toHaveLength(2);
  });

  it('is given up when a call runs out of time and nothing comes', async () => {
    const { link, live, machine } = call();
    await live.version(signal);
    const [end] = machine.ends;
    end!.deafen();
    const { RobotService } = await import('../../src/gen/robot/v1/robot_pb.ts');
    const silent = link.transport.unary(RobotService.method.getVersion, signal, 100, undefined, {});
    await expect(silent).rejects.toMatchObject({ code: Code.DeadlineExceeded });
    await live.version(signal);
    expect(machine.ends).toHaveLength(2);
  });

  it('stays when only one of its calls runs out of time', async () => {
    const { link, live, machine } = call(
      {},
      {
        onRequest: ({ type }) => type.case === 'headers' && type.value.method.endsWith('/GetVersion') && (held = true),
      },
    );
    let held = false;
    await live.resources(signal);
    const { RobotService } = await import('../../src/gen/robot/v1/robot_pb.ts');
    machine.ends[0]!.data.addEventListener('message', () => {});
    const slow = link.transport.unary(RobotService.method.getVersion, signal, 1_000, undefined, {});
    slow.catch(() => {});
    await live.resources(signal);
    await expect(slow).rejects.toMatchObject({ code: Code.DeadlineExceeded });
    expect(held).toBe(true);
    await live.resources(signal);
    expect(machine.ends).toHaveLength(1);
  });

  it.each<[string, NonNullable<PeerMachineOptions['onRequest']>, LinkError['code']]>([
    ['bytes that are not a frame', (_, { data }) => (data.send(Uint8Array.of(255, 255, 255)), true), 'no-answer'],
    ['text', (_, { data }) => (data.send('hello' as never), true), 'no-answer'],
    [
      'headers twice',
      (request, end) => {
        end.answer(request, { case: 'headers', value: {} });
        end.answer(request, { case: 'headers', value: {} });
        return true;
      },
      'failed',
    ],
    [
      'an end without an answer',
      (request, end) => {
        end.answer(request, { case: 'trailers', value: {} });
        return true;
      },
      'no-answer',
    ],
    [
      'two messages',
      (request, end) => {
        end.answer(request, { case: 'headers', value: {} });
        void sendMessage(request, Uint8Array.of(), end);
        void sendMessage(request, Uint8Array.of(), end);
        return true;
      },
      'failed',
    ],
    [
      'a message of 50 MB',
      (request, end) => {
        end.answer(request, { case: 'headers', value: {} });
        void sendMessage(request, new Uint8Array(50_000_000), end);
        return true;
      },
      'failed',
    ],
  ])('in the midst, by %s, fails its call, and the next one is answered', async (_, onRequest, code) => {
    let isBad = true;
    const { live } = call(
      {},
      { onRequest: (request, end) => isBad && (request.type.case !== 'message' || onRequest(request, end)) },
    );
    expect((await refused(live.version(signal))).code).toBe(code);
    isBad = false;
    expect(await live.resources(signal)).toContainEqual({ api: 'rdk:service:vision', name: 'v' });
  });

  it('takes no late answer of one call for that of another', async () => {
    const held: (() => void)[] = [];
    const { live } = call(
      {},
      {
        onRequest(request, end) {
          if (request.type.case !== 'message' || held.length > 0) return false;
          held.push(() => {
            end.answer(request, { case: 'headers', value: {} });
            void sendMessage(request, Uint8Array.of(0x0a, 1, 0x78), end); // platform: "x"
            end.answer(request, { case: 'trailers', value: {} });
          });
          return true;
        },
      },
    );
    const leave = new AbortController();
    const first = refused(live.version(leave.signal));
    await vi.waitFor(() => expect(held).toHaveLength(1));
    leave.abort();
    expect((await first).code).toBe('cancelled');
    const second = live.version(signal);
    held[0]!();
    expect(await second).toMatchObject({ platform: 'rdk' });
  });
});

describe('a dial', () => {
  it('is not begun for words, which Chromium takes as the name of a host', () => {
    expect(readMachineAddress('two words')).toHaveProperty('message', '“two words” is not the address of a machine.');
  });

  afterEach(() => vi.unstubAllGlobals());

  it.each<[Code, string, string, string]>([
    [Code.Unauthenticated, 'no s3cret', 'wrong-key', 'account.example does not take this key: no [key]'],
    [Code.PermissionDenied, 'no', 'not-allowed', `The key may not connect to ${host}: no`],
    [
      Code.Unavailable,
      'host is offline',
      'offline',
      `${host} is not online, as far as account.example knows: host is offline`,
    ],
    [Code.Unimplemented, 'what?', 'not-a-machine', 'account.example connects no machines: what?'],
  ])('that is refused with code %i says why', async (code, said, linkCode, message) => {
    const { live } = call(
      {},
      {
        onCall() {
          throw new ConnectError(said, code);
        },
      },
    );
    expect(await refused(live.version(signal))).toMatchObject({ code: linkCode, message });
  });

  it('names the machine to the service', async () => {
    const hosts: (string | null)[] = [];
    const { live } = call({}, { onCall: (headers) => hosts.push(headers.get('rpc-host')) });
    await live.version(signal);
    expect(hosts).toEqual([host]);
  });

  it('that finds no pair of addresses in time says that there is no route', async () => {
    const { live } = call({}, { onCall: () => {}, hasCandidates: false, disableTrickle: false }, { patienceMs: 1_000 });
    expect(await refused(live.version(signal))).toMatchObject({
      code: 'no-route',
      message: `${host} answered, but no direct connection to it was found, and account.example names no relay.`,
    });
  });

  it('whose first question is lost is given up soon, and the next call dials again', async () => {
    let isLost = true;
    const beforeConfig = () => (isLost ? new Promise<void>(() => {}) : Promise.resolve());
    const { live, machine } = call({}, { beforeConfig }, { askingPatienceMs: 200 });
    expect(await refused(live.version(signal))).toMatchObject({
      code: 'no-answer',
      message: 'account.example does not answer: it connects pages with machines.',
    });
    isLost = false;
    expect(await live.version(signal)).toMatchObject({ version: 'v1.2.3' });
    expect(machine.ends).toHaveLength(1);
  });

  it('says so where the browser has no WebRTC', async () => {
    vi.stubGlobal('RTCPeerConnection', undefined);
    expect(await refused(call().live.version(signal))).toMatchObject({
      code: 'no-route',
      message: expect.stringMatching(/no WebRTC/),
    });
  });

  it('is cancelled when the page leaves', async () => {
    const { live, link } = call({}, { hasCandidates: false });
    const asked = refused(live.version(signal));
    link.close();
    expect((await asked).code).toBe('cancelled');
  });

  it('that fails leaves no connection open', async () => {
    const opened = countConnections();
    const { live } = call(
      {},
      {
        onCall() {
          throw new ConnectError('no', Code.PermissionDenied);
        },
      },
    );
    await refused(live.version(signal));
    expect(opened.map(({ connectionState }) => connectionState)).toEqual(['closed']);
  });

  it('leaves no connection open, over fifty of them', async () => {
    const opened = countConnections();
    for (let dial = 0; dial < 50; dial++) {
      const { live, link } = call();
      await live.version(signal);
      link.close();
      expect((await refused(live.version(signal))).code).toBe('cancelled');
    }
    expect(opened).toHaveLength(100);
    await vi.waitFor(
      () => expect(opened.filter(({ connectionState }) => connectionState !== 'closed')).toEqual([]),
      20_000,
    );
  });
});
