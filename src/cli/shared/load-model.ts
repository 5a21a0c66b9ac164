import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  describesModel,
  labelFileOf,
  modelServiceOf,
  otherModelWords,
  type ParsedMachineConfig,
} from '../../machine/config/face/machine-config.ts';
import { fileFindings } from '../../models/fit/modules/file-findings.ts';
import { readModelFile } from '../../models/read-model-file.ts';
import type { NamedSession, SessionOpener } from '../../platform/ports/inference-runtime.ts';
import { parseLabels } from '../../machine/vision/face/results.ts';
import type { VisionModel } from '../../machine/vision/face/filters.ts';
import type { NamedPaths } from './named-paths.ts';
import { CliError, reportOf } from '../record/cli-error.ts';
import { readTextFile } from './load-config.ts';
import { sha256 } from './sha256.ts';

/** Which files the vision services take, as the arguments name them. */
export interface ModelFiles {
  readonly modelPaths: NamedPaths;
  readonly labelPaths: NamedPaths;
}

/** A model that is loaded, with the name and the hash of its file. */
export interface LoadedModel extends VisionModel {
  readonly session: NamedSession;
  readonly fileName: string;
  /** hash of the bytes that were loaded, in hex */
  readonly sha256: string;
}

/**
 * Loads the models of the named vision services. Labels, in the machine's order: the service's `label_path`, else the label
 * file that the ML model service names, else index numbers; `--labels` gives the content of either file. What a person may
 * take for granted and the machine does not do is said.
 *
 * @throws CliError
 */
export async function loadModels(
  parsed: ParsedMachineConfig,
  services: readonly string[],
  files: ModelFiles,
  tunedService: string | null,
  ports: ModelPorts,
): Promise<Record<string, LoadedModel>> {
  const models: Record<string, LoadedModel> = {};
  for (const service of services) {
    const path = pathFor(files.modelPaths, service, tunedService);
    if (path !== null)
      models[service] = await loadModel(path, service, parsed, pathFor(files.labelPaths, service, tunedService), ports);
  }
  return models;
}

/** What runs models, and where words on them go. */
interface ModelPorts {
  readonly sessions: SessionOpener;
  readonly say: (text: string) => void;
}

/** The file that is given for a service; one without a name is for the tuned service. */
export function pathFor({ byName, unnamed }: NamedPaths, service: string, tunedService: string | null): string | null {
  return byName[service] ?? (service === tunedService ? unnamed : null);
}

async function loadModel(
  path: string,
  serviceName: string,
  parsed: ParsedMachineConfig,
  givenPath: string | null,
  { sessions, say }: ModelPorts,
): Promise<LoadedModel> {
  try {
    const bytes = new Uint8Array(await readFile(path));
    const { summary, facts, obstacles } = readModelFile(bytes, basename(path));
    const [obstacle] = obstacles;
    if (obstacle) throw obstacle;
    const file = { fileName: basename(path), sha256: sha256(bytes) };
    const match = describesModel(parsed.entries, serviceName, { ...summary, ...file });
    if (match.says === 'differs')
      say(`${serviceName}: ${otherModelWords(match, '--model gives')} It runs with what is set for the other one.`);
    // A detector's boxes and scores are nonsense in such steps; a classifier's one output is still in its order.
    const inSteps = fileFindings(facts).filter(({ code }) => code === 'output-quantised' && summary.outputs.length > 1);
    for (const { message, cure } of inSteps)
      say(`${serviceName}: ${message} ${cure} "sightglass fit" writes a file with the numbers themselves.`);
    return {
      session: await sessions.open(bytes),
      labels: await readLabelFile(parsed, serviceName, givenPath, summary.labels, say),
      ...file,
    };
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const { code, message } = reportOf(cause);
    throw new CliError(code, `Model "${path}": ${message}`, { cause });
  }
}

async function readLabelFile(
  parsed: ParsedMachineConfig,
  serviceName: string,
  givenPath: string | null,
  offered: readonly string[] | null,
  say: (text: string) => void,
): Promise<readonly string[] | null> {
  const file = labelFileOf(parsed.entries, serviceName);
  if (givenPath !== null) {
    if (!file)
      say(
        `${serviceName}: the configuration names no label file, so the machine says index numbers; ` +
          `write label_path into "${modelServiceOf(parsed.entries, serviceName)?.name ?? serviceName}" for "${givenPath}".`,
      );
    return parseLabels(await readTextFile(givenPath, `label file of "${serviceName}"`));
  }
  if (file?.namedBy.kind === 'mlmodel-vision')
    return parseLabels(await readTextFile(file.path, `label file of "${serviceName}"`));
  const carries = offered
    ? ` The model carries names (${nameSome(offered)}), which the machine does not read: put them into a label file.`
    : '';
  if (!file) {
    if (carries) say(`${serviceName}: no label file is named, so labels are index numbers.${carries}`);
    return null;
  }
  // The machine goes on without a label file that the model service names and that is not there.
  return readTextFile(file.path, 'label file').then(parseLabels, (error: unknown) => {
    const { message } = reportOf(error);
    say(`${serviceName}: labels are index numbers. ${message} Give the file with --labels.${carries}`);
    return null;
  });
}

function nameSome(labels: readonly string[]): string {
  const some = labels.slice(0, 3).join(', ');
  return labels.length > 3 ? `${some} …` : some;
}
