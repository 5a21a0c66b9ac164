import type { ConfigEntry } from '../../parse/config-entries.ts';
import { removeEdits, renameEdits, setEdits, type TextEdit } from '../../json/edit-json.ts';
import { isObject, nodeAt, propertyAt, type JsonDocument, type JsonObject } from '../../json/json-document.ts';
import { pointerOf, type JsonPath } from '../../json/json-path.ts';
import { matchingKey } from '../../parse/parse-attributes.ts';
import { isDrawing, serviceKeyOf } from '../../parse/transform-steps.ts';
import type { Finding, Fix, LintFacts, ModelJudge, Severity } from './finding.ts';

/** One thing to look for. It reads the text, never what another rule found. */
export interface Rule {
  /** equals the name of the rule's file */
  readonly code: string;
  check(context: LintContext): Iterable<Report>;
}

export interface Report {
  readonly path: JsonPath;
  readonly severity: Severity;
  readonly message: string;
  /** underline the key instead of the value */
  readonly onKey?: boolean;
  readonly fix?: Fix;
  /** where the path alone does not say it, as in a syntax error */
  readonly range?: { readonly offset: number; readonly length: number };
}

export interface LintContext {
  readonly document: JsonDocument;
  readonly text: string;
  readonly entries: readonly ConfigEntry[];
  readonly facts: LintFacts;
  readonly judge: ModelJudge;
  /** false where fragments or remotes bring resources that the text does not show */
  readonly closed: boolean;
}

/** An attribute as it is written: under which key, where, and its value. */
export interface Written {
  readonly path: JsonPath;
  readonly value: unknown;
}

/** One step of a transform camera, as it is written. */
export interface WrittenStep {
  readonly camera: ConfigEntry;
  readonly path: JsonPath;
  readonly type: string;
  readonly typePath: JsonPath;
  readonly attributesPath: JsonPath;
  readonly attributes: JsonObject;
}

/** The attribute that the machine reads for a key, whatever its case; undefined when missing. */
export function written(object: JsonObject, path: JsonPath, key: string): Written | undefined {
  const match = matchingKey(object, key);
  return match === undefined ? undefined : { path: [...path, match], value: object[match] };
}

/** Those that run a model. */
export function visionServices({ entries }: LintContext): readonly ConfigEntry[] {
  return entries.filter(({ kind }) => kind === 'mlmodel-vision');
}

export function colorDetectors({ entries }: LintContext): readonly ConfigEntry[] {
  return entries.filter(({ kind }) => kind === 'color-detector');
}

/** Those that have a camera of their own, and look at its frames. */
export function seeingServices(context: LintContext): readonly ConfigEntry[] {
  return [...visionServices(context), ...colorDetectors(context)];
}

export function transformCameras({ entries }: LintContext): readonly ConfigEntry[] {
  return entries.filter(({ kind }) => kind === 'transform-camera');
}

export function filteredCameras({ entries }: LintContext): readonly ConfigEntry[] {
  return entries.filter(({ kind }) => kind === 'filtered-camera');
}

/** Those of which a generic service decides what is kept. */
export function conditionalCameras({ entries }: LintContext): readonly ConfigEntry[] {
  return entries.filter(({ kind }) => kind === 'conditional-camera');
}

/** A vision service of a filtered camera, as it is written in `vision_services`. */
export interface WrittenFilterService {
  readonly path: JsonPath;
  readonly object: JsonObject;
}

export function filterServices(camera: ConfigEntry): readonly WrittenFilterService[] {
  const services = attributeOf(camera, 'vision_services');
  if (!services || !Array.isArray(services.value)) return [];
  return services.value.flatMap((object: unknown, index) =>
    isObject(object) ? [{ path: [...services.path, index], object }] : [],
  );
}

export function attributeOf(entry: ConfigEntry, key: string): Written | undefined {
  return written(entry.attributes, entry.attributesPath, key);
}

