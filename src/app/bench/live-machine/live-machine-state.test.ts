import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deferred } from '../../../../tests/deferred.ts';
import { linkPretended, type PretendedMachine } from '../../../../tests/live-machine-fixture.ts';
import { memoryKeys } from '../../../../tests/memory-keys.ts';
import { LinkError } from '../../../remote/live-machine/link-error.ts';
import type { LiveMachine, VisionAbilities } from '../../../remote/live-machine/live-machine.ts';
import type { FrameInfo } from '../../../machine/vision/frame/frame-info.ts';
import type { LiveMachinePort, MachineKey } from './live-machine-port.ts';
import { LiveMachineState } from './live-machine-state.svelte.ts';

const answer = {
  detections: [{ label: 'cat', score: 0.5, xMin: 0, yMin: 0, xMax: 9, yMax: 9 }],
  classifications: null,
};

function setUp(machine: PretendedMachine = {}, given: Partial<LiveMachinePort> = {}) {
  const opened: { url: string; key: MachineKey | null }[] = [];
  const { kept, keys } = memoryKeys();
  const memory = new Map<string, string>();
  const port: LiveMachinePort = {
    pageUrl: 'http://localhost/',
    keys: async () => keys,
    async open(url, key) {
      opened.push({ url, key });
      return linkPretended({ answer: () => answer, ...machine });
    },
    ...given,
  };
  const state = new LiveMachineState(port, {
    getItem: (key) => memory.get(key) ?? null,
    setItem: (key, value) => void memory.set(key, value),
  });
  return { state, opened, kept, memory };
}

/** Shows the first so many frames, then stops. */
function firstFrames(state: LiveMachineState, count: number): Promise<readonly FrameInfo[]> {
  return new Promise((resolve, reject) => {
    const seen: FrameInfo[] = [];
    const show = async (_image: Blob, info: FrameInfo): Promise<void> => {
      seen.push(info);
      if (seen.length < count) return;
      state.stop();
      resolve(seen);
    };
    state.follow(show).catch(reject);
  });
}

