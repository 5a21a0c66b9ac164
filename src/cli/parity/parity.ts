import { access, constants, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type ParsedMachineConfig, parseMachineConfig } from '../../machine/config/face/machine-config.ts';
import { chooseAsking, type AskingMethod } from '../../remote/live-machine/choose-asking.ts';
import { findCause } from '../../remote/live-machine/causes/find-cause.ts';
import type { LikelyReason, ReasonInWords } from '../../remote/live-machine/likely-reasons.ts';
import type { AnsweringMachine } from '../../remote/live-machine/first-to-answer.ts';
import { LinkError } from '../../remote/live-machine/link-error.ts';
import type { LiveMachine, MachineVersion, VisionAbilities } from '../../remote/live-machine/live-machine.ts';
import { resourceApis } from '../../remote/live-machine/live-machine.ts';
import { differenceInWords, verdictOf, wholeVerdict } from '../../remote/live-machine/difference-words.ts';
import { parityHtml, parityJson, type ParitySubject } from '../../remote/live-machine/parity-report.ts';
import { proveFrames, withCause, type Proof } from '../../remote/live-machine/prove-frames.ts';
import type { ParityArguments } from './parity-record.ts';
import { CliError } from '../record/cli-error.ts';
import { loadConfig } from '../shared/load-config.ts';
import { answerHere, loadHere, stepsOf, type Here } from './parity-here.ts';
import { pathFor } from '../shared/load-model.ts';
import { sha256OfFile } from '../shared/sha256.ts';
import { reachMachine } from './reach-machine.ts';
import type { Terminal } from '../shared/run-frames.ts';

const wordsOfWay: Readonly<Record<AskingMethod, string>> = {
  'both-ways':
    'Cannot tell yet whether this camera’s frames are encoded after the service has seen them, so it is asked about the encoded bytes of each.',
  'of-the-bytes':
    'This camera’s frames are encoded after the service has seen them, so it is asked about the encoded bytes.',
  'with-the-frame': 'The service sees this camera’s frames as they come here, so its answer comes with each.',
};

/**
 * Runs `sightglass parity`: compares what a running machine says of its camera's frames with what the same bytes give
 * here, prints the report and writes its page.
 * @param command parsed arguments
 * @param terminal receives the report
 * @returns exit code: 1 where labels, boxes or their order differ on a frame by more than rounding, where another attribute makes the scores
 *   equal, or where the camera's steps give another picture; otherwise 0
 * @throws CliError, LinkError
 * @example
 * await parity({ machineUrls: ['http://machine'], reportPath: '/missing/folder/report.html' }, { print() {}, say() {} }); // throws: /missing/folder
 */
export async function parity(command: ParityArguments, terminal: Terminal): Promise<number> {
  if (command.reportPath !== null) await expectWritableFolder(dirname(command.reportPath));
  const { signal } = new AbortController();
  const answering = await reachMachine(command, terminal.say, signal);
  try {
    return await compare(command, answering, terminal, signal);
  } finally {
    answering.machine.close();
  }
}

async function compare(
  command: ParityArguments,
  { url, machine: live, answer: { version } }: AnsweringMachine<MachineVersion>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { visionName, cameraName, frames, reportPath } = command;
  const abilities = await abilitiesOf(live, visionName, signal);
  const parsed = await configOf(command);
  const here = await loadHere(live, parsed, command, signal, terminal.say);
  const { machine, model, rule, backend } = here;

  const asking = await chooseAsking(live, { visionName, cameraName, abilities }, signal);
  let { way } = asking;
  const tellWay = (): void => terminal.say(wordsOfWay[(way = asking.way)]);
  tellWay();
  const startedAtMs = Date.now();
  let told = 0;
  const compared = await proveFrames(asking.ask, (image) => answerHere(machine, visionName, abilities, image), {
    frames,
    facts: { model, rule, service: { isOther: false, isColorDetector: here.trials === null } },
    confirm: asking.confirm,
    signal,
    onProgress(soFar) {
      if (asking.way !== way) tellWay();
      const percent = Math.floor((100 * soFar.frames) / frames);
      if (percent > told) terminal.say(`${soFar.frames}/${frames} ${verdictOf(soFar)}`);
      told = percent;
    },
  });
  const proof = {
    ...withCause(compared, await causeOf(compared, here, terminal.say)),
    steps: await stepsOf(live, parsed, command, abilities, signal),
  };
  const subject: ParitySubject = {
    address: url,
    machineVersion: version,
    visionName,
    cameraName,
    asked: asking.way,
    backend,
    isModelBorrowed: here.isModelBorrowed,
    ...(here.trials === null ? noModel : await modelFile(command)),
    configText: parsed.document.text,
    startedAtMs,
    endedAtMs: Date.now(),
  };
  terminal.print(parityJson(subject, proof));
  if (reportPath !== null) await writeFile(reportPath, parityHtml(subject, proof));
  tell(proof, here.isModelBorrowed, terminal);
  const isOther =
    proof.counts.differs > 0 ||
    proof.steps.verdict === 'differs' ||
    proof.reasons.some(({ reason }) => isOfConfiguration(reason));
  return isOther || (command.strictRounding && proof.counts.rounding > 0) ? 1 : 0;
}

/** Scores alone tell enough where another attribute here makes them the machine's. */
const isOfConfiguration = (reason: LikelyReason): boolean => reason === 'other-attribute';

/** What makes both sides say the same, found by running the frames here with one thing changed; null: nothing does, or nothing differs. */
async function causeOf(
  { apart, samples, reasons }: Proof,
  { trials }: Here,
  say: (text: string) => void,
): Promise<ReasonInWords | null> {
  if (apart === 0 || !trials || reasons.some(({ reason }) => reason === 'other-model')) return null;
  say('Looking for what makes both sides say the same …');
  return findCause(samples, trials);
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

function tell(proof: Proof, isModelBorrowed: boolean, terminal: Terminal): void {
  for (const { frame, comparison } of proof.examples.slice(0, 3)) {
    for (const difference of comparison.differences.slice(0, 5)) {
      terminal.say(`frame ${frame + 1}: ${differenceInWords(difference)}`);
    }
  }
  for (const { words } of proof.reasons) terminal.say(words);
  terminal.say(wholeVerdict(proof, isModelBorrowed));
}

async function configOf({ configPath, visionName }: ParityArguments): Promise<ParsedMachineConfig> {
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

/** The model of a colour detector, which has none. */
const noModel = { modelFileName: 'none', modelSha256: '' };

async function modelFile({
  modelPaths,
  visionName,
}: ParityArguments): Promise<Pick<ParitySubject, 'modelFileName' | 'modelSha256'>> {
  const path = pathFor(modelPaths, visionName, visionName);
  if (path === null) return { modelFileName: 'the machine’s own', modelSha256: '' };
  return { modelFileName: basename(path), modelSha256: await sha256OfFile(path) };
}
