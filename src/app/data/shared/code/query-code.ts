import { narrowsHere } from '../filters/narrow-items.ts';
import { intervalMs, type DataFilter } from '../filters/data-filter.ts';

export type CodeLanguage = 'typescript' | 'python' | 'cli';

export interface CodeQuery {
  readonly filter: DataFilter;
  readonly organizationId: string;
  /** of the tab, where the filter names none */
  readonly mimeTypes: readonly string[];
}

/**
 * The same query for the public clients: `@viamrobotics/sdk` (`DataClient.createFilter`, `binaryDataByFilter`), `viam-sdk`
 * (`Filter`, `binary_data_by_filter`) and the CLI (`viam data export binary filter`), as their references describe them.
 */
export function queryCode(language: CodeLanguage, query: CodeQuery): string {
  const write = { typescript: typescriptCode, python: pythonCode, cli: cliCode }[language];
  return write(query);
}

const fields = (query: CodeQuery) => {
  const { filter } = query;
  const { start, end } = intervalMs(filter);
  return {
    ...filter,
    mimeTypes: filter.mimeTypes.length > 0 ? filter.mimeTypes : query.mimeTypes,
    start: start === null ? null : new Date(start).toISOString(),
    end: end === null ? null : new Date(end).toISOString(),
  };
};

/** JSON, which JavaScript and Python both read as a literal: the quotes and escapes of its strings are in both. */
const literal = (value: string | readonly string[]): string =>
  typeof value === 'string' ? JSON.stringify(value) : `[${value.map((one) => JSON.stringify(one)).join(', ')}]`;

function typescriptCode(query: CodeQuery): string {
  const of = fields(query);
  const options = [
    `organizationIds: ${literal([query.organizationId])},`,
    ...given([
      ['robotName', of.robotName],
      ['robotId', of.robotId],
      ['partName', of.partName],
      ['partId', of.partId],
      ['locationIds', of.locationIds],
      ['componentName', of.componentName],
      ['componentType', of.componentType],
      ['method', of.method],
      ['mimeType', of.mimeTypes],
      ['bboxLabels', of.boxLabels],
      ['datasetId', of.datasetId],
    ]).map(([name, value]) => `${name}: ${literal(value)},`),
    ...(of.tagged === 'either' && of.tags.length > 0 ? [`tags: ${literal(of.tags)},`] : []),
    ...(of.start === null ? [] : [`startTime: new Date(${literal(of.start)}),`]),
    ...(of.end === null ? [] : [`endTime: new Date(${literal(of.end)}),`]),
  ];
  const tagged =
    of.tagged === 'either'
      ? []
      : [
          '// The helper has no word for it: TagsFilterType is 2 = tagged, 3 = untagged.',
          `filter.tagsFilter = new dataApi.TagsFilter({ type: ${of.tagged === 'tagged' ? 2 : 3}, tags: ${literal(of.tags)} });`,
        ];
  return lines([
    `import { createViamClient, DataClient${tagged.length > 0 ? ', dataApi' : ''} } from '@viamrobotics/sdk';`,
    '',
    'const client = await createViamClient({',
    "  serviceHost: 'https://your-server',",
    "  credentials: { type: 'api-key', authEntity: 'your-key-id', payload: 'your-key' },",
    '});',
    'const filter = DataClient.createFilter({',
    ...options.map((option) => `  ${option}`),
    '});',
    ...tagged,
    "let last = '';",
    'for (;;) {',
    '  const page = await client.dataClient.binaryDataByFilter(filter, 100, undefined, last, false);',
    '  for (const { metadata } of page.data) console.log(metadata?.binaryDataId);',
    '  if (page.data.length === 0) break;',
    '  last = page.last;',
    '}',
  ]);
}

