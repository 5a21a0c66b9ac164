import { integer, parseOptions, required, type OptionValues } from './parse-options.ts';
import type { MachineCamera } from '../machine/config/machine-camera.ts';
import { namedPaths, type NamedPaths } from './named-paths.ts';
import { parseAudit } from './parse-audit.ts';
import { parseCheckCertificate, type CheckCertificateArguments } from './parse-certificate.ts';
import { parseCompare, type CompareArguments } from './parse-compare.ts';
import { parseDrift, type DriftArguments } from './parse-drift.ts';
import { parseEvaluate, splitOf, type EvaluateArguments } from './parse-evaluate.ts';
import { parseExport, type ExportArguments } from './parse-export.ts';
import { parseFeeding, type FeedingArguments } from './parse-feeding.ts';
import { parseFit, type FitArguments } from './parse-fit.ts';
import { parseMove } from './parse-move.ts';
import { parseParity, type ParityArguments } from './parse-parity.ts';
import { parsePeople } from './parse-people.ts';
import { parseRun, type RunArguments } from './parse-run.ts';
import { optionsOfCheck, parseBackup, parseFolder, parseHealth, parseManage, parseServe } from './parse-serve.ts';
import type {
  AuditArguments,
  BackupArguments,
  FolderArguments,
  HealthArguments,
  ManageArguments,
  MoveArguments,
  PeopleArguments,
  ServeArguments,
} from './serve-arguments.ts';
import { commandNames, UsageError } from './usage.ts';

export { UsageError };

/** What a command line asks for, checked. Everything the commands read comes from here. */
export type Command =
  | { readonly name: 'version' }
  | { readonly name: 'help'; /** null: all commands */ readonly of: string | null }
  | ({ readonly name: 'detect'; readonly drawDir: string | null } & VisionArguments)
  | ({ readonly name: 'classify'; readonly top: number } & VisionArguments)
  | {
      readonly name: 'transform';
      readonly configPath: string;
      readonly cameraName: string;
      readonly modelPaths: NamedPaths;
      readonly labelPaths: NamedPaths;
      readonly outDir: string;
      readonly source: MachineCamera | null;
      readonly strict: boolean;
      readonly framePaths: readonly string[];
    }
  | {
      readonly name: 'lint';
      readonly configPath: string;
      /** folder with the model files */ readonly modelsDir: string | null;
      readonly modelPaths: NamedPaths;
    }
  | ({ readonly name: 'fit' } & FitArguments)
  | ({ readonly name: 'feeding' } & FeedingArguments)
  | { readonly name: 'replay'; readonly benchPath: string; readonly modelPaths: NamedPaths }
  | ({ readonly name: 'parity' } & ParityArguments)
  | ({ readonly name: 'evaluate' } & EvaluateArguments)
  | ({ readonly name: 'compare' } & CompareArguments)
  | ({ readonly name: 'drift' } & DriftArguments)
  | { readonly name: 'signing-key'; readonly keyPath: string }
  | ({ readonly name: 'run' } & RunArguments)
  | ({ readonly name: 'serve' } & ServeArguments)
  | AuditArguments
  | PeopleArguments
  | ExportArguments
  | HealthArguments
  | BackupArguments
  | FolderArguments
  | CheckCertificateArguments
  | ManageArguments
  | MoveArguments;

export interface VisionArguments extends ServiceArguments {
  readonly framePaths: readonly string[];
}

/** A vision service with its model, and the camera that it looks through. */
interface ServiceArguments {
  readonly configPath: string;
  readonly visionName: string;
  readonly modelPaths: NamedPaths;
  readonly labelPaths: NamedPaths;
  /** null = the frame as it is; '' = the service's own camera_name */
  readonly cameraName: string | null;
  /** null = what the configuration says of its cameras */
  readonly source: MachineCamera | null;
  /** fail where the machine refuses the whole configuration, instead of running the rest */
  readonly strict: boolean;
}

/**
 * Reads the arguments of the command line.
 * @param argv what stands behind `sightglass`
 * @returns the command with its arguments, defaults filled in
 * @throws UsageError naming the argument, what it got and what it wants
 * @example
 * parseCommand(['signing-key', 'key.pem']); // => { name: 'signing-key', keyPath: 'key.pem' }
 * parseCommand(['--version']); // => { name: 'version' }
 */
