import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatasetService, DatasetType } from '../../src/gen/app/dataset/v1/dataset_pb.ts';
import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { authorizing } from '../clients/login.ts';
import { minutesAgo, sensor, someBytes } from '../clients/home.ts';
import { codeBlocks } from '../clients/code-blocks.ts';
import { interpreters, runText } from '../clients/run-snippet.ts';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';
import { viamCli } from '../clients/viam-cli.ts';
import { authenticatedClients } from './server-clients.ts';

const lines = codeBlocks(readFileSync('docs/clients.md', 'utf8'))
  .filter(({ heading }) => heading === 'The viam command line')
  .flatMap(({ text }) => text.trim().split('\n'));

/** The words of a command before its options: `viam data tag ids add`. */
const commandOf = (line: string): string => line.replace(/--base-url \S+ /, '').replace(/ --.*/, '');

const cli = viamCli();
const shell = interpreters.sh;
const missing = 'missing' in cli ? cli.missing : 'missing' in shell ? shell.missing : null;

let server: SightglassServer;
/** the home folder of `viam`, where it keeps its login and writes to */
let folder: string;
/** what the placeholders of the page stand for, as far as it is known */
const known: Record<string, string> = {};

const filled = (line: string): string =>
  line
    .replaceAll('127.0.0.1:8080', new URL(server.origin).host)
    .replaceAll(/\b[A-Z]+(_[A-Z]+)*\b/g, (word) => known[word] ?? word);

async function run(line: string): Promise<string> {
  const folders = 'folder' in cli ? [cli.folder, process.env['PATH']] : [];
  const env = { HOME: folder, VIAM_HOME: '', PATH: folders.join(delimiter) };
  return runText(shell as Extract<typeof shell, readonly string[]>, `cd "$HOME"\n${line}`, env);
}

beforeAll(async () => {
  if (missing !== null) return;
  server = await serveSightglass(['--mongo-port', '0']);
  folder = mkdtempSync(join(tmpdir(), 'sightglass-viam-'));
  writeFileSync(join(folder, 'index.json'), '{ "key": { "data.readings.celsius": 1 } }');
  const { sync, data, accessToken } = await authenticatedClients(server.origin, server, 'grpc');
  const { partId, organizationId } = server;
  for (const index of [0, 1, 2]) {
    const { binaryDataId } = await sync.dataCaptureUpload({
      metadata: {
        partId,
        type: DataType.BINARY_SENSOR,
        componentName: 'camera',
        methodName: 'ReadImage',
        fileExtension: 'png',
      },
      sensorContents: [
        {
          metadata: { timeRequested: timestampFromDate(minutesAgo(20 - index)) },
          data: { case: 'binary', value: someBytes(100 + index) },
        },
      ],
    });
    known['FILE_ID'] ??= binaryDataId;
  }
  await sync.dataCaptureUpload({
    metadata: {
      partId,
      type: DataType.TABULAR_SENSOR,
      componentType: sensor,
      componentName: 'probe',
      methodName: 'Readings',
    },
    sensorContents: [10, 20].map((celsius, index) => ({
      metadata: { timeRequested: timestampFromDate(minutesAgo(20 - index)) },
      data: { case: 'struct', value: { readings: { celsius } } },
    })),
  });
  const transport = createGrpcTransport({
    baseUrl: server.origin,
    interceptors: [authorizing(`Bearer ${accessToken}`)],
  });
  const datasets = createClient(DatasetService, transport);
  const sequence = await data.createSequence({
    partId,
    resources: [{ resourceName: 'camera', methodName: 'ReadImage' }],
    startTime: timestampFromDate(minutesAgo(20)),
    endTime: timestampFromDate(minutesAgo(19)),
  });
  const clips = await datasets.createDataset({ organizationId, name: 'clips', type: DatasetType.SEQUENCE_DATA });
  await data.addSequencesToDataset({ datasetId: clips.id, sequenceIds: [sequence.id] });
  const other = await datasets.createDataset({ organizationId, name: 'others' });
  Object.assign(known, {
    KEY_ID: server.keyId,
    KEY: server.key,
    ORG_ID: organizationId,
    PART_ID: partId,
    SEQUENCES_ID: clips.id,
    OTHER_DATASET_ID: other.id,
  });
});
afterAll(async () => {
  if (missing !== null) return;
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const filesIn = (path: string): string[] => readdirSync(join(folder, path));
const bytesOf = (path: string): number[] => filesIn(path).map((name) => readFileSync(join(folder, path, name)).length);
const rowsOf = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row) as unknown);
const exportedRows = (path: string): unknown[] => rowsOf(readFileSync(join(folder, path), 'utf8'));

