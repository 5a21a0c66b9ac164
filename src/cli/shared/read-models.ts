import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { type ConfigEntry, labelFileOf, modelServiceOf } from '../../machine/config/face/machine-config.ts';
import type { LintFacts, ModelJudge, ServiceFacts } from '../../machine/config/face/lint.ts';
import { parseLabels, splitLabelFile } from '../../machine/vision/face/results.ts';
import { fileFindings } from '../../models/fit/modules/file-findings.ts';
import { judgeModule, type JudgedFile } from '../../models/fit/modules/judge-module.ts';
import { formatOf } from '../../models/fit/modules/known-modules.ts';
import { readModelFacts, readModelFile } from '../../models/read-model-file.ts';
import { CliError, reportOf } from '../record/cli-error.ts';
import { readBytes, readTextFile } from './load-config.ts';
import { sha256 } from './sha256.ts';
import { pathFor } from './load-model.ts';
import type { NamedPaths } from './named-paths.ts';
import { UsageError } from '../record/usage-error.ts';

/** What lint is told of model files, and of label files beside them. */
export interface ModelsAtHand {
  readonly facts: LintFacts;
  readonly judge: ModelJudge;
}

export interface GivenModels {
  /** a service's model is the file there that has the name of its `model_path`; null = no folder */
  readonly modelsDir: string | null;
  /** by vision service, whatever its `model_path` says */
  readonly modelPaths: NamedPaths;
}

/** A model file, as far as it can be read. */
interface ReadFile {
  readonly judged: JudgedFile;
  readonly facts: ServiceFacts;
}

/**
 * Reads the model files that are given for a configuration. What is not in the folder is said, and judged by its attributes alone.
 *
 * @throws CliError for what cannot be read, or is given for a service that there is not; UsageError
 */
export async function readModels(
  entries: readonly ConfigEntry[],
  { modelsDir, modelPaths }: GivenModels,
  say: (text: string) => void,
): Promise<ModelsAtHand> {
  const visions = entries.filter(({ kind }) => kind === 'mlmodel-vision').map(({ name }) => name);
  expectServices(visions, modelPaths);
  const byService = new Map<string, ReadFile>();
  const facts: Record<string, ServiceFacts> = {};
  const present = modelsDir === null ? [] : await filesIn(modelsDir, { recursive: true });
  for (const entry of entries.filter(({ kind }) => kind === 'mlmodel')) {
    const name = fileNameOf(entry);
    if (modelsDir === null || name === '') continue;
    if (present.includes(name)) byService.set(entry.name, await readFrom(join(modelsDir, name), present, entry.model));
    else say(`${entry.name}: "${modelsDir}" has no file "${name}", so nothing is said of the model itself.`);
  }
  for (const vision of visions) {
    const path = pathFor(modelPaths, vision, visions.length === 1 ? vision : null);
    const modelService = modelServiceOf(entries, vision);
    const file =
      path === null
        ? byService.get(modelService?.name ?? '')
        : await readFrom(path, await filesIn(dirname(path)), modelService?.model ?? '');
    const labels = modelsDir === null ? {} : await labelsIn(modelsDir, present, labelFileOf(entries, vision)?.path);
    if (file || labels.labels) facts[vision] = { ...file?.facts, ...labels };
    if (!file) continue;
    if (path !== null && modelService) byService.set(modelService.name, file);
  }
  return {
    facts,
    judge: ({ name, model, attributes }) => judgeModule(model, attributes, byService.get(name)?.judged ?? null),
  };
}

function expectServices(visions: readonly string[], { unnamed, byName }: NamedPaths): void {
  const known = `the configuration has ${visions.map((name) => `"${name}"`).join(', ') || 'none'}`;
  if (unnamed !== null && visions.length !== 1)
    throw new UsageError(`--model wants VISION=FILE, as there is not one vision service: ${known}.`);
  const unknown = Object.keys(byName).find((name) => !visions.includes(name));
  if (unknown !== undefined)
    throw new CliError('unknown-service', `--model is given for the vision service "${unknown}"; ${known}.`);
}

function fileNameOf({ attributes }: ConfigEntry): string {
  const path = attributes['model_path'];
  return typeof path === 'string' ? nameIn(path) : '';
}

/** The last part of a path of the machine. */
function nameIn(path: string): string {
  return basename(path.replaceAll('\\', '/'));
}

/** What the label file says that lies beside the models; nothing where it does not. */
async function labelsIn(
  folder: string,
  present: readonly string[],
  path: string | undefined,
): Promise<Pick<ServiceFacts, 'labels' | 'labelsSplit'>> {
  if (path === undefined || !present.includes(nameIn(path))) return {};
  const text = await readTextFile(join(folder, nameIn(path)), 'label file');
  const labels = parseLabels(text);
  return labels.length > 0 ? { labels, labelsSplit: splitLabelFile(text) } : {};
}

async function filesIn(folder: string, { recursive = false } = {}): Promise<readonly string[]> {
  try {
    const found = await readdir(folder, { recursive, withFileTypes: true });
    return found
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'));
  } catch (cause) {
    const { code, message } = reportOf(cause);
    throw new CliError(code, `The models cannot be listed. ${message}`, { cause });
  }
}

async function readFrom(path: string, filesBeside: readonly string[], module: string): Promise<ReadFile> {
  const fileName = basename(path);
  const bytes = new Uint8Array(await readBytes(path, 'model'));
  try {
    const facts = readModelFacts(bytes, fileName, filesBeside);
    return { judged: { format: facts.format, findings: fileFindings(facts) }, facts: factsOf(bytes, fileName) };
  } catch (error) {
    const message = `"${fileName}": ${reportOf(error).message}`;
    const finding = { code: 'not-a-model', severity: 'refuses', message, cure: 'Give it another file.' } as const;
    return { judged: { format: formatOf(module) ?? 'onnx', findings: [finding] }, facts: {} };
  }
}

function factsOf(bytes: Uint8Array, fileName: string): ServiceFacts {
  const { inputs, outputs, labels, boxOrder } = readModelFile(bytes, fileName).summary;
  return {
    inputs,
    outputs,
    offeredLabels: labels,
    modelBoxOrder: boxOrder,
    modelFileName: fileName,
    modelSha256: sha256(bytes),
  };
}
