import { copyFile, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { parseCommand, type Command } from '../../tests/parse-command.ts';
import { fit } from '../../src/cli/fit/fit.ts';
import { buildMachine } from '../../src/cli/shared/load-machine.ts';
import { parseMachineConfig } from '../../src/machine/config/parse/parse-machine-config.ts';
import { borrowSession } from '../../src/remote/live-machine/borrow-session.ts';
import { chooseAsking } from '../../src/remote/live-machine/choose-asking.ts';
import type {
  AnswerHere,
  LiveImage,
  LiveMachine,
  VisionAbilities,
} from '../../src/remote/live-machine/live-machine.ts';
import { proveFrames } from '../../src/remote/live-machine/prove-frames.ts';
import { decodeStill } from '../../src/platform/decode/still.ts';
import { openMachineLink } from '../../src/remote/links/machine-link.ts';
import type { Machine } from '../../src/machine/vision/machine.ts';
import type { Tensor, TensorInfo } from '../../src/machine/vision/tensor/tensor.ts';
import { hasMachine } from '../../tests/oracle/machine.ts';
import { startLiveMachine } from '../../tests/server/start-live-machine.ts';
import { median, type BenchTools, type Figure, type Measurement } from '../figure.ts';

const { signal } = new AbortController();
const framesOfEach = Number(process.env['SIGHTGLASS_BENCH_FRAMES'] ?? 100);

interface Subject {
  readonly name: string;
  readonly modelPath: string;
  readonly labelsPath: string;
  readonly attributes: object;
}

export const figure: Figure = {
  title: `a real machine beside the bench, ${framesOfEach} frames a model (SIGHTGLASS_BENCH_FRAMES)`,
  async measure(tools) {
    const shared = new URL('../shared/data/', `file://${tools.root}`).pathname;
    if (!hasMachine) {
      tools.note('skipped: the machine of ../shared/machine, or Python with viam-sdk and onnxruntime, is not here');
      return [];
    }
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-bench-'));
    try {
      const measured: Measurement[] = [];
      for (const subject of await subjects(tools.root, shared, folder)) {
        measured.push(...(await measureModel(subject, tools, shared, folder)));
      }
      return measured;
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

/** The built-in detector, a classifier, and a YOLO model that was fitted for the machine. */
async function subjects(root: string, shared: string, folder: string): Promise<readonly Subject[]> {
  const builtin = `${root}public/builtin/models/`;
  const yolox = join(folder, 'yolox.onnx');
  const argv = ['fit', `${shared}models/yolox_nano_416.onnx`, '--out', yolox];
  const command = parseCommand([...argv, '--labels', `${shared}models/coco80.labels.txt`]);
  await fit(command as Extract<Command, { name: 'fit' }>, { print: () => {}, say: () => {} });
  const of = (name: string, attributes: object): Subject => ({
    name,
    modelPath: `${builtin}face-${name}.onnx`,
    labelsPath: `${builtin}face-${name}.labels.txt`,
    attributes,
  });
  const noNormalization = { input_image_mean_value: [0, 0, 0], input_image_std_dev: [1, 1, 1] };
  return [
    of('detector', { default_minimum_confidence: 0.1 }),
    of('classifier', {}),
    {
      name: 'YOLOX',
      modelPath: yolox,
      labelsPath: join(folder, 'yolox.labels.txt'),
      attributes: { default_minimum_confidence: 0.3, ...noNormalization },
    },
  ];
}

async function measureModel(
  { name, modelPath, labelsPath, attributes }: Subject,
  tools: BenchTools,
  shared: string,
  folder: string,
): Promise<readonly Measurement[]> {
  const photographs = await photographsOf(shared);
  const framePath = join(folder, 'frame.jpg');
  let shown = 0;
  const next = async (): Promise<void> => {
    await copyFile(photographs[shown++ % photographs.length]!, `${framePath}.next`);
    await rename(`${framePath}.next`, framePath); // replaces the file atomically, so that the camera never reads half of it
  };
  await next();
  const started = await startLiveMachine({
    framePath,
    modelPath,
    labelsPath,
    attributes: { ...attributes, label_path: labelsPath },
  });
  try {
    const live = openMachineLink(started.origin, null);
    const abilities = await live.visionAbilities('v', signal);
    const here = await machineHere(modelPath, labelsPath, attributes);
    const { ask, confirm } = await chooseAsking(live, { visionName: 'v', cameraName: '', abilities }, signal);
    const proof = await proveFrames(
      async () => (await next(), ask()),
      (image) => answerHere(here, abilities, image),
      { frames: framesOfEach, facts: { model: null, rule: null }, confirm, signal, onProgress: () => {} },
    );
    tools.note(
      `${name}: ${proof.frames} frames of ${photographs.length} photographs, ${proof.rows} rows, ${proof.counts.differs} frames differ, largest score difference ${proof.largestScoreDifference}`,
    );
    const differing = {
      name: `${name}: frames with another label, box or order`,
      value: proof.counts.differs,
      unit: '',
      atMost: 0,
    };
    return [
      differing,
      ...(await inferRatio(name, live)),
      ...(name === 'detector' ? await onPage(tools, live, started.origin) : []),
    ];
  } finally {
    await started.close();
  }
}

async function photographsOf(shared: string): Promise<readonly string[]> {
  const folder = `${shared}images/coco/`;
  const names = (await readdir(folder)).filter((file) => file.endsWith('.jpg'));
  return names.map((file) => folder + file);
}

async function machineHere(modelPath: string, labelsPath: string, attributes: object): Promise<Machine> {
  const services = [
    { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: {} },
    {
      name: 'v',
      api: 'rdk:service:vision',
      model: 'mlmodel',
      attributes: { mlmodel_name: 'm', ...attributes, label_path: labelsPath },
    },
  ];
  const paths = (path: string) => ({ unnamed: path, byName: {} });
  const parts = { visionName: 'v', modelPaths: paths(modelPath), labelPaths: paths(labelsPath) };
  const rest = { cameraName: null, source: null, strict: true, runtime: 'wasm' } as const;
  return (await buildMachine(parseMachineConfig(JSON.stringify({ services })), { ...parts, ...rest }, () => {}))
    .machine;
}

async function answerHere(
  machine: Machine,
  { detects, classifies }: VisionAbilities,
  { bytes }: LiveImage,
): Promise<AnswerHere> {
  const frame = decodeStill(bytes)!;
  return {
    widthPx: frame.widthPx,
    heightPx: frame.heightPx,
    detections: detects ? await machine.detections('v', frame) : null,
    classifications: classifies ? await machine.classifications('v', frame, 0) : null,
  };
}

/** The time of running a borrowed model, relative to the bare call of the machine that it makes. */
async function inferRatio(name: string, live: LiveMachine): Promise<readonly Measurement[]> {
  const session = await borrowSession(live, 'm');
  const [input] = session.inputs;
  const feeds = { [input!.name]: grey(input!) };
  const [borrowed, bare]: [number[], number[]] = [[], []];
  const calls = [
    async () => void borrowed.push(await timeOf(() => session.run(feeds))),
    async () => void bare.push(await timeOf(() => live.infer('m', feeds, signal))),
  ] as const;
  for (let round = 0; round < 40; round++) {
    for (const call of round % 2 ? calls : calls.toReversed()) await call();
  }
  await session.release();
  return [
    {
      name: `${name}: a borrowed run over a bare Infer call`,
      value: median(borrowed) / median(bare),
      unit: '×',
      atMost: 1.1,
    },
  ];
}

/** The input tensor for a grey picture. A dynamic side has 320 px. */
function grey({ dtype, shape: stated }: TensorInfo): Tensor {
  const shape = stated.map((size, axis) => (size > 0 ? size : axis === 0 ? 1 : 320));
  const count = shape.reduce((product, size) => product * size, 1);
  return dtype === 'uint8'
    ? { dtype, shape, data: new Uint8Array(count).fill(128) }
    : { dtype, shape, data: new Float32Array(count).fill(0.5) };
}

/** The time from typing the address to the first answer, and the frame rate relative to bare calls. */
async function onPage(tools: BenchTools, live: LiveMachine, url: string): Promise<readonly Measurement[]> {
  const page = await tools.openApp();
  await page.locator('tbody tr').first().waitFor();
  await page.getByRole('tab', { name: 'Machine' }).click();
  await page.getByLabel('Address of a machine').fill(url);
  const startMs = performance.now();
  await page.keyboard.press('Enter');
  const word = page.getByRole('region', { name: 'The machine’s answer' });
  await word.getByText(/says the same|has the same labels|says something else/).waitFor();
  const firstS = (performance.now() - startMs) / 1000;
  const request = { visionName: 'v', cameraName: '', abilities: await live.visionAbilities('v', signal) };
  const bareMs: number[] = [];
  const perSecond = await framesASecond(page, 10_000);
  await page.getByRole('button', { name: 'Stop' }).click();
  for (let round = 0; round < 30; round++) bareMs.push(await timeOf(() => live.captureAll(request, signal)));
  await page.close();
  return [
    { name: 'from the address to the first word', value: firstS, unit: 's', atMost: 3 },
    {
      name: 'frames a second on the stage over bare CaptureAllFromCamera calls',
      value: (perSecond * median(bareMs)) / 1000,
      unit: '×',
      atLeast: 0.95,
    },
  ];
}

/** The frame rate, from the thresholds panel's count: "Scores of 12 frames of …". */
async function framesASecond(page: Page, forMs: number): Promise<number> {
  const count = async (): Promise<number> =>
    Number(
      /Scores of ([\d,]+) frames?/
        .exec((await page.locator('main').innerText()).replace(/\s+/g, ' '))![1]!
        .replaceAll(',', ''),
    );
  const [before, startMs] = [await count(), performance.now()];
  await page.waitForTimeout(forMs);
  return ((await count()) - before) / ((performance.now() - startMs) / 1000);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}
