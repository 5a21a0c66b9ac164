import { listEntries } from '../config/config-entries.ts';
import { parseDocument } from '../config/json-document.ts';
import { describeFinding } from '../config/lint/describe-finding.ts';
import { lint } from '../config/lint/lint.ts';
import { writePngFile } from '../platform/node/frame-file.ts';
import { drawResults } from '../vision/pipeline.ts';
import { requireClassifier, requireDetector } from '../vision/vision-service.ts';
import type { Command } from './arguments.ts';
import { judgeModels } from './judge-models.ts';
import { readTextFile } from './load-config.ts';
import { loadMachine } from './load-machine.ts';
import { outFolder } from './out-folder.ts';
import { runFrames, type Terminal } from './run-frames.ts';

type Arguments<Name extends Command['name']> = Extract<Command, { readonly name: Name }>;

/** Detections of each frame, in whole pixels of the frame that the detector saw, in the model's order. */
export async function detect(command: Arguments<'detect'>, terminal: Terminal): Promise<number> {
  const { visionName, cameraName, framePaths, drawDir } = command;
  const { machine, font, seenThrough } = await loadMachine(command, terminal.say);
  requireDetector(await machine.service(visionName));
  const drawnPath = drawDir === null ? null : await outFolder(drawDir, framePaths);
  return runFrames(framePaths, terminal, async (frame, _path, index) => {
    const seen = await seenThrough(cameraName, frame);
    const detections = await machine.detections(visionName, seen);
    if (drawnPath) await writePngFile(drawnPath(index), drawResults(seen, { detections, classifications: null }, font));
    return {
      width: seen.widthPx,
      height: seen.heightPx,
      detections: detections.map(({ label, score, xMin, yMin, xMax, yMax }) => ({
        label,
        score,
        xMin,
        yMin,
        xMax,
        yMax,
      })),
    };
  });
}

/** The best classes of each frame; N ≤ 0 gives all, in label order. */
export async function classify(command: Arguments<'classify'>, terminal: Terminal): Promise<number> {
  const { visionName, cameraName, framePaths, top } = command;
  const { machine, seenThrough } = await loadMachine(command, terminal.say);
  requireClassifier(await machine.service(visionName));
  return runFrames(framePaths, terminal, async (frame) => {
    const seen = await seenThrough(cameraName, frame);
    const classifications = await machine.classifications(visionName, seen, top);
    return {
      width: seen.widthPx,
      height: seen.heightPx,
      classifications: classifications.map(({ label, score }) => ({ label, score })),
    };
  });
}

/** Each frame as a transform camera gives it, written as a lossless PNG. */
export async function transform(command: Arguments<'transform'>, terminal: Terminal): Promise<number> {
  const { cameraName, framePaths, outDir } = command;
  const { seenThrough } = await loadMachine({ ...command, visionName: null }, terminal.say);
  const outPath = await outFolder(outDir, framePaths);
  return runFrames(framePaths, terminal, async (frame, _path, index) => {
    const seen = await seenThrough(cameraName, frame);
    const out = outPath(index);
    await writePngFile(out, seen);
    return { out, width: seen.widthPx, height: seen.heightPx };
  });
}

/** One line a finding; exit code 1 if one of them is an error. */
export async function lintConfig({ configPath, modelsDir }: Arguments<'lint'>, terminal: Terminal): Promise<number> {
  const text = await readTextFile(configPath, 'configuration');
  const judge = await judgeModels(listEntries(parseDocument(text)), modelsDir, terminal.say);
  const findings = lint(text, {}, judge);
  for (const finding of findings) terminal.print(describeFinding(finding, text));
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const counted = `${findings.length} finding${findings.length === 1 ? '' : 's'}`;
  terminal.say(`${configPath}: ${counted}, ${errors} of them errors.`);
  return errors > 0 ? 1 : 0;
}