export function parseCommand(argv: readonly string[]): Command {
  const [name, ...rest] = argv;
  if (rest.includes('--help') || rest.includes('-h')) return { name: 'help', of: knownCommand(name) };
  switch (name) {
    case undefined:
      throw new UsageError(`No command given.`);
    case 'help':
    case '--help':
    case '-h':
      return { name: 'help', of: knownCommand(rest[0]) };
    case '--version':
      return { name: 'version' };
    case 'detect': {
      const { values, positionals } = parseOptions(
        rest,
        ['config', 'vision', 'camera', 'source', 'draw'],
        ['model', 'labels'],
        strictness,
      );
      return { name, drawDir: values.one('draw'), ...visionArguments(name, values, positionals) };
    }
    case 'classify': {
      const { values, positionals } = parseOptions(
        rest,
        ['config', 'vision', 'camera', 'source', 'top'],
        ['model', 'labels'],
        strictness,
      );
      return { name, top: integer('top', values.one('top') ?? '0'), ...visionArguments(name, values, positionals) };
    }
    case 'transform': {
      const { values, positionals } = parseOptions(
        rest,
        ['config', 'camera', 'source', 'out'],
        ['model', 'labels'],
        strictness,
      );
      const paths = { modelPaths: namedPaths('model', values), labelPaths: namedPaths('labels', values) };
      for (const [option, { unnamed }] of [
        ['model', paths.modelPaths],
        ['labels', paths.labelPaths],
      ] as const) {
        if (unnamed !== null) {
          throw new UsageError(`transform: --${option} wants VISION=FILE, got "${unnamed}".`);
        }
      }
      return {
        name,
        configPath: required(name, 'config', values),
        cameraName: required(name, 'camera', values),
        ...paths,
        outDir: required(name, 'out', values),
        source: machineCamera(values),
        strict: isStrict(name, values),
        framePaths: frames(name, positionals),
      };
    }
    case 'lint': {
      const { values, positionals } = parseOptions(rest, ['models'], ['model']);
      const [configPath, ...more] = positionals;
      if (configPath === undefined || more.length > 0) {
        throw new UsageError(`lint wants one machine configuration, got ${positionals.length} paths.`);
      }
      return { name, configPath, modelsDir: values.one('models'), modelPaths: namedPaths('model', values) };
    }
    case 'fit':
      return { name, ...parseFit(rest) };
    case 'feeding':
      return { name, ...parseFeeding(rest) };
    case 'replay': {
      const { values, positionals } = parseOptions(rest, [], ['model']);
      const [benchPath, ...more] = positionals;
      if (benchPath === undefined || more.length > 0) {
        throw new UsageError(`replay wants one saved bench, got ${positionals.length} paths.`);
      }
      return { name, benchPath, modelPaths: namedPaths('model', values) };
    }
    case 'parity':
      return { name, ...parseParity(rest) };
    case 'evaluate':
      return { name, ...parseEvaluate(rest, serviceArguments) };
    case 'compare':
      return { name, ...parseCompare(rest, serviceArguments) };
    case 'drift':
      return { name, ...parseDrift(rest, serviceArguments) };
    case 'signing-key': {
      const { positionals } = parseOptions(rest, [], []);
      const [keyPath, ...more] = positionals;
      if (!keyPath || more.length > 0)
        throw new UsageError(`signing-key wants one FILE, got ${positionals.length} paths.`);
      return { name, keyPath };
    }
    case 'run':
      return { name, ...parseRun(rest, serviceArguments) };
    case 'serve':
      return { name, ...parseServe(rest) };
    case 'health':
      return parseHealth(rest);
    case 'backup':
    case 'restore':
      return parseBackup(name, rest);
    case 'move':
      return parseMove(rest);
    case 'clock':
      return parseFolder(name, rest);
    case 'check':
      return (
        parseCheckCertificate(rest, optionsOfCheck, { source: machineCamera, split: splitOf }) ??
        parseFolder(name, rest)
      );
    case 'audit':
      return parseAudit(rest);
    case 'people':
      return parsePeople(rest);
    case 'export':
      return parseExport(rest);
    case 'orgs':
    case 'parts':
    case 'keys':
    case 'secrets':
      return parseManage(name, rest);
    default:
      throw new UsageError(`Unknown command "${name}".${hint(name)}`);
  }
}

const knownCommand = (name: string | undefined): string | null => commandNames.find((known) => known === name) ?? null;

/** A slip of a letter, or the beginning of a name. */
function hint(name: string): string {
  const near = commandNames.find((known) => known.startsWith(name) || isOneSlipApart(known, name));
  return near === undefined ? '' : ` Is it "${near}"?`;
}

/** One letter more, less or another, or two that changed places. */
function isOneSlipApart(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const rest = (text: string, skip: number): string => text.slice(at + skip);
  const isSwapped = a[at] === b[at + 1] && a[at + 1] === b[at] && rest(a, 2) === rest(b, 2);
  return isSwapped || rest(a, 1) === rest(b, 1) || rest(a, 0) === rest(b, 1) || rest(a, 1) === rest(b, 0);
}

function visionArguments(command: string, values: OptionValues, positionals: readonly string[]): VisionArguments {
  return { ...serviceArguments(command, values), framePaths: frames(command, positionals) };
}

function serviceArguments(command: string, values: OptionValues): ServiceArguments {
  return {
    configPath: required(command, 'config', values),
    visionName: required(command, 'vision', values),
    modelPaths: namedPaths('model', values),
    labelPaths: namedPaths('labels', values),
    cameraName: values.one('camera'),
    source: machineCamera(values),
    strict: isStrict(command, values),
  };
}

function machineCamera(values: OptionValues): MachineCamera | null {
  const source = values.one('source');
  if (source === null || source === 'webcam' || source === 'module') return source;
  throw new UsageError(`--source wants webcam or module, got "${source}".`);
}

const strictness = ['strict', 'no-strict'];

function isStrict(command: string, values: OptionValues): boolean {
  if (values.has('strict') && values.has('no-strict'))
    throw new UsageError(`${command} was given both --strict and --no-strict; give one.`);
  return !values.has('no-strict');
}

function frames(command: string, positionals: readonly string[]): readonly string[] {
  if (positionals.length === 0) throw new UsageError(`${command} wants at least one FRAME.`);
  return positionals;
}
