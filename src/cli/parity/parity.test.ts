import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { PretendedMachine } from '../../../tests/live-machine-fixture.ts';
import { brightestPixelDetector, channelMeansClassifier } from '../../../tests/models.ts';
import { serveMachine } from '../../../tests/serve-live-machine.ts';
import { decodeStill } from '../../platform/decode/still.ts';
import { writePngFile } from '../../platform/node/frame-file.ts';
import { openSession } from '../../platform/node/open-session.ts';
import { reportOf } from '../record/cli-error.ts';
import { parseCommand, type Command } from '../../../tests/parse-command.ts';
import { buildMachine } from '../shared/load-machine.ts';
import { loadConfig } from '../shared/load-config.ts';
import { parity } from './parity.ts';

let folder = '';
let picture = new Uint8Array();
/** in which nothing is above a half */
let blank = new Uint8Array();
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightglass-parity-'));
  await writeFile(at('model.onnx'), brightestPixelDetector());
  const service = (name: string, attributes: object) => ({
    name,
    api: 'rdk:service:vision',
    model: 'mlmodel',
    attributes,
  });
  const model = { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: {} };
  const write = (name: string, attributes: object) =>
    writeFile(at(name), JSON.stringify({ services: [model, service('v', { mlmodel_name: 'm', ...attributes })] }));
  await write('machine.json', {});
  await write('strict.json', { default_minimum_confidence: 1 });
  await writeFile(at('classifier.onnx'), channelMeansClassifier());
  await write('bgr.json', { input_image_bgr: true });
  await write('half.json', { default_minimum_confidence: 0.5 });
  const samples = new Uint8ClampedArray(4 * 8 * 4).fill(255);
  for (let i = 0; i < samples.length; i += 4) samples.set([10, 20, 30, 255], i);
  samples.set([200, 200, 200, 255], 4 * (8 * 1 + 6));
  await writePngFile(at('a.png'), { format: 'rgba8', widthPx: 8, heightPx: 4, samples });
  picture = new Uint8Array(await readFile(at('a.png')));
  await writePngFile(at('blank.png'), { format: 'rgba8', widthPx: 8, heightPx: 4, samples: samples.fill(1) });
  blank = new Uint8Array(await readFile(at('blank.png')));
});
afterAll(() => rm(folder, { recursive: true }));

/** A machine that really runs the model behind its service. */
async function realAnswers(configName = 'machine.json', modelName = 'model.onnx'): Promise<PretendedMachine> {
  const parts = {
    visionName: 'v',
    modelPaths: { unnamed: at(modelName), byName: {} },
    labelPaths: { unnamed: null, byName: {} },
    cameraName: null,
    source: null,
    strict: true,
    runtime: 'wasm',
  } as const;
  const { machine } = await buildMachine(await loadConfig(at(configName)), parts, () => {});
  const session = await openSession(new Uint8Array(await readFile(at(modelName))));
  const classifies = modelName === 'classifier.onnx';
  return {
    detects: !classifies,
    classifies,
    image: () => picture,
    model: { inputs: session.inputs, outputs: session.outputs, run: (feeds) => session.run(feeds) },
    answer: async (bytes) => ({
      detections: classifies ? null : await machine.detections('v', decodeStill(new Uint8Array(bytes))!),
      classifications: classifies ? await machine.classifications('v', decodeStill(new Uint8Array(bytes))!, 0) : null,
    }),
  };
}

interface Said {
  readonly code: number;
  readonly report: Record<string, unknown>;
  readonly words: string;
}

async function compared(machine: PretendedMachine, ...more: readonly string[]): Promise<Said> {
  const served = await serveMachine(machine);
  onTestFinished(() => served.close());
  const words: string[] = [];
  let report = {};
  const command = parseCommand(['parity', '--machine', served.url, '--vision=v', '--frames=3', ...more]);
  const code = await parity(command as Extract<Command, { name: 'parity' }>, {
    print: (value) => (report = value),
    say: (text) => words.push(text),
  });
  return { code, report, words: words.join('\n') };
}

