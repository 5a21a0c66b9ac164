import { machineUrls } from '../remote/live-machine/machine-urls.ts';
import { namedPaths, type NamedPaths } from './named-paths.ts';
import { keyOptions, parseKey, type KeyPlace } from './parse-key.ts';
import { integer, parseOptions, required } from './parse-options.ts';
import { UsageError } from './usage.ts';

export interface ParityArguments {
  /** the addresses to try, each without a slash at its end or made by `peerUrl` */
  readonly machineUrls: readonly string[];
  readonly visionName: string;
  /** '' = the service's own */
  readonly cameraName: string;
  readonly frames: number;
  /** null = a service of that name without thresholds */
  readonly configPath: string | null;
  /** without a model the machine's own is asked */
  readonly modelPaths: NamedPaths;
  readonly labelPaths: NamedPaths;
  /** of an API key; null = the machine asks for none */
  readonly key: KeyPlace | null;
  /** fail on what two runtimes round apart too */
  readonly strictRounding: boolean;
  /** where the page of the report goes */
  readonly reportPath: string | null;
}

const defaultFrames = 100;

/** @throws UsageError */
export function parseParity(args: readonly string[]): ParityArguments {
  const { values, positionals } = parseOptions(
    args,
    ['machine', 'vision', 'camera', 'frames', 'config', 'report', ...keyOptions],
    ['model', 'labels'],
    ['strict-rounding'],
  );
  if (positionals.length > 0) {
    throw new UsageError(`parity takes options only, got "${positionals[0]}": its frames come from the machine.`);
  }
  const found = machineUrls(required('parity', 'machine', values), 'http://localhost/');
  if ('message' in found) throw new UsageError(`--machine: ${found.message} ${found.cure}`);
  const frames = integer('frames', values.one('frames') ?? String(defaultFrames));
  if (frames < 1) throw new UsageError(`--frames wants at least 1, got "${frames}".`);
  return {
    machineUrls: found.urls,
    visionName: required('parity', 'vision', values),
    cameraName: values.one('camera') ?? '',
    frames,
    configPath: values.one('config'),
    modelPaths: namedPaths('model', values),
    labelPaths: namedPaths('labels', values),
    key: parseKey(values),
    strictRounding: values.has('strict-rounding'),
    reportPath: values.one('report'),
  };
}
