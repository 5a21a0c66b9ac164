import { describe, expect, it } from 'vitest';
import { imageInput } from '../../../../tests/fixed-session.ts';
import { linkPretended } from '../../../../tests/live-machine-fixture.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { FrameResult, ModelDescription } from '../../../../workers/vision/protocol.ts';
import type { AnyModelSource } from '../../../platform/ports/model-source.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import { ModelsState } from '../models/models-state.svelte.ts';
import { BorrowState } from './borrow-state.svelte.ts';
import { LiveMachineState } from '../live-machine/live-machine-state.svelte.ts';

const url = 'http://robot:8080';
const model = { inputs: [imageInput([1, 2, 2, 3])], outputs: [], run: () => Promise.reject(new Error('not run here')) };

const described = (changes: Partial<ModelDescription>) =>
  ({ inputs: model.inputs, outputs: [], format: null, labels: null, boxOrder: null, ...changes }) as ModelDescription;

function setUp(memory = memoryStorage()) {
  const loaded: AnyModelSource[] = [];
  const unloaded: string[] = [];
  const client: Partial<VisionClient> = {
    onBackendDecided: () => () => {},
    onModelLost: () => () => {},
    async loadModel(source) {
      loaded.push(source);
      return source.kind === 'live'
        ? described({ modelId: `m @ ${url}`, fileName: source.modelName, backend: 'live', runsAt: source.url })
        : described({ modelId: 'own', fileName: 'own.onnx', backend: 'wasm', runsAt: '' });
    },
    unloadModel: async (id) => void unloaded.push(id),
    storedModels: async () => [],
  };
  const machine = new LiveMachineState(
    {
      pageUrl: 'http://localhost/',
      open: async () => linkPretended({ model }),
      keys: () => Promise.reject(new Error('no key')),
    },
    memory,
    (left) => borrowing.giveBack(left),
  );
  const config = new ConfigState();
  const models = new ModelsState(client as VisionClient, memory);
  const serviceName = (): string => config.visionName ?? '';
  const borrowing: BorrowState = new BorrowState({ machine, models, config, serviceName }, memory);
  const follow = (): void => borrowing.follow(models.of(serviceName()));
  return { machine, config, models, borrowing, loaded, unloaded, memory, serviceName, follow };
}

const live = { kind: 'live', url, modelName: 'm', key: null } as const;

async function connected(memory = memoryStorage()) {
  const place = setUp(memory);
  place.machine.address = url;
  await place.machine.connect(null);
  await place.borrowing.list();
  return place;
}

async function borrowed(memory = memoryStorage()) {
  const place = await connected(memory);
  place.borrowing.ask(place.borrowing.offers![0]!);
  await place.borrowing.accept();
  place.follow();
  return place;
}

describe('the model of the tuned service', () => {
  const tuned = (name: string): string =>
    JSON.stringify({
      services: [{ name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: name } }],
    });

  it('is one that the connected machine can run, until the bench has one', async () => {
    const { borrowing, config, machine } = await connected();
    config.importFile(tuned('m'), 'machine.json');
    expect(borrowing.tunedThere).toBe('m');
    machine.disconnect();
    expect(borrowing.tunedThere).toBeNull(); // nobody is there to run it
    await machine.connect(null);
    await borrowing.offerTuned();
    await borrowing.accept();
    expect(borrowing.tunedThere).toBeNull();
  });

  it('is offered where the machine has it', async () => {
    const { borrowing, config, loaded } = await connected();
    config.importFile(tuned('m'), 'machine.json');
    await borrowing.offerTuned();
    expect(borrowing.asked).toMatchObject({ name: 'm' });
    expect(loaded).toEqual([]);
  });

  it('is not offered where the machine lacks it, or the bench has one', async () => {
    const { borrowing, config, models, serviceName } = await connected();
    config.importFile(tuned('other'), 'machine.json');
    await borrowing.offerTuned();
    expect(borrowing.asked).toBeNull();
    config.importFile(tuned('m'), 'machine.json');
    await models.load({ kind: 'file', file: new File([], 'own.onnx') }, serviceName());
    await borrowing.offerTuned();
    expect(borrowing.asked).toBeNull();
  });
});

describe('borrowing a model', () => {
  it('lists what the machine’s models take, or why that is not known', async () => {
    const { borrowing } = await connected();
    expect(borrowing.offers).toMatchObject([{ name: 'm', metadata: { inputs: [{ name: 'image' }] }, fault: '' }]);
    const place = setUp();
    await place.borrowing.list();
    expect(place.borrowing.offers).toBeNull();
  });

  it('sends nothing before a yes', async () => {
    const { borrowing, loaded } = await connected();
    borrowing.ask(borrowing.offers![0]!);
    expect(borrowing.asked?.name).toBe('m');
    borrowing.refuse();
    await borrowing.accept();
    expect(loaded).toEqual([]);
  });

  it('runs it for the tuned service, and names its model service in the configuration, in a step that undo takes back', async () => {
    const { loaded, models, serviceName, config, machine } = await borrowed();
    expect(loaded).toEqual([live]);
    expect(models.of(serviceName())).toMatchObject({ backend: 'live', runsAt: url, fileName: 'm' });
    expect(models.sourceOf(`m @ ${url}`)).toBeNull();
    expect(config.service?.mlModelName).toBe('m');
    config.undo();
    expect(config.service?.mlModelName).not.toBe('m');
    expect(machine.modelSource('m')).toEqual(live);
  });

  it('gives it back when the machine is left', async () => {
    const { machine, unloaded, models, serviceName, borrowing, follow } = await borrowed();
    machine.disconnect();
    follow();
    expect(unloaded).toEqual([`m @ ${url}`]);
    expect(models.of(serviceName())).toBeNull();
    expect(borrowing.before).toEqual({ url, modelName: 'm' });
    await borrowing.again();
    expect(models.of(serviceName())).toMatchObject({ runsAt: url });
  });

  it('is remembered over a reload, and goes on when that is asked for alone', async () => {
    const { memory } = await borrowed();
    const { borrowing, loaded, models } = setUp(memory);
    expect(borrowing.before).toEqual({ url, modelName: 'm' });
    expect(loaded).toEqual([]);
    await borrowing.again();
    expect(loaded).toEqual([live]);
    expect(models.inMemory).toHaveLength(1);
  });

  it('is over with the next model of one’s own', async () => {
    const { borrowing, models, serviceName, memory, follow } = await borrowed();
    await models.load({ kind: 'builtin', id: 'face-detector' }, serviceName());
    follow();
    expect(borrowing.before).toBeNull();
    expect(setUp(memory).borrowing.before).toBeNull();
  });

  it('tells what its calls cost, of this model alone', async () => {
    const { borrowing, models, serviceName, follow } = await borrowed();
    expect(borrowing.cost).toBeNull();
    const result = (inferenceMs: number, sentBytes?: number) =>
      ({ timings: { inferenceMs }, ...(sentBytes && { traffic: { sentBytes, receivedBytes: 8 } }) }) as FrameResult;
    borrowing.count(result(7));
    expect(borrowing.cost).toBeNull();
    for (const ms of [9, 100, 11]) borrowing.count(result(ms, 12));
    expect(borrowing.cost).toEqual({ sentBytes: 12, receivedBytes: 8, medianMs: 11, calls: 3 });
    for (let call = 0; call < 60; call++) borrowing.count(result(5, 12));
    expect(borrowing.cost).toMatchObject({ medianMs: 5, calls: 50 });
    await models.load({ kind: 'builtin', id: 'face-detector' }, serviceName());
    follow();
    expect(borrowing.cost).toBeNull();
  });
});
