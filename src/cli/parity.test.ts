import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { PretendedMachine } from '../../tests/live-machine-fixture.ts';
import { brightestPixelDetector } from '../../tests/models.ts';
import { serveMachine } from '../../tests/serve-live-machine.ts';
import { decodeStill } from '../platform/decode/still.ts';
import { writePngFile } from '../platform/node/frame-file.ts';
import { openSession } from '../platform/node/open-session.ts';
import { reportOf } from './cli-error.ts';
import { parseCommand, type Command } from './arguments.ts';
import { buildMachine } from './load-machine.ts';
import { loadConfig } from './load-config.ts';
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
async function realAnswers(configName = 'machine.json'): Promise<PretendedMachine> {
  const parts = {
    visionName: 'v',
    modelPaths: { unnamed: at('model.onnx'), byName: {} },
    labelPaths: { unnamed: null, byName: {} },
    cameraName: null,
    source: null,
    strict: true,
  };
  const { machine } = await buildMachine(await loadConfig(at(configName)), parts, () => {});
  const session = await openSession(new Uint8Array(await readFile(at('model.onnx'))));
  return {
    image: () => picture,
    model: { inputs: session.inputs, outputs: session.outputs, run: (feeds) => session.run(feeds) },
    answer: async (bytes) => ({
      detections: await machine.detections('v', decodeStill(new Uint8Array(bytes))!),
      classifications: null,
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
