import { readFile } from 'node:fs/promises';
import { findEntry } from '../config/config-entries.ts';
import type { ParsedMachineConfig } from '../config/parse-machine-config.ts';
import { checkModel } from '../onnx/check-model.ts';
import { readModel } from '../onnx/read-model.ts';
import { openNodeSession } from '../platform/node/onnxruntime.ts';
import { parseLabels } from '../vision/decode/labels.ts';
import type { VisionModel } from '../vision/vision-service.ts';
import type { NamedPaths } from './arguments.ts';
import { CliError, reportOf } from './cli-error.ts';
import { readTextFile } from './load-config.ts';

/** Which files the vision services take, as the arguments name them. */
export interface ModelFiles {
  readonly modelPaths: NamedPaths;
  readonly labelPaths: NamedPaths;
}

/**
 * Loads the models of the named vision services. Labels, in the machine's order: the service's `label_path` (read from `--labels`
 * where that is given), else the label file of the ML model service, else those in the model's own metadata.
 *
 * @throws CliError
 */
export async function loadModels(
  parsed: ParsedMachineConfig,
  services: readonly string[],
  files: ModelFiles,
  tunedService: string | null,
): Promise<Record<string, VisionModel>> {
  const models: Record<string, VisionModel> = {};
  for (const service of services) {
    const path = pathFor(files.modelPaths, service, tunedService);
    if (path !== null)
      models[service] = await loadModel(path, service, parsed, pathFor(files.labelPaths, service, tunedService));
  }
  return models;
}

function pathFor({ byName, unnamed }: NamedPaths, service: string, tunedService: string | null): string | null {
  return byName[service] ?? (service === tunedService ? unnamed : null);
}

async function loadModel(
  path: string,
  serviceName: string,
  parsed: ParsedMachineConfig,
  labelPath: string | null,
): Promise<VisionModel> {
  try {
    const bytes = new Uint8Array(await readFile(path));
    const summary = readModel(bytes);
    const [obstacle] = checkModel(summary);
    if (obstacle) throw obstacle;
    return {
      session: await openNodeSession(bytes),
      labels: (await labelsOfModelService(parsed, serviceName)) ?? summary.labels,
      givenLabels: await givenLabels(parsed, serviceName, labelPath),
      modelBoxOrder: summary.boxOrder,
    };
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const { code, message } = reportOf(cause);
    throw new CliError(code, `Model "${path}": ${message}`, { cause });
  }
}

async function givenLabels(parsed: ParsedMachineConfig, serviceName: string, labelPath: string | null) {
  const path = labelPath ?? (serviceOf(parsed, serviceName)?.labelPath || null);
  return path === null ? null : parseLabels(await readTextFile(path, `label file of "${serviceName}"`));
}

/** The machine's model services take their label file as `label_path` too; one that does not lie here is passed over. */
async function labelsOfModelService(parsed: ParsedMachineConfig, serviceName: string): Promise<string[] | null> {
  const entry = findEntry(parsed.entries, serviceOf(parsed, serviceName)?.mlModelName ?? '', 'mlmodel');
  const path = entry?.attributes['label_path'];
  if (typeof path !== 'string' || path === '') return null;
  return readTextFile(path, 'label file').then(parseLabels, () => null);
}

function serviceOf({ config }: ParsedMachineConfig, name: string) {
  return config.visionServices.find((service) => service.name === name);
}