describe('parity with a machine that answers', () => {
  it('is equal with its model and its configuration', async () => {
    const { code, report, words } = await compared(
      await realAnswers(),
      '--config',
      at('machine.json'),
      '--model',
      at('model.onnx'),
    );
    expect(words).toContain('Equal on 3 frames (1 picture, 3 rows).');
    expect(words).toContain('Cannot tell yet'); // one picture shows too little
    expect(report).toMatchObject({
      machineVersion: 'v1.2.3',
      frames: 3,
      counts: { equal: 3 },
      asked: 'both-ways',
      modelFileName: 'model.onnx',
      modelSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(code).toBe(0);
  });

  it('borrows the machine’s model where none is given, with the same tensors', async () => {
    const { code, report } = await compared(await realAnswers(), '--config', at('machine.json'));
    expect(report).toMatchObject({ counts: { equal: 3 }, backend: 'model service "m" of the machine' });
    expect(code).toBe(0);
  });

  it('needs no configuration where nothing is filtered', async () => {
    const { report } = await compared(await realAnswers(), '--model', at('model.onnx'));
    expect(report).toMatchObject({ counts: { equal: 3 } });
  });

  it('fails where thresholds are others, says why, and draws it', async () => {
    const { code, report, words } = await compared(
      await realAnswers(),
      '--config',
      at('strict.json'),
      '--model',
      at('model.onnx'),
      '--report',
      at('report.html'),
    );
    expect(code).toBe(1);
    expect(report).toMatchObject({ counts: { differs: 3 } });
    expect(words).toMatch(/only on the machine: “0” 0\.\d{4} at /);
    expect(words).toContain('Differs on 3 of 3 frames');
    expect(await readFile(at('report.html'), 'utf8')).toContain('Differs on 3 of 3 frames');
  });

  it('names the attribute that makes both sides equal, and fails for it where scores alone differ', async () => {
    const machine = await realAnswers('bgr.json', 'classifier.onnx');
    const files = ['--config', at('machine.json'), '--model', at('classifier.onnx')];
    const { code, report, words } = await compared(machine, ...files);
    const cause = 'With input_image_bgr true both say the same; here it is false.';
    expect(report).toMatchObject({
      counts: { differs: 0 },
      reasons: [{ reason: 'other-attribute', words: cause, frames: 3 }],
    });
    expect(words).toContain(cause);
    expect(code).toBe(1);
  });

  describe('of a transform camera', () => {
    const step = (type: string, attributes: object) => ({ type, attributes });
    const rotated = (angle: number) => [
      step('rotate', { angle_degs: angle }),
      step('resize', { width_px: 24, height_px: 20 }),
    ];
    const camera = (name: string, attributes?: object) => ({
      name,
      api: 'rdk:component:camera',
      model: attributes ? 'transform' : 'fake',
      attributes: attributes ?? {},
    });

    /** The machine's transform camera does `there`, the configuration's `here`; its source gives these pictures in turn. */
    async function steps(there: readonly object[], here: readonly object[], pictures = [picture], source = 'cam') {
      const configOf = (pipeline: readonly object[]) => ({
        components: [
          camera('cam'),
          camera('t', { source: 'cam', pipeline }),
          camera('far'),
          camera('u', { source: 'far', pipeline }),
        ],
        services: [
          { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: {} },
          { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm' } },
        ],
      });
      await writeFile(at('there.json'), JSON.stringify(configOf(there)));
      await writeFile(at('here.json'), JSON.stringify(configOf(here)));
      const parts = {
        visionName: null,
        modelPaths: { unnamed: null, byName: {} },
        labelPaths: { unnamed: null, byName: {} },
        cameraName: 't',
        source: null,
        strict: true,
        runtime: null,
      };
      const { seenThrough } = await buildMachine(await loadConfig(at('there.json')), parts, () => {});
      const outputs = await Promise.all(
        pictures.map(async (bytes, index) => {
          await writePngFile(at(`out${index}.png`), await seenThrough('t', decodeStill(bytes)!));
          return new Uint8Array(await readFile(at(`out${index}.png`)));
        }),
      );
      let shown = 0;
      const name = source === 'cam' ? 't' : 'u';
      const machine = {
        ...(await realAnswers()),
        image: () => pictures[++shown % pictures.length]!,
        transformCamera: { name, image: () => outputs[shown % pictures.length]! },
      };
      return compared(machine, '--config', at('here.json'), '--model', at('model.onnx'), '--camera', name);
    }

    it('says that its steps give the same picture', async () => {
      const { code, report, words } = await steps(rotated(17.5), rotated(17.5));
      expect(report).toMatchObject({ steps: { cameraName: 't', verdict: 'same' }, notCompared: [] });
      expect(words.split('\n').at(-1)).toMatch(
        /^Equal on 3 frames .* The steps of camera “t” give the same picture there\.$/,
      );
      expect(code).toBe(0);
    });

    it.each([
      ['rotation', rotated(17.5), rotated(10), /differs by [\d.]+ of 255 levels/],
      [
        'crop',
        [step('crop', { x_min_px: 0, y_min_px: 0, x_max_px: 6, y_max_px: 4 })],
        [step('crop', { x_min_px: 0, y_min_px: 0, x_max_px: 7, y_max_px: 4 })],
        /6 × 4, and 7 × 4 by the steps here/,
      ],
      [
        'resize',
        [step('resize', { width_px: 16, height_px: 8 })],
        [step('resize', { width_px: 24, height_px: 12 })],
        /16 × 8, and 24 × 12/,
      ],
      ['step that is missing there', rotated(0).slice(1), rotated(90), /differs by/],
    ])('fails where its %s is another, and says so last', async (_, there, here, by) => {
      const { code, report, words } = await steps(there, here);
      expect(report).toMatchObject({ counts: { equal: 3 }, steps: { verdict: 'differs' } });
      expect(words.split('\n').at(-1)).toMatch(
        /^Equal on 3 frames .* Camera “t” gives another picture there: .*Its steps there are not those of this configuration\.$/,
      );
      expect(words).toMatch(by);
      expect(code).toBe(1);
    });

    it('says last, and in its JSON, what it could not compare', async () => {
      const moving = await steps(rotated(17.5), rotated(17.5), [picture, blank]);
      expect(moving.words.split('\n').at(-1)).toMatch(/Not compared: the steps of camera “t” \(cam moves, /);
      expect(moving.report).toMatchObject({
        steps: { verdict: 'not-compared' },
        notCompared: [expect.stringContaining('cam moves')],
      });
      expect(moving.code).toBe(0);
      const gone = await steps(rotated(0), rotated(0), [picture], 'far');
      expect(gone.words).toContain('Not compared: the steps of camera “u” (the machine has no camera “far”');
      const bare = await compared(await realAnswers(), '--model', at('model.onnx'));
      expect(bare.words).toContain('Not compared: the steps of camera “cam” (no configuration was given).');
      const borrowed = await compared(await realAnswers(), '--config', at('machine.json'));
      expect(borrowed.words).toContain(
        'Not compared: the model (it ran on the machine, for both sides); the steps of camera “cam” (the configuration here has no such camera).',
      );
    });
  });

  it('looks for the place of its report before it compares', async () => {
    let asked = 0;
    const answer = () => {
      asked++;
      return { detections: [], classifications: null };
    };
    const nowhere = compared({ answer }, '--model', at('model.onnx'), '--report', at('nowhere/report.html'));
    await expect(nowhere).rejects.toMatchObject({ code: 'not-writable', message: expect.stringContaining('nowhere') });
    expect(asked).toBe(0);
  });

  it('asks about the bytes where they are not what the service saw', async () => {
    const machine = await realAnswers();
    const { code, report, words } = await compared(
      { ...machine, captureAnswer: () => ({ detections: [], classifications: null }) },
      '--config',
      at('machine.json'),
      '--model',
      at('model.onnx'),
    );
    expect(words).toContain('encoded after the service has seen them');
    expect(report).toMatchObject({ counts: { equal: 3 }, asked: 'of-the-bytes' });
    expect(code).toBe(0);
  });

  it('learns from later frames how to ask, where the first one shows nothing', async () => {
    const machine = await realAnswers('half.json');
    const pictures = [blank, picture];
    const { code, report, words } = await compared(
      {
        ...machine,
        image: () => pictures.shift() ?? picture,
        captureAnswer: () => ({ detections: [], classifications: null }), // of the pixels before they were encoded
      },
      '--config',
      at('half.json'),
      '--model',
      at('model.onnx'),
    );
    expect(words).toMatch(/Cannot tell yet[^]*encoded after the service has seen them/);
    expect(report).toMatchObject({ counts: { equal: 3 }, rows: 2, asked: 'of-the-bytes' });
    expect(code).toBe(0);
  });

  it('counts rounding apart, and fails on it only where that is wanted', async () => {
    const machine = await realAnswers();
    const rounded: PretendedMachine = {
      ...machine,
      answer: async (bytes) => {
        const { detections, classifications } = await machine.answer!(bytes);
        return { classifications, detections: detections!.map((row) => ({ ...row, xMax: row.xMax + 1 })) };
      },
    };
    const args = ['--config', at('machine.json'), '--model', at('model.onnx')];
    const { code, report, words } = await compared(rounded, ...args);
    expect(report).toMatchObject({ counts: { rounding: 3, differs: 0 }, reasons: [{ reason: 'rounding', frames: 3 }] });
    expect(words).toContain('Same but for rounding between two runtimes on 3 of 3 frames');
    expect(code).toBe(0);
    expect((await compared(rounded, ...args, '--strict-rounding')).code).toBe(1);
  });

  it('gives the key of a file, and tells it to nobody', async () => {
    await writeFile(at('key'), 's3cret-key\n');
    const machine = { ...(await realAnswers()), key: 's3cret-key' };
    const key = ['--key-id', 'i', '--key-file', at('key')];
    const { code, report, words } = await compared(machine, '--model', at('model.onnx'), ...key);
    expect(code).toBe(0);
    expect(JSON.stringify(report) + words).not.toContain('s3cret');
    await expect(compared(machine, '--model', at('model.onnx'))).rejects.toMatchObject({ code: 'wrong-key' });
  });

  it('names the services that there are, and the address where nobody answers', async () => {
    await expect(compared({ ...(await realAnswers()), visionName: 'eyes' })).rejects.toThrow(
      'The machine has no vision service "v"; it has: "eyes".',
    );
    const gone = await serveMachine({});
    await gone.close();
    const command = parseCommand(['parity', '--machine', gone.url, '--vision=v']) as Extract<
      Command,
      { name: 'parity' }
    >;
    const asked = parity(command, { print: () => undefined, say: () => undefined });
    await expect(asked).rejects.toMatchObject({ code: 'no-answer', message: `${gone.url} does not answer.` });
    const reported = await asked.catch((error: unknown) => reportOf(error).message);
    expect(reported).toMatch(/does not answer\. See that the machine is on, /);
  });
});
