import { describe, expect, it } from 'vitest';
import type { CameraComparison } from '../../../../workers/vision/protocol.ts';
import { linkPretended, type PretendedMachine } from '../../../../tests/live-machine-fixture.ts';
import { memoryKeys } from '../../../../tests/memory-keys.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import { CameraCheck } from './camera-check.svelte.ts';
import { LiveMachineState } from '../live-machine/live-machine-state.svelte.ts';

const camera = (name: string, source?: string, type = 'rotate') => ({
  name,
  api: 'rdk:component:camera',
  model: source === undefined ? 'webcam' : 'transform',
  attributes: source === undefined ? {} : { source, pipeline: [{ type, attributes: {} }] },
});
const tuned = { name: 'tuned', image: () => Uint8Array.of(7) };

/** Pictures of a worker, of which is known how many are still held. */
function pictures() {
  let held = 0;
  const bitmap = (): ImageBitmap => {
    held += 1;
    return { close: () => void (held -= 1) } as ImageBitmap;
  };
  const compared = (): CameraComparison => ({
    here: bitmap(),
    there: bitmap(),
    hereSize: { widthPx: 2, heightPx: 1 },
    thereSize: { widthPx: 2, heightPx: 1 },
    stirLevels: 0,
    difference: { picture: bitmap(), largestLevels: 3, meanLevels: 1, blockLevels: 2, xPx: 0, yPx: 0 },
  });
  return { compared, held: () => held };
}

async function setUp(
  pretended: PretendedMachine = { transformCamera: tuned },
  components: readonly object[] = [camera('cam'), camera('tuned', 'cam'), camera('other', 'cam')],
) {
  const live = linkPretended(pretended);
  const port = { pageUrl: 'http://localhost/', open: async () => live, keys: async () => memoryKeys().keys };
  const machine = new LiveMachineState(port, memoryStorage());
  machine.address = 'robot';
  await machine.connect(null);
  const config = new ConfigState();
  config.importText(JSON.stringify({ components, services: [] }));
  const { compared, held } = pictures();
  const asked: (readonly [source: number[], theirs: number[], cameraName: string])[] = [];
  let compare = async (): Promise<CameraComparison> => compared();
  const bytesOf = async (image: Blob) => [...new Uint8Array(await image.arrayBuffer())];
  const compareCamera = async (source: Blob, theirs: Blob, name: string): Promise<CameraComparison> => {
    asked.push([await bytesOf(source), await bytesOf(theirs), name]);
    return compare();
  };
  const check = new CameraCheck({
    machine,
    config,
    session: { underPlan: (ask: (client: object) => unknown) => ask({ compareCamera }) } as unknown as SessionState,
  });
  return { check, machine, held, asked, compared, comparing: (next: typeof compare) => void (compare = next) };
}

describe('the check of a transform camera', () => {
  it('is of those that both have, with the camera that they begin with', async () => {
    const { check, machine } = await setUp();
    expect(check.cameras).toEqual([{ name: 'tuned', sourceName: 'cam', draws: false }]);
    expect(check.camera).toEqual({ name: 'tuned', sourceName: 'cam', draws: false });
    machine.disconnect();
    expect([check.cameras, check.camera]).toEqual([[], null]);
  });

  it.each([
    ['whose source the machine does not have', [camera('far'), camera('tuned', 'far')]],
    ['whose chain comes back to itself', [camera('tuned', 'other'), camera('other', 'tuned')]],
  ])('leaves one out %s', async (_, components) => {
    const { check } = await setUp({ transformCamera: tuned }, [camera('cam'), ...components]);
    expect(check.cameras).toEqual([]);
    await check.run();
    expect([check.checked, check.fault]).toEqual([null, null]);
  });

  it('compares the bytes that the machine sent, of one frame where its source stood still', async () => {
    const { check, asked } = await setUp();
    check.open();
    expect([check.isOpen, check.progress]).toEqual([true, true]);
    await expect.poll(() => check.progress).toBeNull();
    expect(asked).toEqual([[[1], [7], 'tuned']]);
    expect(check.checked).toMatchObject({
      name: 'tuned',
      sourceName: 'cam',
      isOneFrame: true,
      difference: { largestLevels: 3 },
    });
  });

  it('says that they are of two frames where the source moves', async () => {
    let at = 0;
    const { check } = await setUp({ transformCamera: tuned, image: () => Uint8Array.of(++at) });
    await check.run();
    expect(check.checked?.isOneFrame).toBe(false);
  });

  it.each([
    ['image/jpeg', 'detections', 'not-compared', 'draws'],
    ['image/png', 'detections', 'differs', undefined],
    ['image/jpeg', 'rotate', 'differs', undefined],
  ] as const)('of %s and with %s says of another picture: %s', async (mediaType, type, verdict, doubt) => {
    const components = [camera('cam'), camera('drawn', 'cam', type), camera('tuned', 'drawn')];
    const { check, compared, comparing } = await setUp({ transformCamera: tuned, mediaType }, components);
    comparing(() => {
      const { difference, ...rest } = compared();
      return Promise.resolve({ ...rest, difference: { ...difference!, blockLevels: 24 } });
    });
    await check.run();
    expect(check.checked).toMatchObject({ verdict, draws: type === 'detections', difference: { blockLevels: 24 } });
    expect(check.checked?.doubt).toBe(doubt);
  });

  it('says what failed, and forgets it with the next run', async () => {
    let image = (): Uint8Array => {
      throw new Error('The lens is off.');
    };
    const { check } = await setUp({ transformCamera: { name: 'tuned', image: () => image() } });
    await check.run();
    expect([check.checked, check.progress]).toEqual([null, null]);
    expect(check.fault?.cure).not.toBe('');
    image = () => Uint8Array.of(7);
    await check.run();
    expect([check.checked?.name, check.fault]).toEqual(['tuned', null]);
  });

  it('gives the pictures of the run before back, and all of them when it is closed', async () => {
    const { check, held } = await setUp();
    await check.run();
    await check.run();
    expect(held()).toBe(3);
    check.close();
    expect([held(), check.checked, check.isOpen]).toEqual([0, null, false]);
  });

  it('shows nothing of a run that another one overtook, or that it was closed over', async () => {
    const { check, held, comparing, compared } = await setUp();
    const answers: ((comparison: CameraComparison) => void)[] = [];
    comparing(() => new Promise((resolve) => answers.push(resolve)));
    const first = check.run();
    await expect.poll(() => answers.length).toBe(1);
    const second = check.run();
    await expect.poll(() => answers.length).toBe(2);
    answers[1]!(compared());
    await second;
    const shown = check.checked;
    answers[0]!(compared());
    await first;
    expect([check.checked === shown, held()]).toEqual([true, 3]);
    const third = check.run();
    await expect.poll(() => answers.length).toBe(3);
    check.close();
    answers[2]!(compared());
    await third;
    expect([check.checked, check.progress, held()]).toEqual([null, null, 0]);
  });
});
