import { listEntries } from '../../machine/config/face/machine-config.ts';
import { parseDocument } from '../../machine/config/face/json.ts';
import { describeFinding, lint } from '../../machine/config/face/lint.ts';
import { writePngFile } from '../../platform/node/frame-file.ts';
import { drawResults } from '../../machine/vision/face/runs.ts';
import { requireClassifier, requireDetector } from '../../machine/vision/face/filters.ts';
import type { ClassifyArguments, DetectArguments, LintArguments, TransformArguments } from './detect-records.ts';
import { readTextFile } from '../shared/load-config.ts';
import { loadMachine } from '../shared/load-machine.ts';
import { outFolder } from '../shared/out-folder.ts';
import { readModels } from '../shared/read-models.ts';
import { runFrames, type Terminal } from '../shared/run-frames.ts';

/**
 * Runs `sightglass detect`: prints the detections of each frame, in whole pixels of the frame that the detector saw,
 * in the model's order.
 * @param command parsed arguments
 * @param terminal receives one object a frame
 * @returns exit code: 0, or 1 where a frame failed
 * @throws CliError, MachineError
 * @example
 * import { detectRecord } from './detect-records.ts';
 * const command = detectRecord.read(['--config', 'missing.json', '--vision', 'pets', '--model', 'pets.onnx', 'frame.jpg']);
 * await detect(command, { print() {}, say() {} }); // throws: missing.json
 */
export async function detect(command: DetectArguments, terminal: Terminal): Promise<number> {
  const { visionName, cameraName, framePaths, drawDir } = command;
  const { machine, font, runtime, seenThrough } = await loadMachine(command, terminal.say);
  requireDetector(await machine.service(visionName));
  const drawnPath = drawDir === null ? null : await outFolder(drawDir, framePaths);
  return runFrames(framePaths, terminal, async (frame, _path, index) => {
    const seen = await seenThrough(cameraName, frame);
    const detections = await machine.detections(visionName, seen);
    if (drawnPath) await writePngFile(drawnPath(index), drawResults(seen, { detections, classifications: null }, font));
    return {
      width: seen.widthPx,
      height: seen.heightPx,
      runtime,
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

/**
 * Runs `sightglass classify`: prints the best classes of each frame.
 * @param command parsed arguments; `top` of 0 or less: all classes, in label order
 * @param terminal receives one object a frame
 * @returns exit code: 0, or 1 where a frame failed
 * @throws CliError, MachineError
 * @example
 * import { classifyRecord } from './detect-records.ts';
 * const command = classifyRecord.read(['--config', 'missing.json', '--vision', 'pets', '--model', 'pets.onnx', 'frame.jpg']);
 * await classify(command, { print() {}, say() {} }); // throws: missing.json
 */
export async function classify(command: ClassifyArguments, terminal: Terminal): Promise<number> {
  const { visionName, cameraName, framePaths, top } = command;
  const { machine, runtime, seenThrough } = await loadMachine(command, terminal.say);
  requireClassifier(await machine.service(visionName));
  return runFrames(framePaths, terminal, async (frame) => {
    const seen = await seenThrough(cameraName, frame);
    const classifications = await machine.classifications(visionName, seen, top);
    return {
      width: seen.widthPx,
      height: seen.heightPx,
      runtime,
      classifications: classifications.map(({ label, score }) => ({ label, score })),
    };
  });
}

/**
 * Runs `sightglass transform`: writes each frame as a transform camera gives it, as a lossless PNG.
 * @param command parsed arguments
 * @param terminal receives one object a frame
 * @returns exit code: 0, or 1 where a frame failed
 * @throws CliError, MachineError
 * @example
 * import { transformRecord } from './detect-records.ts';
 * const command = transformRecord.read(['--config', 'missing.json', '--camera', 'small', '--out', 'frames', 'frame.jpg']);
 * await transform(command, { print() {}, say() {} }); // throws: missing.json
 */
export async function transform(command: TransformArguments, terminal: Terminal): Promise<number> {
  const { cameraName, framePaths, outDir } = command;
  const { runtime, seenThrough } = await loadMachine({ ...command, visionName: null }, terminal.say);
  const outPath = await outFolder(outDir, framePaths);
  return runFrames(framePaths, terminal, async (frame, _path, index) => {
    const seen = await seenThrough(cameraName, frame);
    const out = outPath(index);
    await writePngFile(out, seen);
    return { out, width: seen.widthPx, height: seen.heightPx, runtime };
  });
}

/**
 * Runs `sightglass lint`: prints one object a finding.
 * @param command parsed arguments
 * @param terminal receives the findings
 * @returns exit code: 1 where a finding is an error, otherwise 0
 * @throws CliError
 * @example
 * import { mkdtemp, rm, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * const folder = await mkdtemp(`${tmpdir()}/lint-`);
 * const configPath = `${folder}/machine.json`;
 * await writeFile(configPath, '{"services": [{"name": "pets", "api": "rdk:service:vision", "model": "mlmodel"}]}');
 * const findings: object[] = [];
 * const command = { configPath, modelsDir: null, modelPaths: { unnamed: null, byName: {} } };
 * await lintConfig(command, { print: (finding) => findings.push(finding), say() {} }); // => 1
 * findings.length > 0; // => true
 * await rm(folder, { recursive: true });
 */
export async function lintConfig(command: LintArguments, terminal: Terminal): Promise<number> {
  const { configPath } = command;
  const text = await readTextFile(configPath, 'configuration');
  const { facts, judge } = await readModels(listEntries(parseDocument(text)), command, terminal.say);
  const findings = lint(text, facts, judge);
  for (const finding of findings) terminal.print(describeFinding(finding, text));
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const counted = `${findings.length} finding${findings.length === 1 ? '' : 's'}`;
  terminal.say(`${configPath}: ${counted}, ${errors} of them errors.`);
  return errors > 0 ? 1 : 0;
}
