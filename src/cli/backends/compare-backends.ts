import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, platform, release } from 'node:os';
import { basename } from 'node:path';
import type { InferenceSession } from '../../machine/vision/face/inference.ts';
import { hasModel } from '../../machine/vision/face/filters.ts';
import { caseZip } from '../../models/first-difference/case-files.ts';
import { findFirstDifference } from '../../models/first-difference/find-first-difference.ts';
import type { ComparedSide, CutOut, FirstDifference, Tensors } from '../../models/first-difference/first-difference.ts';
import { readModelFile } from '../../models/read-model-file.ts';
import { ortVersion } from '../../platform/node/onnxruntime.ts';
import { isTflite } from '../../models/tflite/read-tflite.ts';
import { sessionOpener } from '../../platform/node/open-session.ts';
import { startSessionThread, type SessionThread } from '../../platform/node/session-in-thread.ts';
import { compareAnswers, isTelling } from '../../remote/live-machine/compare-answers.ts';
import type { FrameAnswer } from '../../remote/live-machine/live-machine.ts';
import { CliError, reportOf } from '../record/cli-error.ts';
import { loadConfig } from '../shared/load-config.ts';
import { buildMachine, type LoadedMachine } from '../shared/load-machine.ts';
import { pathFor } from '../shared/load-model.ts';
import { runFrames, type Terminal } from '../shared/run-frames.ts';
import type { ChosenRuntime, CompareBackendsArguments } from './compare-backends-record.ts';

/** A runtime with its model, and the machine that sees frames by it. */
interface OpenedSide {
  readonly side: Omit<ComparedSide, 'feeds' | 'earlierFeeds'>;
  readonly loaded: LoadedMachine;
  /** which version ran the model natively; null: WASM did */
  readonly nativeRuntime: string | null;
  /** what the model was fed last */
  readonly fed: () => Tensors;
  close(): Promise<void>;
}

/**
 * Runs `sightglass compare-backends`: runs a model on two runtimes over frames, compares what the service says at its thresholds,
 * and finds the first part of the network that differs.
 * @param command parsed arguments
 * @param terminal receives one object a frame, and one of the first difference
 * @returns exit code: 1 where a frame gives other labels, boxes or scores, or failed; otherwise 0
 * @throws CliError, MachineError, InferenceError
 * @example
 * import { compareBackendsRecord } from './compare-backends-record.ts';
 * const command = compareBackendsRecord.read(['--config', 'missing.json', '--vision', 'pets', '--model', 'pets.onnx', 'frame.jpg']);
 * await compareBackends(command, { print() {}, say() {} }); // throws: missing.json
 */
export async function compareBackends(command: CompareBackendsArguments, terminal: Terminal): Promise<number> {
  const { visionName, cameraName, framePaths, runtimes, againstPath, mostRuns, savePath } = command;
  const modelPath = pathFor(command.modelPaths, visionName, visionName);
  const reference = await openSide(command, runtimes[0], modelPath, terminal.say);
  const other = await openSide(command, runtimes[1], againstPath ?? modelPath, terminal.say);
  try {
    let earlier: readonly [Tensors, Tensors] | null = null;
    let differing: readonly [Tensors, Tensors, readonly [Tensors, Tensors] | null] | null = null;
    let disagreed = 0;
    const code = await runFrames(framePaths, terminal, async (frame) => {
      const [here, there] = [
        await answerOf(reference, visionName, cameraName, frame),
        await answerOf(other, visionName, cameraName, frame),
      ];
      const compared = compareAnswers(here, there);
      const fed = [reference.fed(), other.fed()] as const;
      if (isTelling(compared)) {
        disagreed += 1;
        differing ??= [...fed, earlier];
      }
      earlier = fed;
      const { verdict, rows, largestScoreDifference, differences } = compared;
      return { verdict, rows, largestScoreDifference, differences };
    });
    terminal.say(
      `${disagreed} of ${framePaths.length} frames give other results on ${other.side.name} than on ${reference.side.name}.`,
    );
    const fed = differing as readonly [Tensors, Tensors, readonly [Tensors, Tensors] | null] | null;
    if (fed === null) return code;
    const [feeds, otherFeeds, before] = fed;
    const found = await findFirstDifference(
      { ...reference.side, feeds, earlierFeeds: before?.[0] ?? null },
      { ...other.side, feeds: otherFeeds, earlierFeeds: before?.[1] ?? null },
      { mostRuns, evenIfSame: true },
    );
    terminal.print({ firstDifference: inNumbers(found) });
    terminal.say(found.says);
    if (savePath !== null) await save(savePath, found, [reference, other], terminal.say);
    return 1;
  } finally {
    await reference.close();
    await other.close();
  }
}

