import { findEntry, listEntries } from '../parse/config-entries.ts';
import { attributePath, freeName, nameLabelFile, readAttribute } from './edit-config.ts';
import { insertAt, removeAt, setAt } from '../json/edit-json.ts';
import { isObject, parseDocument } from '../json/json-document.ts';
import { besideModel, modelServiceOf } from '../parse/label-file.ts';
import { feedingAttributes } from './model-settings.ts';
import { wholenessOf } from '../parse/wholeness.ts';

/** A model service and a vision service as `src/models/fit` writes them: they feed and read one model. */
export interface FittedEntries {
  readonly services: readonly [FittedEntry, FittedEntry];
}

interface FittedEntry {
  readonly name: string;
  readonly api: string;
  readonly model: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface FittedTarget {
  /** the vision service that runs the model; one that the text lacks is added */
  readonly vision: string;
  readonly modelFile: string;
  /** null: index numbers */
  readonly labelFile: string | null;
  /** names of the model's classes; null where they have none */
  readonly labels: readonly string[] | null;
  /** the model is the one that runs already, written anew, so that its labels and thresholds stay; default: another */
  readonly isSameModel?: boolean;
}

/**
 * Makes a configuration run a fitted model: its file in the ML model service, its feeding and a minimum confidence in the
 * vision service. A vision service that the text lacks is added with its ML model service.
 * @param text JSON of the machine configuration
 * @param fitted the two services as `src/models/fit` writes them
 * @param target which service runs it, and the files
 * @returns the new text
 * @throws EditError if the text has no place for the services
 * @example
 * const model = { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: {} };
 * const vision = { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { input_image_bgr: true } };
 * const target = { vision: 'v', modelFile: 'a.onnx', labelFile: null, labels: null };
 * const { services } = JSON.parse(writeFitted('{}', { services: [model, vision] }, target));
 * services[1].attributes; // => { input_image_bgr: true, mlmodel_name: 'm' }
 */
export function writeFitted(text: string, fitted: FittedEntries, target: FittedTarget): string {
  const { vision, modelFile, labelFile, isSameModel = false } = target;
  const [modelService, visionService] = fitted.services;
  if (!findEntry(listEntries(parseDocument(text)), vision, 'mlmodel-vision')) return withBoth(text, fitted);
  let edited = text;
  // Those that the fitted model does not set are of the model before.
  for (const key of feedingAttributes) edited = withAttribute(edited, vision, key, visionService.attributes[key]);
  if (!isSameModel) edited = withMinimum(edited, target, visionService.attributes['default_minimum_confidence']);
  edited = withModelService(edited, vision, modelService, modelFile);
  if (isSameModel) return edited;
  const path = labelFile === null ? '' : besideModel(listEntries(parseDocument(edited)), vision, labelFile);
  return nameLabelFile(edited, vision, path);
}

function withBoth(text: string, { services }: FittedEntries): string {
  const [modelService, visionService] = services;
  const modelName = freeName(text, modelService.name);
  const withModel = insertAt(text, ['services'], Infinity, { ...modelService, name: modelName });
  return insertAt(withModel, ['services'], Infinity, {
    ...visionService,
    name: freeName(withModel, visionService.name),
    attributes: { ...visionService.attributes, mlmodel_name: modelName },
  });
}

function withAttribute(text: string, vision: string, key: string, value: unknown): string {
  const path = attributePath(entryOf(text, vision), key);
  return value === undefined ? removeAt(text, path) : setAt(text, path, value);
}

/**
 * A fitted detector pads its rows with ones of score 0, which only a minimum above 0 hides. One that was chosen for the same file stays;
 * that of another model says nothing of this one, and the terminal writes the usual one, too. A list of labels goes where it has none
 * of the model's, as it would hide every box.
 */
function withMinimum(text: string, target: FittedTarget, usual: unknown): string {
  if (usual === undefined) return text;
  const { vision, labels } = target;
  const service = entryOf(text, vision);
  const listed = readAttribute(service, 'label_confidences');
  if (isObject(listed)) {
    const known = new Set(labels?.map((label) => label.toLowerCase()));
    if (Object.keys(listed).some((label) => known.has(label.toLowerCase()))) return text;
    return withMinimum(removeAt(text, attributePath(service, 'label_confidences')), target, usual);
  }
  const present = readAttribute(service, 'default_minimum_confidence');
  return typeof present === 'number' && present > 0 && runsAlready(text, target)
    ? text
    : withAttribute(text, vision, 'default_minimum_confidence', usual);
}

function runsAlready(text: string, { vision, modelFile }: FittedTarget): boolean {
  const present = modelServiceOf(listEntries(parseDocument(text)), vision);
  const path = present && readAttribute(present, 'model_path');
  return typeof path === 'string' && path.split('/').at(-1) === modelFile;
}

function withModelService(text: string, vision: string, fitted: FittedEntry, modelFile: string): string {
  const document = parseDocument(text);
  const entries = listEntries(document);
  const present = modelServiceOf(entries, vision);
  if (present) {
    const path = besideModel(entries, vision, modelFile);
    const withModule = setAt(text, [...present.path, 'model'], fitted.model);
    return setAt(withModule, [...present.attributesPath, 'model_path'], path);
  }
  const named = readAttribute(entryOf(text, vision), 'mlmodel_name');
  // A part of a configuration may name resources of the other parts.
  if (typeof named === 'string' && named !== '' && !wholenessOf(document).whole) return text;
  const name = typeof named === 'string' && named !== '' ? named : freeName(text, fitted.name);
  const added = insertAt(text, ['services'], Infinity, { ...fitted, name, attributes: { model_path: modelFile } });
  return withAttribute(added, vision, 'mlmodel_name', name);
}

function entryOf(text: string, vision: string) {
  return findEntry(listEntries(parseDocument(text)), vision, 'mlmodel-vision')!;
}
