import { describe, expect, it, vi } from 'vitest';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { FoundCause, FoundCauses, ModelDescription, SymptomReport } from '../../../../workers/vision/protocol.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import { setModelAttributes } from '../../../machine/config/edit/edit-config.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import type { FitState } from '../fit/fit-state.svelte.ts';
import { LabelsState } from '../models/labels-state.svelte.ts';
import { ModelsState } from '../models/models-state.svelte.ts';
import { SolverState } from './solver-state.svelte.ts';

const cause = (cure: Partial<FoundCause['cure']> = {}): FoundCause => ({
  title: 'Boxes are x, y, x, y',
  why: 'They stay.',
  changes: ['box-order'],
  quality: 1,
  isPresent: false,
  isSure: false,
  boxes: [],
  classes: [],
  cure: {
    edits: { attributes: { boxOrder: [0, 1, 2, 3] }, labelConfidences: null, needs: [], fitOptions: {} },
    labels: null,
    filter: null,
    turnDegs: 0,
    ...cure,
  },
});

const usual = { source: 'family', guess: null, familyName: 'YOLOX', bgr: false, range: null } as const;
const recognition = { kind: 'family', feeding: usual };

/** A bench whose worker keeps each search until the test answers it. */
async function bench(metadata: ModelDescription['metadata'] = {}, recognised: object = recognition) {
  const searches: {
    readonly report: SymptomReport;
    readonly signal: AbortSignal;
    tell(fraction: number): void;
    answer(causes: readonly FoundCause[] | Error): void;
  }[] = [];
  let open = 0;
  const model: Partial<ModelDescription> = {
    modelId: 'm',
    fileName: 'm.onnx',
    inputs: [{ name: 'image', dtype: 'float32', shape: [1, 3, 8, 8], symbols: [] }],
    outputs: [],
    labels: ['cat', 'dog'],
    metadata,
  };
  const client: Partial<VisionClient> = {
    onBackendDecided: () => () => {},
    onModelLost: () => () => {},
    loadModel: async () => ({ ...model, format: { name: 'onnx' } }) as ModelDescription,
    storedModels: async () => [],
    findCauses: (report, tell, signal) =>
      new Promise<FoundCauses>((resolve, reject) => {
        searches.push({
          report,
          signal,
          tell,
          answer(causes) {
            if (causes instanceof Error) return reject(causes);
            open++;
            resolve({ causes, picture: { close: () => void open-- } as ImageBitmap });
          },
        });
      }),
  };
  const memory = memoryStorage();
  const config = new ConfigState();
  const attributes = { mlmodel_name: 'm', label_path: 'pets.txt' };
  config.importText(
    JSON.stringify({ services: [{ name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes }] }),
  );
  const models = new ModelsState(client as VisionClient, memory);
  const labels = new LabelsState(config, models);
  const rewrite = vi.fn(async () =>
    config.edit('Machine-ready m.onnx', (text) => setModelAttributes(text, 'v', { bgr: true })),
  );
  const fit = { open: vi.fn(), rewrite, canOpen: () => true, recognitionOf: () => recognised } as unknown as FitState;
  await models.load({ kind: 'url', url: 'https://example.org/m.onnx' }, 'v');
  labels.give('v', ['background', 'cat', 'dog'], 'pets.txt');
  const solver = new SolverState({ config, models, labels, fit, serviceName: 'v' }, client as VisionClient);
  solver.open();
  return { solver, config, labels, fit, searches, service: () => config.service!, open: () => open };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('a feeding that is only guessed', () => {
  const guessed = { 'sightglass.feeding': '{}', 'sightglass.feeding_guess': 'TensorFlow’s way, a guess.' };

  it('is called a guess, with its reason, until a person chooses another', async () => {
    const { solver, config } = await bench(guessed);
    expect(solver.guess).toBe('TensorFlow’s way, a guess.');
    config.edit('feed 0 to 1', (text) => setModelAttributes(text, 'v', { meanValue: [0, 0, 0], stdDev: [1, 1, 1] }));
    expect(solver.guess).toBe('');
  });

  it('is none where the file or its family knows it', async () => {
    expect((await bench({ 'sightglass.feeding': '{}' })).solver.guess).toBe('');
    expect((await bench()).solver.guess).toBe('');
  });

  it('is the machine’s default where nothing says anything', async () => {
    const { solver } = await bench({}, { kind: 'fits' });
    expect(solver.guess).toMatch(/Nothing in its file says it; values from −1 to 1/);
  });
});

describe('the search for causes', () => {
  it('says how the model’s file wants to be fed, rather than how its family usually is', async () => {
    const { solver, searches } = await bench({ 'sightglass.feeding': '{"input_image_bgr":true}' });
    void solver.choose('unsure');
    const statedFeeding = { source: 'fitted', guess: null, familyName: '', bgr: true, range: null };
    expect(searches[0]!.report).toMatchObject({ statedFeeding });
  });

  it('says what was chosen and drawn, and how far it is', async () => {
    const { solver, searches } = await bench();
    void solver.choose('mirrored');
    searches[0]!.tell(0.5);
    expect([solver.progress, searches[0]!.report]).toEqual([
      0.5,
      { symptom: 'mirrored', drawn: [], ownLabels: ['cat', 'dog'], statedFeeding: usual },
    ]);
    searches[0]!.answer([cause()]);
    await settled();
    expect([solver.progress, solver.found?.causes.length]).toEqual([null, 1]);
    const drawn = { box: [0, 0, 1, 1], label: '' } as const;
    void solver.draw(drawn);
    expect(searches[1]!.report).toMatchObject({ symptom: 'mirrored', drawn: [drawn] });
    void solver.forgetDrawn();
    expect(searches[2]!.report.drawn).toEqual([]);
  });

  it('is overtaken by the next, given up by Cancel and closes its pictures', async () => {
    const { solver, searches, open } = await bench();
    void solver.choose('nothing');
    void solver.choose('corner');
    expect(searches[0]!.signal.aborted).toBe(true);
    searches[0]!.answer([cause()]);
    await settled();
    expect([solver.found, open()]).toEqual([null, 0]);
    searches[1]!.answer([cause(), cause()]);
    await settled();
    expect([solver.found?.causes.length, open()]).toEqual([2, 1]);
    void solver.choose('unsure');
    solver.cancel();
    searches[2]!.answer(new Error('aborted'));
    await settled();
    expect([solver.progress, solver.fault, searches[2]!.signal.aborted]).toEqual([null, null, true]);
    solver.close();
    expect([solver.isOpen, solver.found, solver.symptom, open()]).toEqual([false, null, null, 0]);
  });

  it('says why it failed, or found nothing to try', async () => {
    const { solver, searches } = await bench();
    void solver.choose('unsure');
    searches[0]!.answer(new Error('The session is gone.'));
    await settled();
    expect(solver.fault).toBe('Nothing could be tried: The session is gone.');
    void solver.choose('unsure');
    searches[1]!.answer([]);
    await settled();
    expect(solver.fault).toContain('neither boxes nor classes');
  });
});

describe('what is done about a cause', () => {
  it('is one step to undo', async () => {
    const { solver, config, service } = await bench();
    const before = config.text;
    await solver.use(cause({ filter: { defaultMinimumConfidence: 0.4, labelConfidences: {} } }));
    expect(service()).toMatchObject({ boxOrder: [0, 1, 2, 3], defaultMinimumConfidence: 0.4 });
    expect([solver.isOpen, solver.written]).toEqual([false, 'Wrote into the configuration: Boxes are x, y, x, y.']);
    solver.takeBack();
    expect([config.text, solver.written]).toEqual([before, '']);
  });

  it('brings labels back by undo, though they do not stand in the text', async () => {
    const { solver, config, labels } = await bench();
    const edits = { attributes: {}, labelConfidences: null, needs: [], fitOptions: {} };
    await solver.use(cause({ edits, labels: ['cat', 'dog'] }));
    expect(labels.of('v')).toEqual(['cat', 'dog']);
    config.undo();
    await settled();
    expect(labels.of('v')).toEqual(['background', 'cat', 'dog']);
    config.redo();
    await settled();
    expect(labels.of('v')).toEqual(['cat', 'dog']);
  });

  it('is handed over where the model has to be written anew', async () => {
    const { solver, config, fit } = await bench();
    const before = config.text;
    await solver.use(
      cause({ edits: { ...cause().cure.edits, needs: ['Corners.'], fitOptions: { boxForm: 'centre and size' } } }),
    );
    expect(fit.open).toHaveBeenCalledWith(expect.objectContaining({ modelId: 'm' }), { boxForm: 'centre and size' });
    expect([config.text, solver.isOpen, solver.canRewrite()]).toEqual([before, false, true]);
  });

  it.each(['fits', 'family'])(
    'is a border in the graph where frames are stretched, by one click and one undo: %s',
    async (kind) => {
      const { solver, config, fit } = await bench({}, { ...recognition, kind });
      const before = config.text;
      const edits = { ...cause().cure.edits, attributes: {}, needs: ['A border.'], fitOptions: { letterbox: 'pad' } };
      const stretched = { ...cause({ edits }), changes: ['letterbox'] } as const;
      expect(solver.canPad(stretched)).toBe(true);
      await solver.use(stretched);
      expect(fit.rewrite).toHaveBeenCalledWith(expect.objectContaining({ modelId: 'm' }));
      expect([fit.open, solver.isOpen]).toEqual([
        expect.objectContaining({ mock: expect.objectContaining({ calls: [] }) }),
        false,
      ]);
      expect(solver.written).toMatch(/^Wrote the border/);
      solver.takeBack();
      expect([config.text, solver.written]).toEqual([before, '']);
    },
  );

  it('is no border alone where more is wrong, or nothing is known of the model', async () => {
    const { solver } = await bench({}, { ...recognition, kind: 'fits' });
    expect(solver.canPad({ changes: ['letterbox', 'box-order'] })).toBe(false);
    expect((await bench({}, { kind: 'other' })).solver.canPad({ changes: ['letterbox'] })).toBe(false);
  });
});
