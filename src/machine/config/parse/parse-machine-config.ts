import { findEntry, listEntries, runnableVision, type ConfigEntry } from './config-entries.ts';
import { mistypedCameraAttributes, mistypedMembers } from './entry-types.ts';
import { isObject, parseDocument, valueAt, type JsonDocument, type JsonSyntaxError } from '../json/json-document.ts';
import type { JsonPath } from '../json/json-path.ts';
import type {
  CameraConfig,
  ConfigProblem,
  MachineConfig,
  ModelServiceConfig,
  VisionServiceConfig,
} from './machine-config.ts';
import { matchingKey } from './parse-attributes.ts';
import { parseTransformCamera } from './parse-camera.ts';
import { parseColorDetector } from './parse-color-detector.ts';
import type { Refusal } from './parse-transform-step.ts';
import { parseVisionService } from './parse-vision-service.ts';
import { wholenessOf } from './wholeness.ts';

export interface LocatedProblem extends ConfigProblem {
  /** the value in the JSON that it concerns, or where it should stand */
  readonly path: JsonPath;
}

export interface ParsedMachineConfig {
  /** every resource that the machine could build; one bad resource leaves the others whole */
  readonly config: MachineConfig;
  /** why the others could not be built: by resource, in the order in which the machine looks */
  readonly problems: readonly LocatedProblem[];
  /** all resources of the JSON with their place, buildable or not */
  readonly entries: readonly ConfigEntry[];
  /** mistakes of the JSON itself; what could be read around them is used */
  readonly syntaxErrors: readonly JsonSyntaxError[];
  readonly document: JsonDocument;
}

/** The runtime's own cameras, of whose frames with odd sides a transform camera crops a pixel. `image_file` is built in too, but not among them. */
const builtInWebcams: ReadonlySet<string> = new Set(['webcam', 'fake']);

/**
 * Parses a machine configuration. It never throws: everything that is wrong is in `problems` and `syntaxErrors`.
 * @param text of any kind
 * @returns what the machine would build, and why it would not build the rest
 * @example
 * const text = '{"components":[{"name":"cam","api":"rdk:component:camera","model":"webcam"}]}';
 * parseMachineConfig(text).config.cameras; // => [{ kind: 'source', name: 'cam', builtIn: true }]
 * parseMachineConfig('[]').problems[0].message; // => 'a machine configuration is a JSON object'
 */
export function parseMachineConfig(text: string): ParsedMachineConfig {
  const document = parseDocument(text);
  const entries = listEntries(document);
  const cameras: CameraConfig[] = [];
  const visionServices: VisionServiceConfig[] = [];
  const modelServices: ModelServiceConfig[] = [];
  const problems: LocatedProblem[] = shapeProblems(document);
  const report = (resource: string, refusals: readonly Refusal[]): void => {
    problems.push(...refusals.map((refusal) => ({ resource, ...refusal })));
  };
  for (const entry of entries) {
    report(entry.name, mistypedRefusals(entry, document));
    const raw = valueAt(document, entry.attributesPath);
    switch (entry.kind) {
      case 'source-camera':
        cameras.push({
          kind: 'source',
          name: entry.name,
          ...(builtInWebcams.has(entry.model) && { builtIn: true as const }),
        });
        break;
      case 'transform-camera': {
        const { camera, refusals } = parseTransformCamera(entry, raw);
        if (camera) cameras.push(camera);
        report(entry.name, refusals);
        break;
      }
      case 'filtered-camera':
      case 'conditional-camera': {
        // What its module refuses, `filteredCameraProblems` says.
        const source = entry.attributes[matchingKey(entry.attributes, 'camera') ?? 'camera'];
        cameras.push({ kind: 'filtered', name: entry.name, source: typeof source === 'string' ? source : '' });
        break;
      }
      case 'mlmodel-vision':
      case 'color-detector': {
        const parse = entry.kind === 'color-detector' ? parseColorDetector : parseVisionService;
        const { service, refusals } = parse(entry, raw);
        if (service) visionServices.push(service);
        report(entry.name, refusals);
        break;
      }
      case 'mlmodel':
        modelServices.push({ name: entry.name, model: entry.model, attributes: entry.attributes });
        break;
      case 'other-vision':
      case 'other':
        break;
    }
  }
  const built = wholenessOf(document).whole ? visionServices.filter(hasItsCamera) : visionServices;
  const config = { cameras, visionServices: built, ...(modelServices.length > 0 && { modelServices }) };
  return { config, problems, entries, syntaxErrors: document.errors, document };

  function hasItsCamera({ name, cameraName }: VisionServiceConfig): boolean {
    if (cameraName === '' || isBuilt(cameras, cameraName)) return true;
    const entry = findEntry(entries, name, ...runnableVision)!;
    const path = [...entry.attributesPath, matchingKey(entry.attributes, 'camera_name')!];
    report(name, [{ path, code: 'no-such-camera', message: `could not find camera "${cameraName}"` }]);
    return false;
  }
}

/** A camera can be built only if all cameras that its frames come from can be built. */
function isBuilt(cameras: readonly CameraConfig[], name: string): boolean {
  const way = new Set<string>();
  for (let next = name; ;) {
    const camera = cameras.find((candidate) => candidate.name === next);
    if (!camera || way.has(next)) return false;
    if (camera.kind === 'source') return true;
    way.add(next);
    next = camera.source;
  }
}

/** What makes the machine refuse the whole configuration before it builds anything, besides what the parsers find. */
function mistypedRefusals(entry: ConfigEntry, document: JsonDocument): readonly Refusal[] {
  const raw = valueAt(document, entry.path);
  const isParsed = ['transform-camera', ...runnableVision].includes(entry.kind);
  const members = isObject(raw) ? mistypedMembers(raw, entry.path) : [];
  return [
    // The parsers of these kinds check the attributes themselves.
    ...members.filter(({ path }) => !isParsed || path.at(-1) !== 'attributes'),
    ...mistypedCameraAttributes(entry).map(({ path, message }) => ({
      path: [...entry.attributesPath, ...path],
      message,
    })),
  ].map(({ path, message }) => ({ path, message, code: 'bad-attributes', refusesAll: true }));
}

/**
 * Gives the problems for which the machine would refuse the whole configuration.
 * @param parsed of `parseMachineConfig`
 * @returns []: it would not refuse it
 * @example
 * refusalsOfAll(parseMachineConfig('{"services": 1}')).map(({ message }) => message); // => ['services must be a list']
 */
export function refusalsOfAll({ problems }: Pick<ParsedMachineConfig, 'problems'>): readonly LocatedProblem[] {
  return problems.filter(({ refusesAll }) => refusesAll);
}

function shapeProblems(document: JsonDocument): LocatedProblem[] {
  const problem = (path: JsonPath, message: string): LocatedProblem => ({
    resource: '',
    code: 'bad-shape',
    message,
    path,
    refusesAll: true,
  });
  const { value } = document;
  if (value === undefined) return [problem([], 'the text has no JSON value')];
  if (!isObject(value)) return [problem([], 'a machine configuration is a JSON object')];
  return ['components', 'services'].flatMap((section) => {
    const list = value[section];
    if (list === undefined || list === null) return [];
    if (!Array.isArray(list)) return [problem([section], `${section} must be a list`)];
    return list.flatMap((item: unknown, index) =>
      isObject(item) ? [] : [problem([section, index], `${section}[${index}] must be an object`)],
    );
  });
}