/** What each command of the page must say, or leave behind. */
const checks: Readonly<Record<string, (said: string) => unknown>> = {
  'viam login api-key': (said) => expect(said).toContain(`Successfully logged in with api key "${known['KEY_ID']}"`),
  'viam whoami': (said) => expect(said.trim()).toBe(`key-${known['KEY_ID']}`),
  'viam organizations list': (said) => expect(said).toContain(`\tMy organization (id: ${known['ORG_ID']})`),
  'viam locations list': (said) => expect(said).toContain(`\tFirst location (id: ${server.locationId})`),
  'viam machines list': (said) => {
    expect(said).toContain('My organization -> First location');
    const [, machine] = /^First machine \(id: (\S+)\) \(main part id: (\S+)\)$/m.exec(said)!;
    expect(said).toContain(`(main part id: ${known['PART_ID']})`);
    known['MACHINE_ID'] = machine!;
  },
  'viam machines status': (said) => {
    expect(said).toMatch(/^My organization -> First location\nID: \S+\nName: First machine\nLast Access: /);
    expect(accessed(said)).toHaveLength(2);
  },
  'viam machines part list': (said) => {
    expect(said).toContain(`Parts:\n\tID: ${known['PART_ID']}\n\tName: main (main)\n\tLast Access: `);
    expect(accessed(said)).toHaveLength(1);
  },
  'viam machines part status': (said) => {
    expect(said).toMatch(/^My organization -> First location -> First machine\n\tID: /);
    expect(accessed(said)).toHaveLength(1);
  },
  'viam data export binary filter': (said) => {
    expect(said).toContain('Downloaded 3 files');
    expect(bytesOf('out/data').toSorted()).toEqual([100, 101, 102]);
    expect(filesIn('out/metadata')).toHaveLength(3);
  },
  'viam data export binary ids': (said) => expect(said).toContain('Downloaded 1 files'),
  'viam data export tabular': () =>
    expect(exportedRows('out/data.ndjson')).toMatchObject(
      [10, 20].map((celsius) => ({ resourceName: 'probe', payload: { readings: { celsius } } })),
    ),
  'viam data query tabular sql': (said) => expect(rowsOf(said)).toEqual([{ mean: 15 }]),
  'viam data query tabular mql': (said) => {
    // The second one asks for the results of a pipeline that has not run yet.
    if (said.trim() !== '') expect(rowsOf(said)).toEqual([{ n: 2 }]);
  },
  'viam data query binary filter': (said) =>
    expect(rowsOf(said)).toMatchObject([{ captureMetadata: { mimeType: 'image/png', componentName: 'camera' } }]),
  'viam data tag ids add': (said) => expect(said).toContain('Added tags [good] to data'),
  'viam data tag ids remove': (said) => expect(said).toContain('Removed tags [good] from data'),
  'viam data tag filter add': (said) => expect(said).toContain('Added tags to 3 files'),
  'viam data tag filter remove': (said) => expect(said).toContain('Removed tags from 3 files'),
  'viam dataset create': (said) => {
    known['DATASET_ID'] = /^Created dataset mugs with dataset ID: (\S+)$/m.exec(said)![1]!;
  },
  'viam dataset rename': (said) => expect(said).toContain(`Dataset with ID ${known['DATASET_ID']} renamed to cups`),
  'viam dataset list': (said) =>
    expect(said).toContain(`\tcups (ID: ${known['DATASET_ID']}, Organization ID: ${known['ORG_ID']})`),
  'viam dataset data add ids': (said) => expect(said).toContain(`Added data to dataset ID ${known['DATASET_ID']}`),
  'viam dataset data add filter': (said) =>
    expect(said).toContain(`Added 3 files to dataset ID ${known['DATASET_ID']}`),
  'viam dataset data remove ids': (said) =>
    expect(said).toContain(`Removed data from dataset ID ${known['DATASET_ID']}`),
  'viam dataset export': (said) => {
    if (said.includes('Export job')) {
      const zip = unzipSync(readFileSync(join(folder, 'clips', `${known['SEQUENCES_ID']}.zip`)));
      expect(Object.keys(zip)).toContain('binary_data.parquet');
      const images = filesBelow(join(folder, 'clips', 'binary_data'));
      expect(images.map((path) => readFileSync(path).length).toSorted()).toEqual([100, 101]);
      return;
    }
    expect(said).toContain('Downloaded 2 files');
    expect(bytesOf('cups/data').toSorted()).toEqual([101, 102]);
    const images = exportedRows('cups/dataset.jsonl') as { image_path: string; component_name: string }[];
    expect(images.map((row) => row.component_name)).toEqual(['camera', 'camera']);
    expect(images.every(({ image_path: path }) => existsSync(join(folder, path)))).toBe(true);
  },
  'viam dataset merge': (said) => expect(said).toMatch(/merged 2 datasets into new dataset 'all' with ID: \S+/),
  'viam dataset data remove filter': (said) =>
    expect(said).toContain(`Removed 2 files from dataset ID ${known['DATASET_ID']}`),
  'viam dataset delete': (said) => expect(said).toContain(`Dataset with ID ${known['DATASET_ID']} deleted`),
  'viam datapipelines create': (said) => {
    known['PIPELINE_ID'] = /^hourly \(ID: (\S+)\) created\.$/m.exec(said)![1]!;
  },
  'viam datapipelines list': (said) =>
    expect(said).toContain(`\thourly (ID: ${known['PIPELINE_ID']}) [Enabled] [Data Source Type: Standard]`),
  'viam datapipelines describe': (said) => {
    expect(said).toContain(`ID: ${known['PIPELINE_ID']}\nName: hourly\nEnabled: true\nSchedule: 0 * * * *\n`);
    expect(said).toContain('"_id": "$component_name"');
    expect(said).toContain('DataSourceType: TABULAR_DATA_SOURCE_TYPE_STANDARD');
    expect(said).toContain('Has not run yet.');
  },
  'viam datapipelines rename': (said) => expect(said).toContain(`every-hour (id: ${known['PIPELINE_ID']}) renamed.`),
  'viam datapipelines disable': (said) =>
    expect(said).toContain(`data pipeline (id: ${known['PIPELINE_ID']}) disabled.`),
  'viam datapipelines enable': (said) => expect(said).toContain(`data pipeline (id: ${known['PIPELINE_ID']}) enabled.`),
  'viam datapipelines delete': (said) => expect(said).toContain(`data pipeline (id: ${known['PIPELINE_ID']}) deleted.`),
  'viam data index create': (said) => expect(said).toContain('Create index request sent successfully'),
  'viam data index list': (said) => {
    expect(said).toContain('- Name: data.readings.celsius_1');
    expect(said).toContain('"data.readings.celsius":1');
  },
  'viam data index delete': (said) =>
    expect(said).toContain('Index (name: data.readings.celsius_1) deleted successfully'),
  'viam data database configure': (said) =>
    expect(said).toContain(`Configured database user for org ${known['ORG_ID']}`),
  'viam data database hostname': (said) =>
    expect(said).toMatch(new RegExp(`connection URI: mongodb://db-user-${known['ORG_ID']}@127\\.0\\.0\\.1:\\d+`)),
  'viam data delete binary': (said) => expect(said).toContain('Deleted 0 files'),
  'viam data delete tabular': (said) => expect(said).toContain('Deleted 0 datapoints'),
  'viam logout': (said) => expect(said).toContain(`Logged out from "key-${known['KEY_ID']}"`),
};

/** The times of access that a command says, none of which is 1970. */
const accessed = (said: string): string[] =>
  [...said.matchAll(/Last Access: (.*) \(/g)].map(([, time]) => time!).filter((time) => !time.endsWith('1970'));

const filesBelow = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

it('has a check for each command of the page, and no other', () => {
  expect(new Set(lines.map(commandOf))).toEqual(new Set(Object.keys(checks)));
});

describe('Viam’s command line, as docs/clients.md has it', () => {
  it.for(lines)('%s', async (line, { skip }) => {
    if (missing !== null) skip(missing);
    checks[commandOf(line)]!(await run(filled(line)));
  });

  it('is told in words what is not served', async ({ skip }) => {
    if (missing !== null) skip(missing);
    const login = 'viam --base-url http://127.0.0.1:8080 login api-key --key-id KEY_ID --key KEY';
    const create = 'viam machines create --organization ORG_ID --location First --name rover';
    await run(filled(login));
    await expect(run(filled(create.replace('First', `'First location'`)))).rejects.toThrow(
      'viam.app.v1.AppService/NewRobot is not served here: this is a data service, which manages no machines',
    );
  });
});