/** All steps of all transform cameras whose type is a text, in order. */
export function transformSteps(context: LintContext): readonly WrittenStep[] {
  return transformCameras(context).flatMap((camera) => {
    const pipeline = attributeOf(camera, 'pipeline');
    if (!pipeline || !Array.isArray(pipeline.value)) return [];
    return pipeline.value.flatMap((raw: unknown, index): WrittenStep[] => {
      if (!isObject(raw)) return [];
      const path = [...pipeline.path, index];
      const type = written(raw, path, 'type') ?? { path: [...path, 'type'], value: '' };
      const attributes = written(raw, path, 'attributes');
      if (typeof type.value !== 'string') return [];
      return [
        {
          camera,
          path,
          type: type.value,
          typePath: type.path,
          attributesPath: attributes?.path ?? [...path, 'attributes'],
          attributes: isObject(attributes?.value) ? attributes.value : {},
        },
      ];
    });
  });
}

/** The steps that draw what a vision service says, with the attribute that names it. */
export function drawingSteps(
  context: LintContext,
): readonly (WrittenStep & { readonly servicePath: JsonPath; readonly service: Written | undefined })[] {
  return transformSteps(context).flatMap((step) => {
    if (!isDrawing(step)) return [];
    const key = serviceKeyOf(step.type);
    const service = written(step.attributes, step.attributesPath, key);
    return [{ ...step, service, servicePath: service?.path ?? [...step.attributesPath, key] }];
  });
}

/** A number as the machine would decode it, 0 where missing or null; undefined where it is not a number. */
export function numberOf(attribute: Written | undefined): number | undefined {
  if (attribute === undefined || attribute.value === null) return 0;
  return typeof attribute.value === 'number' ? attribute.value : undefined;
}

export function setFix({ text }: LintContext, title: string, path: JsonPath, value: unknown): Fix {
  return { title, edits: setEdits(text, path, value) };
}

export function removeFix({ text }: LintContext, title: string, path: JsonPath): Fix {
  return { title, edits: removeEdits(text, path) };
}

export function renameFix({ text }: LintContext, title: string, path: JsonPath, key: string): Fix {
  return { title, edits: renameEdits(text, path, key) };
}

/** A fix that takes several edits, each made on the result of the one before; it replaces the whole text. */
export function rewriteFix({ text }: LintContext, title: string, rewrite: (text: string) => string): Fix {
  return { title, edits: smallestEdit(text, rewrite(text)) };
}

/** Takes a step out, leaving the pass-through step where the pipeline would be empty. */
export function removeStepFix(context: LintContext, title: string, step: WrittenStep): Fix {
  const pipelinePath = step.path.slice(0, -1);
  const pipeline = nodeAt(context.document.root, pipelinePath);
  if ((pipeline?.children?.length ?? 0) > 1) return removeFix(context, title, step.path);
  return setFix(context, title, step.path, { type: '' });
}

/** A report with the position of its path, or of the nearest value around it that exists. */
export function findingOf(context: LintContext, code: string, report: Report): Finding {
  const { path, severity, message, fix } = report;
  const range = report.range ?? rangeOf(context.document, path, report.onKey === true);
  const resource = context.entries.find((entry) => entry.path.every((part, at) => path[at] === part))?.name ?? '';
  return { path, resource, pointer: pointerOf(path), ...range, severity, code, message, ...(fix && { fix }) };
}

function rangeOf({ root }: JsonDocument, path: JsonPath, onKey: boolean): { offset: number; length: number } {
  for (let depth = path.length; depth >= 0; depth--) {
    const node = nodeAt(root, path.slice(0, depth));
    if (!node) continue;
    const key = path[depth - 1];
    const property = typeof key === 'string' ? propertyAt(nodeAt(root, path.slice(0, depth - 1)), key) : undefined;
    const name = property?.children?.[0];
    // A missing attribute is shown on its parent's key: a whole block underlined says nothing.
    const onName = name && (onKey || depth < path.length || node.type === 'object');
    if (onName) return { offset: name.offset, length: name.length };
    if (node.type === 'object') return nameRange(node) ?? { offset: node.offset, length: 1 };
    return { offset: node.offset, length: node.length };
  }
  return { offset: 0, length: 0 };
}

/** An entry is shown on its name, a step on its type. */
function nameRange(node: JsonDocument['root']): { offset: number; length: number } | undefined {
  const value = (propertyAt(node, 'name') ?? propertyAt(node, 'type'))?.children?.[1];
  return value && { offset: value.offset, length: value.length };
}

function smallestEdit(before: string, after: string): readonly TextEdit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const room = Math.min(before.length, after.length) - start;
  while (end < room && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const length = before.length - end - start;
  const content = after.slice(start, after.length - end);
  return length === 0 && content === '' ? [] : [{ offset: start, length, content }];
}