describe('a live machine on the bench', () => {
  beforeAll(() => {
    for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => undefined); // a page's
  });
  afterAll(() => void vi.unstubAllGlobals());

  it('is connected by its address, and lists what it has', async () => {
    const { state, opened } = setUp();
    state.address = 'robot.local';
    await state.connect(null);
    expect(opened).toEqual([{ url: 'http://robot.local:8080', key: null }]);
    expect([state.host, state.version, state.cameras, state.visionServices]).toEqual([
      'robot.local:8080',
      'v1.2.3',
      ['cam'],
      ['v'],
    ]);
    expect([state.visionName, state.cameraName, state.fault]).toEqual(['v', 'cam', null]);
  });

  it('stays left where it answers after it was', async () => {
    const [asked, version] = [deferred<void>(), deferred<{ readonly version: string }>()];
    const late = (): LiveMachine => ({
      ...linkPretended({}),
      resources: async () => [],
      health: () => Promise.reject(new LinkError('too-old', 'no', 'no')),
      version: () => {
        asked.resolve();
        return version.promise as ReturnType<LiveMachine['version']>;
      },
    });
    const { state, memory } = setUp({}, { open: async () => late() });
    state.address = 'robot';
    const connecting = state.connect(null);
    await asked.promise;
    state.disconnect();
    version.resolve({ version: 'v1' });
    await connecting;
    expect([state.host, state.version, state.cameras, state.fault, memory.size]).toEqual(['', '', [], null, 0]);
  });

  it('says which service it could not build and why, and shows frames only', async () => {
    const { state } = setUp({ visionError: 'no model service "m"' });
    state.address = 'robot';
    await state.connect(null);
    expect(state.unbuilt).toEqual(['Its vision service “v” is not built: no model service "m"']);
    expect([state.visionName, state.cameraName, state.fault]).toEqual(['', 'cam', null]);
    state.disconnect();
    expect(state.unbuilt).toEqual([]);
  });

  it('takes one that does not say how it is as it is', async () => {
    const health = () => Promise.reject(new LinkError('too-old', 'no', 'no'));
    const { state } = setUp({}, { open: async () => ({ ...linkPretended({}), health }) });
    state.address = 'robot';
    await state.connect(null);
    expect([state.unbuilt, state.visionName, state.fault]).toEqual([[], 'v', null]);
  });

  it('remembers where it was, and no key', async () => {
    const { state, memory } = setUp();
    Object.assign(state, { address: 'robot', keyId: 'id-1', key: 's3cret' });
    await state.connect(null);
    expect([...memory.values()].join()).toContain('robot');
    expect([...memory.values()].join()).toContain('id-1');
    expect([...memory.values()].join()).not.toContain('s3cret');
  });

  it('gives its key to the keeper of keys, as asked, and takes it from there later', async () => {
    const { state, opened, kept } = setUp();
    Object.assign(state, { address: 'robot', keyId: 'id-1', key: 's3cret', keepKey: true });
    await state.connect(null);
    expect(kept.get('http://robot:8080 id-1')).toEqual({ key: 's3cret', keep: true });
    state.key = '';
    await state.connect(null);
    expect(opened.map(({ key }) => key)).toEqual(Array(2).fill({ id: 'id-1', secret: 's3cret' }));
  });

  it('says before it tries what a page over https cannot call, and what is no address', async () => {
    const { state, opened } = setUp({}, { pageUrl: 'https://app.example/' });
    state.address = 'robot.local';
    await state.connect(null);
    expect(state.fault?.message).toMatch(/came over https/);
    state.address = 'ftp://robot';
    await state.connect(null);
    expect(state.fault?.message).toMatch(/not the address/);
    expect(opened).toEqual([]);
  });

  it('says why it could not connect, and is not connected', async () => {
    const gone = new LinkError('no-answer', 'robot does not answer.', 'See that it is on.');
    const { state } = setUp({}, { open: () => Promise.reject(gone) });
    state.address = 'robot';
    await state.connect(null);
    expect([state.fault, state.machine, state.busy]).toEqual([{ message: gone.message, cure: gone.cure }, null, false]);
  });

  it('shows frames by number, with the time of the machine and what it said of each', async () => {
    const { state } = setUp({ image: () => Uint8Array.of(1) });
    state.address = 'robot';
    await state.connect('v');
    // A picture at once; the first one that the service saw, and again with the machine’s word.
    const frames = await firstFrames(state, 5);
    expect(frames.map(({ name, index }) => `${name} ${index}`)).toEqual([
      'cam · robot:8080 0',
      'cam · robot:8080 1',
      'cam · robot:8080 1',
      'cam · robot:8080 2',
      'cam · robot:8080 3',
    ]);
    for (const frame of [frames[3]!, frames[4]!]) expect(state.saidOf(frame)).toEqual(answer); // also of a frame on its way
    expect(state.saidOf(frames[0]!)).toBeNull(); // a frame of another picture
    expect(state.saidOf({ ...frames[4]!, name: 'sample1.jpg' })).toBeNull();
    expect(state.saidOf({ ...frames[4]!, index: 99 })).toBeNull();
    expect(state.isFollowing).toBe(false);
    const [again] = await firstFrames(state, 1);
    expect(again!.index).toBe(4); // no number is given twice: the frame on the stage is still another
    expect(state.saidOf(frames[0]!)).toBeNull();
  });

  it('shows frames alone where no service is chosen, with the camera’s time', async () => {
    const { state } = setUp();
    state.address = 'robot';
    await state.connect(null);
    await state.chooseVision('');
    const [frame] = await firstFrames(state, 1);
    expect(frame).toMatchObject({ timestampMs: 12_500, takenAtMs: 12_500 });
    expect(state.saidOf(frame!)).toBeNull();
  });

  it('names the kinds of a camera that gives no picture', async () => {
    const { state } = setUp({ mediaType: 'image/vnd.viam.dep' });
    state.address = 'robot';
    await state.connect(null);
    await state.chooseVision('');
    await state.follow(async () => undefined);
    await expect.poll(() => state.fault?.message).toBe('Camera "cam" gives image/vnd.viam.dep.');
    expect(state.isFollowing).toBe(false);
  });

  it('takes no word of a service for another’s, however late its abilities come', async () => {
    const { state } = setUp(
      {},
      {
        async open() {
          const machine = linkPretended({ answer: () => answer });
          const abilities: Record<string, Promise<VisionAbilities>> = { slow: slow.promise, quick: quick.promise };
          return {
            ...machine,
            visionAbilities: (name, signal) => abilities[name] ?? machine.visionAbilities(name, signal),
          };
        },
      },
    );
    const [slow, quick] = [deferred<VisionAbilities>(), deferred<VisionAbilities>()];
    state.address = 'robot';
    await state.connect('v');
    const [, , frame] = await firstFrames(state, 3);
    expect(state.saidOf(frame!)).toEqual(answer);

    const first = state.chooseVision('slow');
    expect(state.saidOf(frame!)).toBeNull();
    const second = state.chooseVision('quick');
    quick.resolve({ detects: true, classifies: false, defaultCamera: '' });
    await second;
    slow.resolve({ detects: false, classifies: true, defaultCamera: '' });
    await first;
    expect([state.visionName, state.abilities]).toMatchObject(['quick', { detects: true, classifies: false }]);
  });

  it('gives up on a machine that is still being reached', async () => {
    const never = new Promise<never>(() => {});
    const { state } = setUp({}, { open: () => never });
    state.address = 'robot';
    void state.connect(null);
    expect(state.busy).toBe(true);
    state.disconnect();
    expect([state.busy, state.machine, state.fault]).toEqual([false, null, null]);
  });

  it.each([
    ['of a camera that fails, with the machine’s words', 'failed', 'lens cap on'],
    ['of a machine that is out of reach, which says nothing', 'no-answer', ''],
  ] as const)('tells %s, and goes on when it is mended', async (_, code, said) => {
    const camera = { works: true };
    const { state } = setUp(
      {},
      {
        async open() {
          const machine = linkPretended({});
          const images: LiveMachine['images'] = (...asked) =>
            camera.works
              ? machine.images(...asked)
              : Promise.reject(new LinkError(code, 'lens cap on', 'Take it off.'));
          return { ...machine, images };
        },
      },
    );
    state.address = 'robot';
    await state.connect(null);
    await state.chooseVision('');
    state.frames.rate = 10;
    let shown = 0;
    await state.follow(async () => void (camera.works = ++shown > 1));
    await expect.poll(() => state.frames.waitsSinceMs).toEqual(expect.any(Number));
    expect([state.isFollowing, state.frames.trouble, state.fault]).toEqual([true, said, null]);
    camera.works = true;
    await expect.poll(() => state.frames.waitsSinceMs).toBeNull();
    expect([state.isFollowing, state.frames.trouble]).toEqual([true, '']);
    state.stop();
  });

  it('forgets all of it when it is disconnected', async () => {
    const { state } = setUp();
    state.address = 'robot';
    await state.connect(null);
    expect(state.abilities).not.toBeNull();
    state.disconnect();
    expect([state.machine, state.cameras, state.host, state.isFollowing]).toEqual([null, [], '', false]);
    expect(state.abilities).toBeNull();
  });
});
