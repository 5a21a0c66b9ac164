import { join } from 'node:path';
import { FrameChooser } from '../../evidence/footage/choose-frames.ts';
import {
  footageReportCsv,
  footageReportHtml,
  footageReportJson,
  picturedChanges,
  type FootageReport,
} from '../../evidence/footage/footage-report.ts';
import { RunDigest } from '../../evidence/footage/run-digest.ts';
import { runFootage } from '../../evidence/footage/run-footage.ts';
import type { RunSetup } from '../../evidence/footage/run-setup.ts';
import { timeText } from '../../evidence/footage/time-text.ts';
import { serviceFilter } from '../../machine/vision/face/filters.ts';
import { CliError, reportOf } from '../record/cli-error.ts';
import { drawRun } from './footage/draw-run.ts';
import { openFootage, type Footage } from './footage/open-footage.ts';
import { refuseLoss } from './footage/refuse-loss.ts';
import { openRunMachine, type RunMachine } from './footage/run-machine.ts';
import { RunRecord } from './footage/run-record.ts';
import { writeDataset, writeResults, writeText, type FinishedRun } from './footage/write-outputs.ts';
import { interrupted, interruptedCode } from '../record/interrupted.ts';
import type { RunArguments } from './run-record.ts';
import { makeFolder } from '../shared/out-folder.ts';
import type { Terminal } from '../shared/run-frames.ts';

const mostBuckets = 240;
const progressMs = 1000;

/**
 * Runs `sightglass run`: a vision service over a whole video or folder, a frame in memory at a time.
 * @param command parsed arguments
 * @param terminal receives one object that says what was found and written
 * @param signal ends the run between two frames; the same command goes on from there. Default: Ctrl+C
 * @returns exit code: 1 where a frame failed or the decoder met errors, 130 where it was ended, otherwise 0
 * @throws CliError, FfmpegError, RunFileError, MachineError, InferenceError
 * @example
 * import { runRecord } from './run-record.ts';
 * const command = runRecord.read(['--config', 'missing.json', '--vision', 'pets', '--model', 'pets.onnx', '--frames', 'frames', '--out', 'out']);
 * await run(command, { print() {}, say() {} }); // throws: missing.json
 */
export async function run(
  command: RunArguments,
  { print, say }: Terminal,
  signal: AbortSignal = interrupted(),
): Promise<number> {
  const machine = await openRunMachine(command, say);
  await refuseLoss(command);
  const footage = await openFootage(command, say);
  const setup = await machine.setupOf(footage.source);
  await makeFolder(command.outDir);
  const record = await RunRecord.open(join(command.outDir, 'frames.jsonl'), setup);
  try {
    if (!record.isWhole) await runFrames(command, { machine, footage, record }, say, signal);
    if (record.span.frames === 0) throw new CliError('no-frames', 'No frame lies between --from and --to.');
    const finished = { command, machine, footage, record, filter: serviceFilter(machine.rule) };
    print(await writeOutputs(finished, setup, say, signal));
  } catch (error) {
    if (!signal.aborted) throw error;
    say(`Stopped. ${record.span.frames} frames are kept; the same command goes on from there.`);
    return interruptedCode;
  } finally {
    await record.close();
  }
  if (record.decoderErrors > 0)
    say(`The video is damaged: its decoder met ${record.decoderErrors} errors. ${footage.decoderErrors?.text ?? ''}`);
  if (record.span.failed > 0) say(`${record.span.failed} of ${record.span.frames} frames failed.`);
  return record.span.failed > 0 || record.decoderErrors > 0 ? 1 : 0;
}

