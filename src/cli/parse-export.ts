import { extname } from 'node:path';
import type { RowFormat } from '../base/row-files/row-file-writer.ts';
import { readMachineAddress } from '../remote/live-machine/machine-address.ts';
import { filled, parseOptions, required, timeMs, type OptionValues } from './parse-options.ts';
import { keyOptions, parseKey, type KeyPlace } from './parse-key.ts';
import { UsageError } from './usage.ts';

/** What `export` asks for. */
export type ExportQuestion =
  | { readonly kind: 'sql'; readonly organizationId: string; readonly sql: string }
  | {
      readonly kind: 'mql';
      readonly organizationId: string;
      readonly filePath: string;
      /** null: all readings */
      readonly pipelineId: string | null;
    }
  | {
      readonly kind: 'readings';
      readonly partId: string;
      readonly resourceName: string;
      readonly resourceSubtype: string;
      readonly methodName: string;
      /** ms since 1970; null: no limit */
      readonly startMs: number | null;
      readonly endMs: number | null;
    };

export interface ExportArguments {
  readonly name: 'export';
  /** without a slash at its end */
  readonly serverUrl: string;
  readonly key: KeyPlace;
  readonly format: RowFormat;
  /** null: stdout */
  readonly outPath: string | null;
  /** CSV: texts that a spreadsheet would run as formulas stay unchanged */
  readonly isExact: boolean;
  readonly question: ExportQuestion;
}

const formats: readonly RowFormat[] = ['parquet', 'csv', 'jsonl'];
const ofReadings = ['part', 'resource', 'resource-type', 'method', 'from', 'to'];

/** @throws UsageError */
export function parseExport(args: readonly string[]): ExportArguments {
  const { values, positionals } = parseOptions(
    args,
    ['server', ...keyOptions, 'out', 'format', 'org', 'sql', 'mql', 'pipeline', ...ofReadings],
    [],
    ['exact-text'],
  );
  if (positionals.length > 0) throw new UsageError(`export wants no "${positionals[0]}".`);
  const address = readMachineAddress(required('export', 'server', values));
  if ('message' in address) throw new UsageError(`--server: ${address.message} ${address.cure}`);
  const key = parseKey(values);
  if (key === null) throw new UsageError('export wants a key of the server: --key-id ID and --key-file FILE.');
  const outPath = filled('out', values);
  const format = formatOf(filled('format', values), outPath);
  if (values.has('exact-text') && format !== 'csv')
    throw new UsageError(`--exact-text is about CSV; in ${format} all texts are unchanged.`);
  return {
    name: 'export',
    serverUrl: address.url,
    key,
    format,
    outPath,
    isExact: values.has('exact-text'),
    question: questionOf(values),
  };
}

function formatOf(named: string | null, outPath: string | null): RowFormat {
  const wanted = named ?? (outPath === null ? '' : extname(outPath).slice(1).toLowerCase());
  const format = formats.find((one) => one === wanted);
  if (format !== undefined) return format;
  throw new UsageError(
    named === null
      ? 'export wants --out FILE.parquet, .csv or .jsonl, or --format for stdout and other names.'
      : `--format wants parquet, csv or jsonl, got "${named}".`,
  );
}

function questionOf(values: OptionValues): ExportQuestion {
  const [sql, filePath, part] = [filled('sql', values), filled('mql', values), filled('part', values)];
  if ([sql, filePath, part].filter((given) => given !== null).length !== 1)
    throw new UsageError('export wants one of --sql "SELECT …", --mql FILE, and --part ID with its resource.');
  if (part === null) {
    const stray = ofReadings.find((option) => values.one(option) !== null);
    if (stray !== undefined) throw new UsageError(`--${stray} goes with --part; a query itself says what it reads.`);
  }
  if (values.one('pipeline') !== null && filePath === null)
    throw new UsageError('--pipeline goes with --mql, which reads the results of that pipeline.');
  if (sql !== null) return { kind: 'sql', organizationId: required('export', 'org', values), sql };
  if (filePath !== null)
    return {
      kind: 'mql',
      organizationId: required('export', 'org', values),
      filePath,
      pipelineId: filled('pipeline', values),
    };
  return {
    kind: 'readings',
    partId: part!,
    resourceName: required('export', 'resource', values),
    resourceSubtype: filled('resource-type', values) ?? 'rdk:component:sensor',
    methodName: filled('method', values) ?? 'Readings',
    startMs: timeMs('from', values),
    endMs: timeMs('to', values),
  };
}
