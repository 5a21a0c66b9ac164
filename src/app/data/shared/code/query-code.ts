import { dialAddress } from '../../../../data-service/face/wire.ts';
import { narrowsHere } from '../filters/narrow-items.ts';
import { intervalMs, type DataFilter } from '../filters/data-filter.ts';

export type CodeLanguage = 'typescript' | 'python' | 'shell';

export interface CodeQuery {
  readonly filter: DataFilter;
  /**
   * the server whose data it is; null: this browser's, which code cannot reach, so a placeholder server is used. An empty key id: a log-in
   * shows the data, and a program needs a key of its own
   */
  readonly server: { readonly url: string; readonly keyId: string; readonly organizationId: string } | null;
  /** types of the tab, used if the filter names none */
  readonly mimeTypes: readonly string[];
}

/** The default address of `sightglass serve`. */
const usualUrl = 'http://127.0.0.1:8080';

/**
 * The query as a complete program that reads the key from the environment: for `@viamrobotics/sdk` in Node
 * (`dataApi.Filter`, `binaryDataByFilter`), for `viam-sdk` (`Filter`, `binary_data_by_filter`), and for a shell with
 * curl, as Connect's JSON. The key itself is in none of them.
 */
export function queryCode(language: CodeLanguage, query: CodeQuery): string {
  const write = { typescript: typescriptCode, python: pythonCode, shell: shellCode }[language];
  return write(query);
}

/** The environment variables that the code needs and where to find their values, in words. */
export function codeNeeds({ server }: Pick<CodeQuery, 'server'>): string {
  return server === null
    ? 'What this browser keeps has no address on the network: the Outbox sends it to a server. The code asks a server on this ' +
        'computer; put its address in, and SIGHTGLASS_KEY_ID and SIGHTGLASS_KEY into the environment.'
    : server.keyId === ''
      ? `It asks ${server.url} by a key, as programs do; put its id and secret into the environment as SIGHTGLASS_KEY_ID and SIGHTGLASS_KEY.`
      : `It asks ${server.url} as the key ${server.keyId}; put its secret into the environment as SIGHTGLASS_KEY.`;
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

/** JSON, which is a valid literal in both JavaScript and Python. */
const literal = (value: string | readonly string[]): string =>
  typeof value === 'string' ? JSON.stringify(value) : `[${value.map((one) => JSON.stringify(one)).join(', ')}]`;

/** The filter message as JSON, as Connect's calls and the SDK's `fromJson` accept it. */
function filterJson(query: CodeQuery): Record<string, unknown> {
  const of = fields(query);
  const filter = Object.fromEntries([
    ...(query.server === null ? [] : [['organizationIds', [query.server.organizationId]] as const]),
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
    ]),
  ]) as Record<string, unknown>;
  const type = { either: 'MATCH_BY_OR', tagged: 'TAGGED', untagged: 'UNTAGGED' }[of.tagged];
  if (of.tags.length > 0 || of.tagged !== 'either')
    filter.tagsFilter = { type: `TAGS_FILTER_TYPE_${type}`, tags: of.tags };
  if (of.start !== null || of.end !== null) {
    filter.interval = {
      ...(of.start === null ? {} : { start: of.start }),
      ...(of.end === null ? {} : { end: of.end }),
    };
  }
  return filter;
}

function typescriptCode(query: CodeQuery): string {
  return lines([
    "import { createViamClient, dataApi } from '@viamrobotics/sdk';",
    '',
    'const client = await createViamClient({',
    `  serviceHost: ${literal(query.server?.url ?? usualUrl)},`,
    '  credentials: {',
    "    type: 'api-key',",
    `    authEntity: ${!query.server?.keyId ? 'process.env.SIGHTGLASS_KEY_ID' : literal(query.server.keyId)},`,
    '    payload: process.env.SIGHTGLASS_KEY,',
    '  },',
    '});',
    `const filter = dataApi.Filter.fromJson(${JSON.stringify(filterJson(query), null, 2)});`,
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
  const { address, isPlain } = dialAddress(query.server?.url ?? usualUrl);
  const withTags = of.tags.length > 0 || of.tagged !== 'either';
  const withTime = of.start !== null || of.end !== null;
  const type = { either: 'MATCH_BY_OR', tagged: 'TAGGED', untagged: 'UNTAGGED' }[of.tagged];
  const interval = [...(of.start === null ? [] : ['start=start']), ...(of.end === null ? [] : ['end=end'])].join(', ');
  const options = [
    ...(query.server === null ? [] : [`organization_ids=${literal([query.server.organizationId])},`]),
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
    'import os',
    '',
    ...(withTime ? ['from google.protobuf.timestamp_pb2 import Timestamp'] : []),
    'from viam.app.viam_client import ViamClient',
    `from viam.proto.app.data import ${types.join(', ')}`,
    'from viam.rpc.dial import Credentials, DialOptions',
    '',
    '',
    'async def main():',
    '    options = DialOptions(',
    ...(isPlain ? ['        insecure=True,'] : []),
    `        auth_entity=${!query.server?.keyId ? 'os.environ["SIGHTGLASS_KEY_ID"]' : literal(query.server.keyId)},`,
    '        credentials=Credentials("api-key", os.environ["SIGHTGLASS_KEY"]),',
    '    )',
    `    client = await ViamClient.create_from_dial_options(options, ${literal(address)})`,
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

function shellCode(query: CodeQuery): string {
  return lines([
    `service=${shell(query.server?.url ?? usualUrl)}`,
    `key_id=${!query.server?.keyId ? '$SIGHTGLASS_KEY_ID' : shell(query.server.keyId)}`,
    `filter=${shell(JSON.stringify(filterJson(query)))}`,
    "json='content-type: application/json'",
    '',
    'token=$(curl -sf "$service/proto.rpc.v1.AuthService/Authenticate" -H "$json" \\',
    '  -d \'{"entity":"\'"$key_id"\'","credentials":{"type":"api-key","payload":"\'"$SIGHTGLASS_KEY"\'"}}\' |',
    '  sed \'s/.*"accessToken":"\\([^"]*\\)".*/\\1/\')',
    "last=''",
    'while page=$(curl -sf "$service/viam.app.data.v1.DataService/BinaryDataByFilter" -H "$json" -H "authorization: Bearer $token" \\',
    '  -d \'{"dataRequest":{"filter":\'"$filter"\',"limit":100,"last":"\'"$last"\'"}}\'); do',
    '  printf \'%s\' "$page" | grep -o \'"binaryDataId":"[^"]*"\' || break',
    '  last=$(printf \'%s\' "$page" | sed -n \'s/.*"last":"\\([^"]*\\)".*/\\1/p\')',
    'done',
  ]);
}

/** The parts of a filter that only this page can apply, in words; '': none. */
export const codeLimits = ({ filter }: Pick<CodeQuery, 'filter'>): string =>
  narrowsHere(filter)
    ? 'File names, sizes, confidences and numbers of boxes are looked for by this page: the code asks for the rest.'
    : '';

type Value = string | readonly string[];
const given = (pairs: readonly (readonly [string, Value])[]): readonly (readonly [string, Value])[] =>
  pairs.filter(([, value]) => value.length > 0);

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`;

/** Quotes a word for a POSIX shell. */
const shell = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