/** @throws the signal's reason */
async function runFrames(
  { choice }: RunArguments,
  { machine, footage, record }: { machine: RunMachine; footage: Footage; record: RunRecord },
  say: Terminal['say'],
  signal: AbortSignal,
): Promise<void> {
  const { lastIndex, frames: before, lastMs: beforeMs } = record.span;
  if (before > 0) say(`Goes on behind frame ${lastIndex}: ${before} frames are there.`);
  const startedMs = performance.now();
  let saidMs = startedMs;
  const whole = footage.durationMs === null ? '' : ` of ${timeText(choice.toMs ?? footage.durationMs)}`;
  const progress = (): void => {
    const { frames, lastMs } = record.span;
    const seconds = (performance.now() - startedMs) / 1000;
    const [rate, speed] = [(frames - before) / seconds, (lastMs - beforeMs) / 1000 / seconds];
    say(`${timeText(lastMs)}${whole}, ${frames} frames, ${rate.toFixed(1)} a second, ${speed.toFixed(1)}× real time`);
  };
  const behind = before === 0 ? null : { index: lastIndex, timeMs: beforeMs };
  const ran = runFootage(footage.frames(behind, signal), {
    see: (frame) => machine.see(frame),
    failureOf: reportOf,
    atOnce: 1,
    signal,
  });
  for await (const result of ran) {
    if (result.failure) say(`${result.name}, frame ${result.index}: ${result.failure.message}`);
    await record.add(result);
    if (performance.now() - saidMs < progressMs) continue;
    saidMs = performance.now();
    progress();
  }
  await record.finish(footage.decoderErrors?.count ?? 0);
  if (record.span.frames > before) progress();
}

async function writeOutputs(
  run: FinishedRun,
  setup: RunSetup,
  say: Terminal['say'],
  signal: AbortSignal,
): Promise<object> {
  const { command, machine, footage, record } = run;
  const inFolder = (name: string): string => join(command.outDir, name);
  const { firstMs, lastMs, frames, failed } = record.span;
  const digest = new RunDigest(
    { fromMs: firstMs, toMs: lastMs, bucketCount: Math.min(mostBuckets, frames) },
    machine.rule,
  );
  const chooser = new FrameChooser(command.dataset?.rules ?? [], machine.rule);
  for await (const frame of record.frames()) {
    digest.add(frame);
    chooser.add(frame);
  }
  await writeResults(inFolder('results.csv'), run);
  const isVideo = footage.source.kind === 'video';
  const annotated = command.draws ? inFolder(isVideo ? 'annotated.mp4' : 'annotated') : null;
  const pictured = new Set(picturedChanges(digest).map(({ index }) => index));
  const pictures = await drawRun(run, annotated, pictured, signal);
  await writeReports(command.outDir, { subject: subjectOf(setup, footage), digest, pictures });
  const chosen = new Set(chooser.chosen().map(({ index }) => index));
  const dataset = command.dataset && (await writeDataset(inFolder('dataset'), run, chosen, signal));
  for (const note of dataset?.notes ?? []) say(`dataset: ${note}`);
  const { labels } = footageReportJson({ subject: subjectOf(setup, footage), digest, pictures }) as {
    labels: readonly { readonly timeline: unknown }[];
  };
  return {
    out: command.outDir,
    frames,
    failed,
    decoderErrors: record.decoderErrors,
    runtime: machine.runtime,
    fromMs: firstMs,
    toMs: lastMs,
    labels: labels.map(({ timeline: _, ...label }) => label),
    changes: digest.changes.length,
    annotated,
    dataset: dataset && { folder: inFolder('dataset'), format: command.dataset!.format, pictures: dataset.pictures },
  };
}

async function writeReports(folder: string, report: FootageReport): Promise<void> {
  await writeText(join(folder, 'report.html'), footageReportHtml(report));
  await writeText(join(folder, 'report.json'), `${JSON.stringify(footageReportJson(report))}\n`);
  await writeText(join(folder, 'labels.csv'), footageReportCsv(report));
}

const subjectOf = (setup: RunSetup, { facts, source }: Footage): FootageReport['subject'] => ({
  title: `Run of ${setup.serviceName} over ${source.name}`,
  facts: [
    ...facts,
    ['SHA-256', source.sha256],
    ['Vision service', setup.serviceName],
    ['Camera', setup.cameraName ?? 'none'],
    ...Object.values(setup.models).flatMap(({ fileName, sha256, runtime }) => [
      ['Model', `${fileName}, SHA-256 ${sha256}`] as const,
      ...(runtime === undefined ? [] : [['Runtime', runtime] as const]),
    ]),
    ['Every', String(setup.choice.every)],
    ['Sightglass', setup.version],
  ],
  configText: setup.configText,
});
