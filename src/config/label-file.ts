import { findEntry, type ConfigEntry } from './config-entries.ts';
import { matchingKey } from './parse-attributes.ts';

/** The label file that the machine reads for a vision service, and the resource whose `label_path` names it. */
export interface NamedLabelFile {
  readonly path: string;
  readonly namedBy: ConfigEntry;
}

/**
 * Where the machine takes a vision service's labels from: its own `label_path`, else that of its ML model service. null =
 * nobody names a file, so labels are index numbers; what the model file itself carries is never read.
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

/** The ML model service that a vision service runs, where the configuration shows it. */
export function modelServiceOf(entries: readonly ConfigEntry[], vision: string): ConfigEntry | undefined {
  const service = findEntry(entries, vision, 'mlmodel-vision');
  const name = service ? textAttribute(service, 'mlmodel_name') : '';
  return name === '' ? undefined : findEntry(entries, name, 'mlmodel');
}

/** Where the machine reads the model of a vision service from; '' where the configuration does not say. */
export function modelPathOf(entries: readonly ConfigEntry[], vision: string): string {
  const modelService = modelServiceOf(entries, vision);
  return modelService ? textAttribute(modelService, 'model_path') : '';
}

/** The path of a file in the folder of the model that a vision service runs; the bare name where none is shown. */
export function besideModel(entries: readonly ConfigEntry[], vision: string, fileName: string): string {
  const modelPath = modelPathOf(entries, vision);
  return modelPath.slice(0, modelPath.lastIndexOf('/') + 1) + fileName;
}

/** `yolo.onnx` → `yolo.labels.txt`: how a label file made of a model's own names is called. */
export function labelFileName(modelFileName: string): string {
  return `${modelFileName.replace(/\.[^.]*$/, '') || 'model'}.labels.txt`;
}

function textAttribute(entry: ConfigEntry, key: string): string {
  // A module decodes its attributes by itself; the vision service's are matched without regard to case.
  const value = entry.attributes[entry.kind === 'mlmodel' ? key : (matchingKey(entry.attributes, key) ?? key)];
  return typeof value === 'string' ? value : '';
}
