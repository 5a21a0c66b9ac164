import type { ConfigEntry } from './parse/config-entries.ts';
import { modelPathOf, modelServiceOf } from './parse/label-file.ts';

/** Where the machine has a model that a configuration describes. */
export interface AbsentModel {
  /** the file, or the module that names none */
  readonly what: string;
  /** why no page can have it, a sentence */
  readonly why: string;
}

/**
 * Says where the machine has the model of a vision service, and why a page cannot fetch it: in a package of the registry, on its disk,
 * or inside a module.
 * @param entries of the configuration
 * @param vision name of the vision service
 * @returns null: the configuration does not show the model service
 * @example
 * import { listEntries } from './parse/config-entries.ts';
 * import { parseDocument } from './json/json-document.ts';
 * const attributes = { model_path: '${packages.ml_model.people}/people.tflite' };
 * const model = { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel-tflite:tflite_cpu', attributes };
 * const vision = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm' } };
 * const entries = listEntries(parseDocument(JSON.stringify({ services: [model, vision] })));
 * absentModelOf(entries, 'v')?.why; // => 'It is in the registry package “people”, which no page can fetch.'
 */
export function absentModelOf(entries: readonly ConfigEntry[], vision: string): AbsentModel | null {
  const service = modelServiceOf(entries, vision);
  if (!service) return null;
  const path = modelPathOf(entries, vision);
  if (path === '') {
    const what = `“${service.name}” of the module ${service.model}`;
    return { what, why: 'It names no model file that could be dropped here.' };
  }
  // "${packages.ml_model.NAME}/FILE", or of older configurations "${packages.NAME}/FILE"
  const name = /\$\{packages\.(?:[a-z_]+\.)?([^}]+)\}/.exec(path)?.[1];
  if (name) return { what: path, why: `It is in the registry package “${name}”, which no page can fetch.` };
  // A bare name may be that of a file at hand; a whole path is one of the machine.
  const isOfMachine = /^([/~]|[a-z]:[/\\])/i.test(path);
  return {
    what: path,
    why: isOfMachine ? 'It is on the machine’s disk, which no page can read.' : 'That model is not loaded here.',
  };
}