function pythonCode(query: CodeQuery): string {
  const of = fields(query);
  const withTags = of.tags.length > 0 || of.tagged !== 'either';
  const withTime = of.start !== null || of.end !== null;
  const type = { either: 'MATCH_BY_OR', tagged: 'TAGGED', untagged: 'UNTAGGED' }[of.tagged];
  const interval = [...(of.start === null ? [] : ['start=start']), ...(of.end === null ? [] : ['end=end'])].join(', ');
  const options = [
    `organization_ids=${literal([query.organizationId])},`,
    ...given([
      ['robot_name', of.robotName],
      ['robot_id', of.robotId],
      ['part_name', of.partName],
      ['part_id', of.partId],
      ['location_ids', of.locationIds],
      ['component_name', of.componentName],
      ['component_type', of.componentType],
      ['method', of.method],
      ['mime_type', of.mimeTypes],
      ['bbox_labels', of.boxLabels],
      ['dataset_id', of.datasetId],
    ]).map(([name, value]) => `${name}=${literal(value)},`),
    ...(withTags
      ? [`tags_filter=TagsFilter(type=TagsFilterType.TAGS_FILTER_TYPE_${type}, tags=${literal(of.tags)}),`]
      : []),
    ...(withTime ? [`interval=CaptureInterval(${interval}),`] : []),
  ];
  const types = [
    ...(withTime ? ['CaptureInterval'] : []),
    'Filter',
    ...(withTags ? ['TagsFilter', 'TagsFilterType'] : []),
  ];
  const time = (name: string, iso: string | null): readonly string[] =>
    iso === null ? [] : [`    ${name} = Timestamp()`, `    ${name}.FromJsonString(${literal(iso)})`];
  return lines([
    'import asyncio',
    '',
    ...(withTime ? ['from google.protobuf.timestamp_pb2 import Timestamp'] : []),
    'from viam.app.viam_client import ViamClient',
    `from viam.proto.app.data import ${types.join(', ')}`,
    'from viam.rpc.dial import DialOptions',
    '',
    '',
    'async def main():',
    '    options = DialOptions.with_api_key(api_key="your-key", api_key_id="your-key-id")',
    '    client = await ViamClient.create_from_dial_options(options, app_url="your-server")',
    ...time('start', of.start),
    ...time('end', of.end),
    '    filter = Filter(',
    ...options.map((option) => `        ${option}`),
    '    )',
    '    last = None',
    '    while True:',
    '        data, count, last = await client.data_client.binary_data_by_filter(',
    '            filter, limit=100, last=last, include_binary_data=False',
    '        )',
    '        if not data:',
    '            break',
    '        for item in data:',
    '            print(item.metadata.binary_data_id)',
    '    client.close()',
    '',
    '',
    'asyncio.run(main())',
  ]);
}

function cliCode(query: CodeQuery): string {
  const of = fields(query);
  const flags = [
    ['--destination', './data'],
    ['--org-ids', query.organizationId],
    ...given([
      ['--machine-name', of.robotName],
      ['--machine-id', of.robotId],
      ['--part-name', of.partName],
      ['--part-id', of.partId],
      ['--location-ids', of.locationIds.join(',')],
      ['--component-name', of.componentName],
      ['--component-type', of.componentType],
      ['--method', of.method],
      ['--mime-types', of.mimeTypes.join(',')],
      ['--start', of.start ?? ''],
      ['--end', of.end ?? ''],
      ['--tags', of.tagged === 'either' ? of.tags.join(',') : of.tagged],
      ['--bbox-labels', of.boxLabels.join(',')],
    ]),
  ];
  // The filter of the CLI knows no dataset; it exports one by a command of its own.
  if (of.datasetId !== '') return `viam dataset export --destination=./data --dataset-id=${shell(of.datasetId)}\n`;
  return `viam data export binary filter \\\n${flags.map(([flag, value]) => `  ${flag}=${shell(value as string)}`).join(' \\\n')}\n`;
}

/** What of a filter only this page looks for, in words; '' for nothing. */
export function codeLimits(language: CodeLanguage, query: CodeQuery): string {
  const here = narrowsHere(query.filter)
    ? 'File names, sizes, confidences and numbers of boxes are looked for by this page: the code asks for the rest.'
    : '';
  return [here, language === 'cli' ? cliLimits(query) : ''].filter((limit) => limit !== '').join(' ');
}

/** What of a query the command line cannot say, in words; '' where it says all. */
function cliLimits({ filter }: CodeQuery): string {
  if (filter.datasetId !== '') return 'The CLI exports a dataset as a whole: the other filters are left out.';
  if (filter.tagged !== 'either' && filter.tags.length > 0)
    return 'The CLI takes tags, or tagged and untagged, and not both: the tags are left out.';
  return '';
}

type Value = string | readonly string[];
const given = (pairs: readonly (readonly [string, Value])[]): readonly (readonly [string, Value])[] =>
  pairs.filter(([, value]) => value.length > 0);

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`;

/** A word of a POSIX shell. */
const shell = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
