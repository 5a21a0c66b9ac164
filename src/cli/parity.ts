import { createHash } from 'node:crypto';
import { access, constants, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { modelServiceOf } from '../config/label-file.ts';
import { parseMachineConfig, type ParsedMachineConfig } from '../config/parse-machine-config.ts';
import { borrowSession } from '../live-machine/borrow-session.ts';
import { chooseAsking, type AskingMethod } from '../live-machine/choose-asking.ts';
import type { ModelFacts } from '../live-machine/likely-reasons.ts';
import { LinkError } from '../live-machine/link-error.ts';
import type { AnswerHere, LiveImage, LiveMachine, VisionAbilities } from '../live-machine/live-machine.ts';
import { resourceApis } from '../live-machine/live-machine.ts';
import { differenceInWords, verdictOf } from '../live-machine/difference-words.ts';
import { parityHtml, parityJson, type ParitySubject } from '../live-machine/parity-report.ts';
import { proveFrames, type Proof } from '../live-machine/prove-frames.ts';
import { decodeStill } from '../platform/decode/still.ts';
import { openMachineLink } from '../links/machine-link.ts';
import { parseLabels } from '../vision/decode/labels.ts';
import type { ServiceFilterRule } from '../vision/filter/thresholds.ts';
import type { Machine } from '../vision/machine.ts';
import type { VisionModel } from '../vision/vision-service.ts';
import type { Command } from './arguments.ts';
import { CliError } from './cli-error.ts';
import { loadConfig, readTextFile } from './load-config.ts';
import { buildMachine } from './load-machine.ts';
import { readKey } from './read-key.ts';
import type { Terminal } from './run-frames.ts';

const wordsOfWay: Readonly<Record<AskingMethod, string>> = {
  'both-ways':
    'Cannot tell yet whether this camera’s frames are encoded after the service has seen them, so it is asked about the encoded bytes of each.',
  'of-the-bytes':
    'This camera’s frames are encoded after the service has seen them, so it is asked about the encoded bytes.',
  'with-the-frame': 'The service sees this camera’s frames as they come here, so its answer comes with each.',
};

type ParityCommand = Extract<Command, { readonly name: 'parity' }>;

/**
 * Runs `sightglass parity`: compares what a running machine says of its camera's frames with what the same bytes give
 * here, prints the report and writes its page.
 * @param command parsed arguments
 * @param terminal receives the report
 * @returns exit code: 1 where labels, boxes or their order differ on a frame by more than rounding, otherwise 0
 * @throws CliError, LinkError
 * @example
 * await parity({ machineUrl: 'http://machine', reportPath: '/missing/folder/report.html' }, { print() {}, say() {} }); // throws: /missing/folder
 */
export async function parity(command: ParityCommand, terminal: Terminal): Promise<number> {
  const { machineUrl, visionName, cameraName, frames, reportPath } = command;
  if (reportPath !== null) await expectWritableFolder(dirname(reportPath));
  const { signal } = new AbortController();
  const live = openMachineLink(machineUrl, command.key && (await readKey(command.key)));
  const { version } = await live.version(signal);
  const abilities = await abilitiesOf(live, visionName, signal);
  const parsed = await configOf(command);
  const { machine, model, rule, backend } = await loadHere(live, parsed, command, signal, terminal.say);

  const asking = await chooseAsking(live, { visionName, cameraName, abilities }, signal);
  let { way } = asking;
  const tellWay = (): void => terminal.say(wordsOfWay[(way = asking.way)]);
  tellWay();
  const startedAtMs = Date.now();
  let told = 0;
  const proof = await proveFrames(asking.ask, (image) => answerHere(machine, visionName, abilities, image), {
    frames,
    facts: { model, rule },
    confirm: asking.confirm,
    signal,
    onProgress(soFar) {
      if (asking.way !== way) tellWay();
      const percent = Math.floor((100 * soFar.frames) / frames);
      if (percent > told) terminal.say(`${soFar.frames}/${frames} ${verdictOf(soFar)}`);
      told = percent;
    },
  });
  const subject: ParitySubject = {
    address: machineUrl,
    machineVersion: version,
    visionName,
    cameraName,
    asked: asking.way,
    backend,
    ...(await modelFile(command)),
    configText: parsed.document.text,
    startedAtMs,
    endedAtMs: Date.now(),
  };
  terminal.print(parityJson(subject, proof));
  if (reportPath !== null) await writeFile(reportPath, parityHtml(subject, proof));
  tell(proof, terminal);
  return proof.counts.differs > 0 || (command.strictRounding && proof.counts.rounding > 0) ? 1 : 0;
}

/** Ten thousand frames are not compared for a report that has no place. @throws CliError */
async function expectWritableFolder(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    throw new CliError(
      'not-writable',
      `The report cannot be written: there is no folder "${path}" that may be written.`,
      { cause: error },
    );
  }
}