async function openSide(
  command: CompareBackendsArguments,
  { name, kind, threads }: ChosenRuntime,
  path: string | null,
  say: (text: string) => void,
): Promise<OpenedSide> {
  const { visionName } = command;
  if (path === null)
    throw new CliError('no-model', `--model FILE is missing, the model of vision service "${visionName}".`);
  const parsed = await loadConfig(command.configPath);
  const model = await readOnnx(path);
  const thread: SessionThread | null = threads === null ? null : startSessionThread(threads);
  const own = sessionOpener(kind, () => {});
  const open = (bytes: Uint8Array<ArrayBuffer>): Promise<InferenceSession> =>
    thread ? thread.open(bytes) : own.open(bytes);
  const named = { ...command.modelPaths, byName: { ...command.modelPaths.byName, [visionName]: path }, unnamed: null };
  const loaded = await buildMachine(parsed, { ...command, modelPaths: named, runtime: 'wasm' }, say);
  const service = await loaded.machine.service(visionName);
  if (!hasModel(service))
    throw new CliError('no-model-wanted', `"${visionName}" is a colour detector, which has no model.`);
  const session = await open(model);
  let fed: Tensors = {};
  const recording: InferenceSession = {
    ...session,
    gpu: null,
    run(feeds) {
      fed = feeds;
      return session.run(feeds);
    },
  };
  const borrowed = { [visionName]: { session: recording, labels: service.service.labels } };
  const rest = {
    ...named,
    byName: Object.fromEntries(Object.entries(named.byName).filter(([key]) => key !== visionName)),
  };
  const seeing = await buildMachine(parsed, { ...command, modelPaths: rest, borrowed, runtime: 'wasm' }, () => {});
  return {
    side: { name: `${name}, ${basename(path)}`, model, open },
    loaded: seeing,
    nativeRuntime: kind === 'native' ? own.runtime : null,
    fed: () => fed,
    async close() {
      await session.release();
      await thread?.end();
    },
  };
}

async function readOnnx(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const bytes = new Uint8Array(await readFile(path));
    const [obstacle] = readModelFile(bytes, basename(path)).obstacles;
    if (obstacle) throw obstacle;
    if (isTflite(bytes)) {
      throw new CliError(
        'unsupported-format',
        'A .tflite model cannot be looked into here; give the same network as .onnx.',
      );
    }
    return bytes;
  } catch (cause) {
    const { code, message } = reportOf(cause);
    throw new CliError(code, `Model "${path}": ${message}`, { cause });
  }
}

async function answerOf(
  { loaded: { machine, seenThrough } }: OpenedSide,
  visionName: string,
  cameraName: string | null,
  frame: Parameters<LoadedMachine['seenThrough']>[1],
): Promise<FrameAnswer> {
  const { abilities } = await machine.service(visionName);
  const seen = await seenThrough(cameraName, frame);
  return {
    detections: abilities.detector.names ? await machine.detections(visionName, seen) : null,
    classifications: abilities.classifier.names ? await machine.classifications(visionName, seen, 0) : null,
  };
}

/** Found parts and figures, without tensors and models. */
function inNumbers(found: FirstDifference): object {
  const { kind, says, runs, correspondence } = found;
  const cutOut = cutOutOf(found);
  return {
    kind,
    says,
    runs,
    correspondence,
    nodes: cutOut?.nodes ?? ('nodes' in found ? found.nodes : []),
    differences: (cutOut?.outputs ?? []).map(({ name, difference, bound }) => ({ name, ...difference, bound })),
  };
}

function cutOutOf(found: FirstDifference): CutOut | null {
  return 'cutOut' in found ? found.cutOut : null;
}

async function save(
  path: string,
  found: FirstDifference,
  [reference, other]: readonly [OpenedSide, OpenedSide],
  say: (text: string) => void,
): Promise<void> {
  const cutOut = cutOutOf(found);
  if (!cutOut) return say('No case is saved: no part shows the difference on its own.');
  const zip = caseZip(cutOut, {
    referenceName: reference.side.name,
    otherName: other.side.name,
    ortVersion,
    providers: { reference: 'wasm', other: 'wasm' },
    versions: {
      'onnxruntime-web': ortVersion,
      ...Object.fromEntries(
        [reference, other].flatMap(({ nativeRuntime }) => (nativeRuntime ? [['native', nativeRuntime]] : [])),
      ),
      Node: process.versions.node,
      system: `${platform()} ${release()}`,
      processor: `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} threads`,
    },
  });
  await writeFile(path, zip);
  say(`The case is in ${path}.`);
}
