import { parseArgs } from 'node:util';

/** What a command line asks for, checked. Everything the commands read comes from here. */
export type Command =
  | { readonly name: 'help' | 'version' }
  | ({ readonly name: 'detect'; readonly drawDir: string | null } & VisionArguments)
  | ({ readonly name: 'classify'; readonly top: number } & VisionArguments)
  | {
      readonly name: 'transform';
      readonly configPath: string;
      readonly cameraName: string;
      readonly modelPaths: NamedPaths;
      readonly labelPaths: NamedPaths;
      readonly outDir: string;
      readonly framePaths: readonly string[];
    }
  | { readonly name: 'lint'; readonly configPath: string };

export interface VisionArguments {
  readonly configPath: string;
  readonly visionName: string;
  readonly modelPaths: NamedPaths;
  readonly labelPaths: NamedPaths;
  /** null = the frame as it is; '' = the service's own camera_name */
  readonly cameraName: string | null;
  readonly framePaths: readonly string[];
}

/** Paths given as NAME=FILE by name, and the one given without a name. */
export interface NamedPaths {
  readonly unnamed: string | null;
  readonly byName: Readonly<Record<string, string>>;
}

/** Bad arguments: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `Usage: sightglass <command> [options]

  detect    --config machine.json --vision NAME --model model.onnx [--labels FILE] [--camera NAME] [--draw DIR] FRAME…
  classify  --config machine.json --vision NAME --model model.onnx [--labels FILE] [--camera NAME] [--top=N] FRAME…
  transform --config machine.json --camera NAME [--model VISION=FILE]… [--labels VISION=FILE]… --out DIR FRAME…
  lint      machine.json

detect and classify take further --model VISION=FILE for the vision services that the steps of a transform camera name.
--top=N keeps the N best classifications; N ≤ 0 (the default) gives all, in label order.
One JSON object a frame is printed on stdout, in the order given; progress goes to stderr.
Exit code: 0 all well; 1 a frame, the configuration or the model failed, or lint found errors; 2 bad arguments.`;

/** @throws UsageError naming the argument, what it got and what it wants */
export function parseCommand(argv: readonly string[]): Command {
  const [name, ...rest] = argv;
  switch (name) {
    case undefined:
      throw new UsageError(`No command given.\n\n${usage}`);
    case 'help':
    case '--help':
    case '-h':
      return { name: 'help' };
    case '--version':
      return { name: 'version' };
    case 'detect': {
      const { values, positionals } = parse(rest, ['config', 'vision', 'camera', 'draw'], ['model', 'labels']);
      return { name, drawDir: values.one('draw'), ...visionArguments(name, values, positionals) };
    }
    case 'classify': {
      const { values, positionals } = parse(rest, ['config', 'vision', 'camera', 'top'], ['model', 'labels']);
      return { name, top: integer('top', values.one('top') ?? '0'), ...visionArguments(name, values, positionals) };
    }
    case 'transform': {
      const { values, positionals } = parse(rest, ['config', 'camera', 'out'], ['model', 'labels']);
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
        framePaths: frames(name, positionals),
      };
    }
    case 'lint': {
      const { positionals } = parse(rest, [], []);
      const [configPath, ...more] = positionals;
      if (configPath === undefined || more.length > 0) {
        throw new UsageError(`lint wants one machine configuration, got ${positionals.length} paths.`);
      }
      return { name, configPath };
    }
    default:
      throw new UsageError(`Unknown command "${name}".\n\n${usage}`);
  }
}

interface OptionValues {
  one(option: string): string | null;
  many(option: string): readonly string[];
}

function parse(
  args: readonly string[],
  single: readonly string[],
  multiple: readonly string[],
): { values: OptionValues; positionals: readonly string[] } {
  const options = Object.fromEntries([
    ...single.map((name) => [name, { type: 'string' as const, multiple: true as const }]),
    ...multiple.map((name) => [name, { type: 'string' as const, multiple: true as const }]),
  ]) as Record<string, { type: 'string'; multiple: true }>;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    const many = (option: string): readonly string[] => values[option] ?? [];
    const one = (option: string): string | null => {
      const given = many(option);
      if (given.length > 1) throw new UsageError(`--${option} was given ${given.length} times; give it once.`);
      return given[0] ?? null;
    };
    return { values: { one, many }, positionals };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${(error as Error).message}\n\n${usage}`, { cause: error });
  }
}

function visionArguments(command: string, values: OptionValues, positionals: readonly string[]): VisionArguments {
  const modelPaths = namedPaths('model', values);
  if (modelPaths.unnamed === null && Object.keys(modelPaths.byName).length === 0) {
    throw new UsageError(`${command} wants --model FILE, the ONNX model of the vision service.\n\n${usage}`);
  }
  return {
    configPath: required(command, 'config', values),
    visionName: required(command, 'vision', values),
    modelPaths,
    labelPaths: namedPaths('labels', values),
    cameraName: values.one('camera'),
    framePaths: frames(command, positionals),
  };
}

function required(command: string, option: string, values: OptionValues): string {
  const value = values.one(option);
  if (!value) throw new UsageError(`${command} wants --${option}.\n\n${usage}`);
  return value;
}

function frames(command: string, positionals: readonly string[]): readonly string[] {
  if (positionals.length === 0) throw new UsageError(`${command} wants at least one FRAME.\n\n${usage}`);
  return positionals;
}

function integer(option: string, text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new UsageError(`--${option} wants a whole number, got "${text}".`);
  return Number(text);
}

/** NAME=FILE splits at the first "="; a path that itself holds "=" must be given as NAME=PATH. */
function namedPaths(option: string, values: OptionValues): NamedPaths {
  let unnamed: string | null = null;
  const byName: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const text of values.many(option)) {
    const [, name, path] = /^([^=/\\]+)=(.+)$/s.exec(text) ?? [];
    if (name !== undefined && path !== undefined) {
      if (name in byName) throw new UsageError(`--${option} was given twice for "${name}".`);
      byName[name] = path;
    } else if (unnamed === null) unnamed = text;
    else throw new UsageError(`--${option} was given twice without a name: "${unnamed}" and "${text}".`);
  }
  return { unnamed, byName };
}