function tell(proof: Proof, terminal: Terminal): void {
  for (const { frame, comparison } of proof.examples.slice(0, 3)) {
    for (const difference of comparison.differences.slice(0, 5)) {
      terminal.say(`frame ${frame + 1}: ${differenceInWords(difference)}`);
    }
  }
  for (const { words } of proof.reasons) terminal.say(words);
  terminal.say(verdictOf(proof));
}

async function configOf({ configPath, visionName }: ParityCommand): Promise<ParsedMachineConfig> {
  if (configPath !== null) return loadConfig(configPath);
  const service = {
    name: visionName,
    api: 'rdk:service:vision',
    model: 'mlmodel',
    attributes: { mlmodel_name: visionName },
  };
  return parseMachineConfig(JSON.stringify({ services: [service] }));
}

/** @throws LinkError that names the vision services that there are */
async function abilitiesOf(live: LiveMachine, visionName: string, signal: AbortSignal): Promise<VisionAbilities> {
  try {
    return await live.visionAbilities(visionName, signal);
  } catch (error) {
    if (!(error instanceof LinkError) || error.code !== 'no-such-resource') throw error;
    const names = (await live.resources(signal))
      .filter(({ api }) => api === resourceApis.vision)
      .map(({ name }) => `"${name}"`);
    const known = names.length > 0 ? names.join(', ') : 'none';
    throw new CliError('unknown-service', `The machine has no vision service "${visionName}"; it has: ${known}.`, {
      cause: error,
    });
  }
}

interface Here {
  readonly machine: Machine;
  readonly model: ModelFacts;
  readonly rule: ServiceFilterRule;
  readonly backend: string;
}

async function loadHere(
  live: LiveMachine,
  parsed: ParsedMachineConfig,
  { visionName, modelPaths, labelPaths }: ParityCommand,
  signal: AbortSignal,
  say: (text: string) => void,
): Promise<Here> {
  const isHere = modelPaths.unnamed !== null || visionName in modelPaths.byName;
  const modelName = await modelServiceName(live, parsed, visionName, signal);
  const there = modelName === null ? null : await live.modelMetadata(modelName, signal);
  const borrowed: Record<string, VisionModel> = {};
  if (!isHere) {
    if (modelName === null) {
      throw new CliError(
        'no-model',
        `Which model service "${visionName}" uses is not known here: give --config with its mlmodel_name, or --model FILE.`,
      );
    }
    const labelsPath = labelPaths.byName[visionName] ?? labelPaths.unnamed;
    const labels = labelsPath === null ? null : parseLabels(await readTextFile(labelsPath, 'label file'));
    borrowed[visionName] = { session: await borrowSession(live, modelName), labels };
  }
  const parts = { visionName, modelPaths, labelPaths, borrowed, cameraName: null, source: null, strict: false };
  const { machine } = await buildMachine(parsed, parts, say);
  const { config: rule, session } = (await machine.service(visionName)).service;
  const { inputs, outputs } = session;
  const backend = isHere ? 'onnxruntime-web, wasm' : `model service "${modelName}" of the machine`;
  return { machine, backend, rule, model: { inputs, outputs, there: isHere ? there : null } };
}

/** The model service behind a vision service: as the configuration says, else the only one that there is. */
async function modelServiceName(
  live: LiveMachine,
  parsed: ParsedMachineConfig,
  visionName: string,
  signal: AbortSignal,
): Promise<string | null> {
  const names = (await live.resources(signal))
    .filter(({ api }) => api === resourceApis.mlmodel)
    .map(({ name }) => name);
  const said = modelServiceOf(parsed.entries, visionName)?.name;
  if (said !== undefined && names.includes(said)) return said;
  return names.length === 1 ? names[0]! : null;
}

/** What the bytes that the machine sent give here, through the same operations. */
async function answerHere(
  machine: Machine,
  visionName: string,
  { detects, classifies }: VisionAbilities,
  { bytes, mediaType }: LiveImage,
): Promise<AnswerHere> {
  const frame = decodeStill(bytes);
  if (!frame) {
    throw new CliError(
      'unsupported-format',
      `The machine's camera gives ${mediaType || 'images of no kind'}, and parity compares JPEG and PNG.`,
    );
  }
  return {
    widthPx: frame.widthPx,
    heightPx: frame.heightPx,
    detections: detects ? await machine.detections(visionName, frame) : null,
    classifications: classifies ? await machine.classifications(visionName, frame, 0) : null,
  };
}

async function modelFile({
  modelPaths,
  visionName,
}: ParityCommand): Promise<Pick<ParitySubject, 'modelFileName' | 'modelSha256'>> {
  const path = modelPaths.byName[visionName] ?? modelPaths.unnamed;
  if (path === null) return { modelFileName: 'the machine’s own', modelSha256: '' };
  return {
    modelFileName: basename(path),
    modelSha256: createHash('sha256')
      .update(await readFile(path))
      .digest('hex'),
  };
}
