import { findEntry, type ConfigEntry } from './config-entries.ts';
import { matchingKey } from './parse-attributes.ts';

/** The label file that the machine reads for a vision service, and the resource whose `label_path` names it. */
export interface NamedLabelFile {
  readonly path: string;
  readonly namedBy: ConfigEntry;
}

/**
 * Finds the label file that the machine reads for a vision service: that of its own `label_path`, otherwise that of its ML
 * model service. Labels inside a model file are never read.
 * @param entries of the configuration
 * @param vision name of the service
 * @returns null: no file is named, so labels are index numbers
 * @example
 * import { listEntries } from './config-entries.ts';
 * import { parseDocument } from '../json/json-document.ts';
 * const service = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { label_path: 'pets.txt' } };
 * const entries = listEntries(parseDocument(JSON.stringify({ services: [service] })));
 * labelFileOf(entries, 'v')?.path; // => 'pets.txt'
 */
export function labelFileOf(entries: readonly ConfigEntry[], vision: string): NamedLabelFile | null {
  const service = findEntry(entries, vision, 'mlmodel-vision');
  if (!service) return null;
  const modelService = modelServiceOf(entries, vision);
  for (const namedBy of modelService ? [service, modelService] : [service]) {
    const path = textAttribute(namedBy, 'label_path');
    if (path !== '') return { path, namedBy };
  }
  return null;
}

/**
 * Finds the ML model service that a vision service runs.
 * @param entries of the configuration
 * @param vision name of the vision service
 * @returns undefined: the configuration does not show it
 * @example
 * import { listEntries } from './config-entries.ts';
 * import { parseDocument } from '../json/json-document.ts';
 * const model = { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu' };
 * const vision = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm' } };
 * const entries = listEntries(parseDocument(JSON.stringify({ services: [model, vision] })));
 * modelServiceOf(entries, 'v')?.model; // => 'viam:mlmodel:onnx-cpu'
 */
export function modelServiceOf(entries: readonly ConfigEntry[], vision: string): ConfigEntry | undefined {
  const service = findEntry(entries, vision, 'mlmodel-vision');
  const name = service ? textAttribute(service, 'mlmodel_name') : '';
  return name === '' ? undefined : findEntry(entries, name, 'mlmodel');
}

/**
 * Finds the file of the model that a vision service runs.
 * @param entries of the configuration
 * @param vision name of the vision service
 * @returns path on the machine; '': the configuration does not say
 * @example
 * import { listEntries } from './config-entries.ts';
 * import { parseDocument } from '../json/json-document.ts';
 * const model = { name: 'm', api: 'rdk:service:mlmodel', model: 'x', attributes: { model_path: '/m/yolo.onnx' } };
 * const vision = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm' } };
 * const entries = listEntries(parseDocument(JSON.stringify({ services: [model, vision] })));
 * modelPathOf(entries, 'v'); // => '/m/yolo.onnx'
 */
export function modelPathOf(entries: readonly ConfigEntry[], vision: string): string {
  const modelService = modelServiceOf(entries, vision);
  return modelService ? textAttribute(modelService, 'model_path') : '';
}

/**
 * Gives the path of a file in the folder of the model that a vision service runs. A package of the machine (`${packages…}`) holds
 * only what was uploaded with it: of its files, the configuration shows those that it names.
 * @param entries of the configuration
 * @param vision name of the vision service
 * @param fileName without a folder
 * @returns path on the machine; the bare name if the configuration shows no model, or one of a package that may not hold the file
 * @example
 * import { listEntries } from './config-entries.ts';
 * import { parseDocument } from '../json/json-document.ts';
 * const entriesOf = (path) => {
 *   const model = { name: 'm', api: 'rdk:service:mlmodel', model: 'x', attributes: { model_path: path } };
 *   const vision = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm' } };
 *   return listEntries(parseDocument(JSON.stringify({ services: [model, vision] })));
 * };
 * besideModel(entriesOf('/m/yolo.onnx'), 'v', 'yolo.labels.txt'); // => '/m/yolo.labels.txt'
 * besideModel(entriesOf('${packages.ml_model.yolo}/yolo.onnx'), 'v', 'other.onnx'); // => 'other.onnx'
 */
export function besideModel(entries: readonly ConfigEntry[], vision: string, fileName: string): string {
  const modelPath = modelPathOf(entries, vision);
  const path = modelPath.slice(0, Math.max(modelPath.lastIndexOf('/'), modelPath.lastIndexOf('\\')) + 1) + fileName;
  const isHeld = !path.includes('${packages') || entries.some((entry) => namedFiles(entry).includes(path));
  return isHeld ? path : fileName;
}

const namedFiles = (entry: ConfigEntry): readonly string[] =>
  ['model_path', 'label_path'].map((key) => textAttribute(entry, key));

/**
 * Names the label file that is made of a model's own labels.
 * @param modelFileName without a folder
 * @returns the name with `.labels.txt` in place of its extension
 * @example
 * labelFileName('yolo.onnx'); // => 'yolo.labels.txt'
 */
export function labelFileName(modelFileName: string): string {
  return `${modelFileName.replace(/\.[^.]*$/, '') || 'model'}.labels.txt`;
}

function textAttribute(entry: ConfigEntry, key: string): string {
  // A module decodes its attributes by itself; the vision service's are matched without regard to case.
  const value = entry.attributes[entry.kind === 'mlmodel' ? key : (matchingKey(entry.attributes, key) ?? key)];
  return typeof value === 'string' ? value : '';
}
