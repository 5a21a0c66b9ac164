import type { Claim } from '../evidence/certificate/certificate.ts';
import type { MachineCamera } from '../machine/config/machine-camera.ts';
import type { Split } from '../evidence/datasets/item/dataset-item.ts';
import { namedPaths, type NamedPaths } from './named-paths.ts';
import { parseOptions, required, type OptionValues } from './parse-options.ts';
import { UsageError } from './usage.ts';

/** What `evaluate` is asked to certify. */
export interface CertificateOptions {
  /** where the certificate goes */
  readonly path: string;
  readonly claims: readonly Claim[];
  /** of each claim by itself */
  readonly confidence: number;
  readonly validDays: number | null;
  /** somebody says that the thresholds were set without these images */
  readonly isSetElsewhere: boolean;
  /** of `sightglass signing-key`; null: it is not signed */
  readonly keyPath: string | null;
}

/** What `check` is asked of a certificate. */
export interface CheckCertificateArguments {
  readonly name: 'check';
  readonly certificatePath: string;
  readonly configPath: string;
  readonly modelPaths: NamedPaths;
  readonly labelPaths: NamedPaths;
  readonly source: MachineCamera | null;
  /** evaluated again; null: not */
  readonly dataPath: string | null;
  readonly split: Split | null;
  /** what `sightglass drift` printed; null: nothing was compared */
  readonly driftPath: string | null;
  /** null: any key, or none */
  readonly fingerprint: string | null;
}

export const certificateOptions = ['certificate', 'claim', 'confidence', 'valid-days', 'sign'];
/** An option without a value. */
export const setElsewhere = 'thresholds-set-elsewhere';
const usualConfidence = 0.9;

/** @throws UsageError */
export function parseCertificateOptions(values: OptionValues): CertificateOptions | null {
  const path = values.one('certificate');
  if (path === null) {
    const alone = [...certificateOptions, setElsewhere].find((name) => values.has(name));
    if (alone !== undefined)
      throw new UsageError(`--${alone} goes with --certificate FILE, which the claims are written to.`);
    return null;
  }
  if (values.has('detections'))
    throw new UsageError(
      '--certificate names the model and the configuration that it is of, which --detections does not: give --config, --vision and --model.',
    );
  const days = values.one('valid-days');
  return {
    path,
    claims: required('evaluate --certificate', 'claim', values).split(',').map(parseClaim),
    confidence: between('confidence', values.one('confidence') ?? String(usualConfidence), 0.5),
    validDays: days === null ? null : wholeDays(days),
    isSetElsewhere: values.has(setElsewhere),
    keyPath: values.one('sign'),
  };
}

/** `recall:person=0.95`, `precision=0.9` */
function parseClaim(text: string): Claim {
  const [, figure, label = null, number = ''] = /^\s*(recall|precision)(?::(.+))?=([^=]*)$/.exec(text) ?? [];
  if (figure !== 'recall' && figure !== 'precision')
    throw new UsageError(
      `--claim wants recall=NUMBER, precision=NUMBER, or one of a label as recall:person=0.95, got "${text}".`,
    );
  return { figure, label, atLeast: between('claim', number, 0) };
}

function between(option: string, text: string, above: number): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > above && value < 1))
    throw new UsageError(`--${option} wants a number above ${above} and below 1, got "${text}".`);
  return value;
}

function wholeDays(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new UsageError(`--valid-days wants a number of days from 1 on, got "${text}".`);
  return Number(text);
}

const single = ['config', 'source', 'data', 'split', 'drift', 'fingerprint'];

/** A certificate's check if a file is named, null: `check` is asked to look after a store. @throws UsageError */
export function parseCheckCertificate(
  args: readonly string[],
  ofStore: readonly string[],
  {
    source,
    split,
  }: {
    readonly source: (values: OptionValues) => MachineCamera | null;
    readonly split: (text: string | null) => Split | null;
  },
): CheckCertificateArguments | null {
  const { positionals } = parseOptions(args, [...new Set([...single, ...ofStore])], ['model', 'labels']);
  if (positionals.length === 0) return null;
  const { values } = parseOptions(args, single, ['model', 'labels']);
  const [path, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`check wants one certificate, got ${positionals.length} paths.`);
  const dataPath = values.one('data');
  const modelPaths = namedPaths('model', values);
  if (dataPath !== null && modelPaths.unnamed === null && Object.keys(modelPaths.byName).length === 0)
    throw new UsageError('check --data runs the model again: give it by --model.');
  if (dataPath === null && values.has('split')) throw new UsageError('--split goes with --data.');
  return {
    name: 'check',
    certificatePath: path!,
    configPath: required('check of a certificate', 'config', values),
    modelPaths,
    labelPaths: namedPaths('labels', values),
    source: source(values),
    dataPath,
    split: split(values.one('split')),
    driftPath: values.one('drift'),
    fingerprint: values.one('fingerprint'),
  };
}
