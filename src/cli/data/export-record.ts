import { extname } from 'node:path';
import type { RowFormat } from '../../base/row-files/row-file-writer.ts';
import { readMachineAddress } from '../../remote/live-machine/machine-address.ts';
import { keyPlace } from '../shared/key-place.ts';
import { command, type ArgumentsOf } from '../record/command.ts';
import { flag, inGroup, made, option, required, together, usual } from '../record/field.ts';
import { oneOf, text, type Kind } from '../record/kinds.ts';
import { timeSpan } from './time-span.ts';
import { UsageError } from '../record/usage-error.ts';

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

const formats: readonly RowFormat[] = ['parquet', 'csv', 'jsonl'];

/** Without a slash at its end. */
const serverUrl: Kind<string> = {
  read(value, name) {
    const address = readMachineAddress(value);
    if ('message' in address) throw new UsageError(`--${name}: ${address.message} ${address.cure}`);
    return address.url;
  },
};

const readings = inGroup('Readings of one resource', {
  partId: option('--part ID', 'part that captured them'),
  resourceName: option('--resource NAME', 'its resource'),
  resourceSubtype: usual('--resource-type TYPE', 'type of the resource', text, 'rdk:component:sensor'),
  methodName: usual('--method NAME', 'method that was captured', text, 'Readings'),
  ...timeSpan,
});
const ofReadings = together(readings).options.map(({ name }) => name);

const question = together(
  {
    ...inGroup('Rows of a query', {
      org: option('--org ID', 'organization that is asked'),
      sql: option('--sql QUERY', 'a query in SQL'),
      mql: option('--mql FILE', 'a list of stages as extended JSON'),
      pipelineId: option('--pipeline ID', 'read the results of that pipeline, with --mql'),
    }),
    ...readings,
  },
  ({ org, sql, mql, pipelineId, partId, resourceName, ...rest }, { has }): ExportQuestion => {
    if ([sql, mql, partId].filter((given) => given !== null).length !== 1)
      throw new UsageError('export wants one of --sql "SELECT …", --mql FILE, and --part ID with its resource.');
    const stray = partId === null ? ofReadings.find((name) => has(name)) : undefined;
    if (stray !== undefined) throw new UsageError(`--${stray} goes with --part; a query itself says what it reads.`);
    if (pipelineId !== null && mql === null)
      throw new UsageError('--pipeline goes with --mql, which reads the results of that pipeline.');
    if (partId !== null) {
      if (resourceName === null) throw new UsageError('export wants --resource.');
      return { kind: 'readings', partId, resourceName, ...rest };
    }
    if (org === null) throw new UsageError('export wants --org.');
    if (sql !== null) return { kind: 'sql', organizationId: org, sql };
    return { kind: 'mql', organizationId: org, filePath: mql!, pipelineId };
  },
);

export const exportRecord = command('export', {
  usage: [
    '--server https://HOST --key-id ID --key-file FILE --out FILE.parquet|.csv|.jsonl | --format FORMAT --org ID --sql "SELECT …" | --org ID --mql stages.json [--pipeline ID] | --part ID --resource NAME [--resource-type TYPE] [--method NAME] [--from TIME] [--to TIME]   [--exact-text]',
  ],
  notes: [
    "export writes the rows of a query, or all readings of one resource, of a data service into a file. Memory stays small for any number of rows; but a data service other than Sightglass's answers a query in one message, and refuses a query whose rows do not fit into it. The file appears under its name when it is complete. Exit code 130 after Ctrl+C.",
  ],
  reads: together(
    {
      serverUrl: required('--server URL', 'the data service', serverUrl),
      key: made(keyPlace, (key) => {
        if (key === null) throw new UsageError('export wants a key of the server: --key-id ID and --key-file FILE.');
        return key;
      }),
      outPath: option('--out FILE', 'Parquet, CSV or JSONL by its name: .parquet, .csv or .jsonl'),
      format: option('--format FORMAT', 'parquet, csv or jsonl, for stdout and for other names', oneOf(formats)),
      isExact: flag(
        '--exact-text',
        'texts of a CSV file that a spreadsheet would run as formulas get no apostrophe in front',
      ),
      question,
    },
    ({ format: named, ...rest }) => {
      const ending = extname(rest.outPath ?? '')
        .slice(1)
        .toLowerCase();
      const format = named ?? formats.find((one) => one === ending);
      if (format === undefined)
        throw new UsageError(
          'export wants --out FILE.parquet, .csv or .jsonl, or --format for stdout and other names.',
        );
      if (rest.isExact && format !== 'csv')
        throw new UsageError(`--exact-text is about CSV; in ${format} all texts are unchanged.`);
      return { ...rest, format };
    },
  ),
});
export type ExportArguments = ArgumentsOf<typeof exportRecord>;
