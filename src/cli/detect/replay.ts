import { readFile } from 'node:fs/promises';
import packageJson from '../../../package.json' with { type: 'json' };
import { compareBench, type BenchNow } from '../../evidence/capture/bench-file/compare-bench.ts';
import { readBenchFile } from '../../evidence/capture/bench-file/read-bench-file.ts';
import type { SavedBench, SavedModel } from '../../evidence/capture/bench-file/saved-bench.ts';
import { parseMachineConfig } from '../../machine/config/face/machine-config.ts';
import { decodeStill } from '../../platform/decode/still.ts';
import { isNative, sessionOpener } from '../../platform/node/open-session.ts';
import { createMachine, type Machine } from '../../machine/vision/face/runs.ts';
import { overlayFace } from '../../machine/vision/face/traces.ts';
import type { SessionOpener } from '../../platform/ports/inference-runtime.ts';
import type { VisionModel } from '../../machine/vision/face/filters.ts';
import type { ReplayArguments } from './detect-records.ts';
import type { NamedPaths } from '../shared/named-paths.ts';
import { CliError } from '../record/cli-error.ts';
import { readFontFile } from '../shared/load-machine.ts';
import { sha256 } from '../shared/sha256.ts';
import type { Terminal } from '../shared/run-frames.ts';

/**
 * Runs `sightglass replay`: runs a saved bench here and prints what differs, first on what it runs, then one object a
 * frame.
 * @param command parsed arguments
 * @param terminal receives the objects
 * @returns exit code: 1 where a frame gives other results, otherwise 0
 * @throws BenchFileError, CliError
 * @example
 * await replay({ benchPath: 'missing.zip', modelPaths: [] }, { print() {}, say() {} }); // throws: missing.zip
 */
export async function replay({ benchPath, modelPaths, runtime }: ReplayArguments, terminal: Terminal): Promise<number> {
  // A page ran it on WASM, or on a GPU: what is the same here is the same to the bit.
  const sessions = sessionOpener(runtime ?? 'wasm', terminal.say);
  const bench = await readBenchFile(new Blob([await readFile(benchPath)]), async (bytes) => sha256(bytes));
  const { models, hashes } = await loadSavedModels(bench, modelPaths, sessions);
  const font = overlayFace(await readFontFile());
  const machine = createMachine(parseMachineConfig(bench.configText).config, models, { font });
  const outcomes: BenchNow['outcomes'][number][] = [];
  for (const [index, frame] of bench.frames.entries()) {
    outcomes.push(await runSaved(machine, bench, frame.image));
    terminal.say(`${index + 1}/${bench.frames.length} ${frame.capture.source.name}`);
  }
  const { differences, frames, verdict } = compareBench(bench, {
    environment: {
      version: packageJson.version,
      host: `Node ${process.versions.node}`,
      backend: isNative(sessions.runtime) ? 'native' : 'wasm',
    },
    configText: bench.configText,
    models: hashes,
    outcomes,
  });
  terminal.print({
    bench: benchPath,
    verdict,
    savedAt: new Date(bench.savedAtMs).toISOString(),
    runtime: sessions.runtime,
    differences,
  });
  for (const frame of frames) terminal.print(frame);
  return verdict === 'same' || verdict === 'close' ? 0 : 1;
}

async function runSaved(
  machine: Machine,
  { cameraName, serviceName }: SavedBench,
  image: Uint8Array<ArrayBuffer>,
): Promise<BenchNow['outcomes'][number]> {
  const frame = decodeStill(image);
  if (!frame) return { failure: 'Its image is neither PNG nor JPEG, which only a browser reads.' };
  const { result, failure } = await machine.run({ frame, cameraName, serviceName });
  if (!result) return { failure: failure?.message ?? 'It gave nothing.' };
  return { detections: result.detections, classifications: result.classifications };
}

async function loadSavedModels(
  bench: SavedBench,
  modelPaths: NamedPaths,
  sessions: SessionOpener,
): Promise<{ readonly models: Record<string, VisionModel>; readonly hashes: Record<string, string> }> {
  const models: Record<string, VisionModel> = {};
  const hashes: Record<string, string> = {};
  for (const saved of bench.models) {
    const bytes = await bytesOf(saved, modelPaths, bench.models.length === 1);
    hashes[saved.serviceName] = sha256(bytes);
    models[saved.serviceName] = { session: await sessions.open(bytes), labels: saved.labels };
  }
  return { models, hashes };
}

/** A model given on the command line stands in for the file's own. */
async function bytesOf(
  { serviceName, fileName, sha256: hash, bytes }: SavedModel,
  { byName, unnamed }: NamedPaths,
  isOnlyOne: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  const path = byName[serviceName] ?? (isOnlyOne ? unnamed : null);
  if (path) return new Uint8Array(await readFile(path));
  if (bytes) return bytes;
  throw new CliError(
    'no-model',
    `The bench names the model of "${serviceName}" only by its hash (${fileName}, SHA-256 ${hash}); give it: --model ${serviceName}=FILE.`,
  );
}
