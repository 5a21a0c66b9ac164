import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyFilter, type DataFilter } from '../../src/app/data/shared/filters/data-filter.ts';
import { queryCode } from '../../src/app/data/shared/code/query-code.ts';
import { clientLines } from '../../src/cli/serve/client-lines.ts';
import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { codeBlocks } from '../clients/code-blocks.ts';
import { someBytes } from '../clients/home.ts';
import { programFor, runText } from '../clients/run-snippet.ts';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';
import { authenticatedClients } from './server-clients.ts';

let server: SightglassServer;
beforeAll(async () => {
  server = await serveSightglass();
  const { sync } = await authenticatedClients(server.origin, server, 'grpc');
  await sync.dataCaptureUpload({
    metadata: { partId: server.partId, type: DataType.BINARY_SENSOR, componentName: 'camera' },
    sensorContents: [{ data: { case: 'binary', value: someBytes(10) } }],
  });
});
afterAll(() => server.close());

/** Replaces the placeholders of a text by this server's address, key id and key. */
const filled = (text: string): string =>
  text
    .replaceAll('127.0.0.1:8080', new URL(server.origin).host)
    .replaceAll(/\bKEY_ID\b/g, server.keyId)
    .replaceAll(/\bKEY\b/g, server.key);

const nothing = 'nothing that this runs';
async function run(language: string, text: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const program = programFor(language, text);
  if ('missing' in program) return `${nothing}: ${program.missing}`;
  return runText(program, text, env);
}

describe('docs/clients.md', () => {
  // The commands of `viam` and the files of a machine have tests of their own.
  const blocks = codeBlocks(readFileSync('docs/clients.md', 'utf8')).filter(
    ({ heading, language }) => heading !== 'The viam command line' && language !== 'json',
  );

  it('has a program for every client', () => {
    expect(blocks.map(({ heading, language }) => `${heading}: ${language}`)).toEqual([
      'Python: python',
      'TypeScript and JavaScript: js',
      'Go: go',
      'gRPC: js',
      'Connect: sh',
    ]);
  });

  it.for(blocks)('$heading runs as it stands there', async ({ language, text }, { skip }) => {
    const said = await run(language, filled(text));
    if (said.startsWith(nothing)) skip(said);
    expect(said.trim()).toBe('1 files');
  });
});

describe('the lines that the first start prints', () => {
  const connects: Readonly<Record<keyof ReturnType<typeof clientLines>, (line: string) => readonly [string, string]>> =
    {
      TypeScript: (line) => [
        'js',
        `import { createViamClient } from '@viamrobotics/sdk';\nconst { dataClient } = ${line};\n` +
          `const { count } = await dataClient.binaryDataByFilter(undefined, 1, undefined, '', false, true);\nconsole.log(String(count));`,
      ],
      Python: (line) => [
        'python',
        `import asyncio\nfrom viam.app.viam_client import ViamClient\nfrom viam.rpc.dial import Credentials, DialOptions\n` +
          `async def main():\n  client = ${line}\n  print((await client.data_client.binary_data_by_filter(count_only=True))[1])\n` +
          `  client.close()\nasyncio.run(main())`,
      ],
      Go: (line) => [
        'go',
        `package main\nimport (\n"context"\n"fmt"\n"go.uber.org/zap"\ndatapb "go.viam.com/api/app/data/v1"\n"go.viam.com/utils/rpc"\n)\n` +
          `func main() {\nctx, logger := context.Background(), zap.NewNop().Sugar()\nconn, _ := ${line}\n` +
          `answer, err := datapb.NewDataServiceClient(conn).BinaryDataByFilter(ctx, &datapb.BinaryDataByFilterRequest{CountOnly: true})\n` +
          `if err != nil { panic(err) }\nfmt.Println(answer.GetCount()) }`,
      ],
      Connect: (line) => ['sh', `${line} -s | grep -q accessToken && echo 1`],
    };

  it.for(Object.entries(connects))('connect %s', async ([client, programOf], { skip }) => {
    const printed = new RegExp(`^  ${client} +(.*)$`, 'm').exec(server.said)?.[1];
    expect(printed).toBe(clientLines(server.origin, server.keyId)[client as keyof typeof connects]);
    const said = await run(...programOf(filled(printed!)));
    if (said.startsWith(nothing)) skip(said);
    expect(said.trim()).toBe('1');
  });

  it.each(Object.entries(clientLines('http://127.0.0.1:8080', 'KEY_ID')))(
    'are those of docs/data-service.md: %s',
    (_, line) => {
      expect(readFileSync('docs/data-service.md', 'utf8')).toContain(line);
    },
  );
});

describe('the code that the app copies', () => {
  const languages = [
    ['typescript', 'js'],
    ['python', 'python'],
    ['shell', 'sh'],
  ] as const;
  const filters: readonly (readonly [string, Partial<DataFilter>, found: boolean])[] = [
    ['all', {}, true],
    ['a label and a day', { componentName: 'camera', start: '2020-01-01T00:00', end: '2100-01-01T00:00' }, true],
    ['untagged ones', { tagged: 'untagged' }, true],
    ['tagged ones', { tagged: 'tagged' }, false],
    ["a machine called o'clock", { robotName: "o'clock" }, false],
  ];

  it.for(languages.flatMap(([of, language]) => filters.map((filter) => [of, ...filter, language] as const)))(
    'in %s runs as it stands, for %s',
    async ([of, , changes, found, language], { skip }) => {
      const { origin: url, keyId, organizationId } = server;
      const filter = { ...emptyFilter, ...changes };
      const text = queryCode(of, { filter, server: { url, keyId, organizationId }, mimeTypes: [] });
      const said = await run(language, text, { SIGHTGLASS_KEY: server.key });
      if (said.startsWith(nothing)) skip(said);
      expect(said.includes(`${organizationId}/${server.locationId}/`)).toBe(found);
    },
  );
});
