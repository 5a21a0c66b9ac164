import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Code, ConnectError } from '@connectrpc/connect';
import { serialize } from 'bson';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDataService, startTime, uploadReading } from '../../../tests/data-service-fixture.ts';
import { inlineQueryWorker } from '../../../tests/inline-query-worker.ts';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { serveRoutes } from '../../../tests/serve-routes.ts';
import { dataServiceRoutes } from '../../data-service/data-service-routes.ts';
import { undivided } from '../../data-service/query/fair-turns.ts';
import { IsolatedQueryRunner } from '../../data-service/query/isolated-query-runner.ts';
import { readQueryRows } from '../../data-service/query/query-rows.ts';
import { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb.ts';
import { parquetOf } from '../../base/row-files/test-rows.ts';
import { parseCommand } from '../../../tests/parse-command.ts';
import { exportRows } from './export.ts';
import type { ExportArguments } from './export-record.ts';

async function served() {
  const clock = { now: () => startTime };
  const store = memoryDataStore(clock);
  const rows = readQueryRows(store);
  const queryRunner = new IsolatedQueryRunner({ rows, startWorker: inlineQueryWorker, clock, turns: undivided(1) });
  const service = await startDataService({ store, queryRunner });
  await uploadReading(service.owner, { kg: 1.5, note: '=1+1' }, startTime + 1);
  await uploadReading(service.owner, { kg: 2, at: { deep: [1, 'a'] } }, startTime + 2_000_000);
  const { url, close } = await serveRoutes(dataServiceRoutes(service.dependencies));
  onTestFinished(close);
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-export-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'key'), `${service.keys.owner.secret}\n`);
  const key = ['--key-id', service.keys.owner.id, '--key-file', join(folder, 'key')];
  const said: string[] = [];
  const run = async (...argv: string[]) => {
    const lines: object[] = [];
    const output = new PassThrough();
    const command = parseCommand(['export', '--server', url, ...key, ...argv]) as ExportArguments;
    const { signal } = new AbortController();
    const code = await exportRows(
      command,
      { print: (line) => lines.push(line), say: (text) => said.push(text) },
      output,
      signal,
    );
    return { code, lines, text: (output.read() as Buffer | null)?.toString() ?? '' };
  };
  const files = async () => (await readdir(folder)).filter((name) => name !== 'key');
  return { run, folder, files, service, url, said };
}

const readings = ['--part', 'lab-part', '--resource', 'scale'];
const sql = ['--org', 'a', '--sql'];

describe('export', () => {
  it('writes the readings of a resource, with their times to the microsecond', async () => {
    const { run, folder, files } = await served();
    const path = join(folder, 'scale.parquet');
    expect(await run(...readings, '--out', path)).toEqual({ code: 0, lines: [{ file: path, rows: 2 }], text: '' });
    const { rows, types } = await parquetOf(await readFile(path));
    expect(types).toMatchObject({ time_captured: 'TIMESTAMP_MICROS', 'payload.readings.kg': 'DOUBLE', tags: 'UTF8' });
    expect(rows).toEqual([
      {
        time_captured: BigInt(startTime + 1),
        resource_name: 'scale',
        resource_subtype: 'rdk:component:sensor',
        method_name: 'Readings',
        method_parameters: '{}',
        part_name: 'lab main',
        part_id: 'lab-part',
        robot_name: 'lab robot',
        robot_id: 'lab-robot',
        location_id: 'lab',
        organization_id: 'a',
        tags: '[]',
        'payload.readings.kg': 1.5,
        'payload.readings.note': '=1+1',
        'payload.readings.at.deep': null,
      },
      expect.objectContaining({ time_captured: BigInt(startTime + 2_000_000), 'payload.readings.at.deep': '[1,"a"]' }),
    ]);
    expect(await files()).toEqual(['scale.parquet']);
  });

  it('writes readings from a time, and to before another', async () => {
    const { run } = await served();
    const from = await run(...readings, '--from', '2026-03-11T05:00:01Z', '--format', 'jsonl');
    expect(from.text).toMatch(/^\{"time_captured":"2026-03-11T05:00:02Z",.*"payload":\{"readings":.*\}\n$/);
    expect((await run(...readings, '--to', '2026-03-11', '--format', 'jsonl')).text).toBe('');
  });

  it('writes what SQL and MQL answer', async () => {
    const { run, folder } = await served();
    const query = 'SELECT data.readings.kg AS kg, data.readings.note AS note FROM readings';
    const csv = await run(...sql, query, '--format', 'csv');
    expect(csv.text).toBe("kg,note\r\n1.5,'=1+1\r\n2,\r\n");
    const exact = await run(...sql, query, '--format', 'csv', '--exact-text');
    expect(exact.text).toBe('kg,note\r\n1.5,=1+1\r\n2,\r\n');
    const path = join(folder, 'stages.json');
    await writeFile(path, '[{"$project": {"_id": 0, "at": "$time_requested"}}, {"$limit": {"$numberInt": "1"}}]');
    const mql = await run('--org', 'a', '--mql', path, '--format', 'jsonl');
    expect(mql.text).toBe('{"at":{"$date":"2026-03-11T05:00:00Z"}}\n');
  });

  it('says why there is nothing, and leaves no file', async () => {
    const { run, folder, files } = await served();
    const out = ['--out', join(folder, 'rows.csv')];
    await expect(run(...sql, 'SELEC 1', ...out)).rejects.toThrow(/line 1, column 1/);
    await expect(run('--org', 'b', '--sql', 'SELECT 1 FROM readings', ...out)).rejects.toThrow('permission_denied');
    await expect(run('--org', 'a', '--mql', join(folder, 'none.json'), ...out)).rejects.toThrow('no such file');
    for (const text of ['[', '{}', '[5]', '[null]', '[[]]']) {
      await writeFile(join(folder, 'bad.json'), text);
      await expect(run('--org', 'a', '--mql', join(folder, 'bad.json'), ...out)).rejects.toThrow(
        /bad\.json" has no pipeline/,
      );
    }
    await rm(join(folder, 'bad.json'));
    const nowhere = join(folder, 'none', 'x.csv');
    await expect(run(...readings, '--out', nowhere)).rejects.toThrow(`There is no folder "${join(folder, 'none')}"`);
    await writeFile(join(folder, 'key'), 'wrong');
    await expect(run(...readings, ...out)).rejects.toThrow('unauthenticated');
    expect(await files()).toEqual([]);
  });

  it('says what to look at where no reading matches', async () => {
    const { run, said } = await served();
    expect(await run('--part', 'lab-part', '--resource', 'scales', '--format', 'jsonl')).toMatchObject({
      code: 0,
      text: '',
    });
    expect(said).toEqual([expect.stringMatching(/^No reading matches: look at --part, --resource/), '0 rows']);
  });

  it('replaces a file only by one that is whole', async () => {
    const { run, folder, files, service } = await served();
    const path = join(folder, 'rows.csv');
    await writeFile(path, 'before');
    const { tabular } = service.dependencies.store;
    const page = tabular.page.bind(tabular);
    let pages = 0;
    Object.assign(tabular, {
      page: (...asked: Parameters<typeof page>) => (++pages > 1 ? Promise.reject(new Error('lost')) : page(...asked)),
    });
    for (let n = 0; n < 60; n++) await uploadReading(service.owner, { n }, startTime + n);
    await expect(run(...readings, '--out', path)).rejects.toThrow('internal');
    expect([await files(), await readFile(path, 'utf8')]).toEqual([['rows.csv'], 'before']);
  });

  it('broken off by its user leaves nothing, and tells so by its exit code', async () => {
    const { folder, files, url, service } = await served();
    const stop = new AbortController();
    const out = join(folder, 'rows.csv');
    const key = ['--key-id', service.keys.owner.id, '--key-file', join(folder, 'key')];
    const argv = ['--server', url, ...key, ...sql, 'SELECT data.readings.kg AS kg FROM readings'];
    stop.abort();
    const said: string[] = [];
    const say = (text: string): void => void said.push(text);
    const run = (...target: string[]) => {
      const command = parseCommand(['export', ...argv, ...target]) as ExportArguments;
      return exportRows(command, { print: () => {}, say }, new PassThrough(), stop.signal);
    };
    expect(await run('--out', out)).toBe(130);
    expect([said, await files()]).toEqual([['Broken off; nothing was written.'], []]);
    expect(await run('--format', 'csv')).toBe(130);
    expect(said.at(-1)).toBe('Broken off; the output is incomplete.');
  });

  it('takes the one answer of a data service that knows no streams, and its words where that is too large', async () => {
    const { folder } = await served();
    await writeFile(join(folder, 'key'), 'secret');
    const { url, close } = await serveRoutes((router) => {
      router.service(AuthService, { authenticate: () => ({ accessToken: 'token' }) });
      router.service(DataService, {
        tabularDataBySQL({ sqlQuery }) {
          if (sqlQuery === 'all') throw new ConnectError('The answer is too large.', Code.ResourceExhausted);
          return { rawData: [serialize({ n: 1 }), serialize({ n: 2 })] };
        },
      });
    });
    onTestFinished(close);
    const run = async (query: string) => {
      const output = new PassThrough();
      const argv = ['--server', url, '--key-id', 'k', '--key-file', join(folder, 'key'), ...sql, query];
      const command = parseCommand(['export', ...argv, '--format', 'csv']) as ExportArguments;
      await exportRows(command, { print: () => {}, say: () => {} }, output, new AbortController().signal);
      return (output.read() as Buffer).toString();
    };
    expect(await run('few')).toBe('n\r\n1\r\n2\r\n');
    await expect(run('all')).rejects.toThrow('The answer is too large.');
  });
});

describe('the arguments of export', () => {
  const key = ['--server', 'http://h', '--key-id', 'k', '--key-file', 'f'];
  it.each<readonly [string[], Partial<ExportArguments>]>([
    [[...sql, 'S', '--out', 'a.PARQUET'], { format: 'parquet', outPath: 'a.PARQUET' }],
    [[...sql, 'S', '--out', 'a.txt', '--format', 'csv', '--exact-text'], { format: 'csv', isExact: true }],
    [
      [...readings, '--from', '2026-03-11', '--out', 'a.jsonl'],
      {
        question: {
          kind: 'readings',
          partId: 'lab-part',
          resourceName: 'scale',
          resourceSubtype: 'rdk:component:sensor',
          methodName: 'Readings',
          startMs: Date.UTC(2026, 2, 11),
          endMs: null,
        },
      },
    ],
    [
      ['--org', 'a', '--mql', 's.json', '--pipeline', 'p', '--format', 'csv'],
      { outPath: null, question: { kind: 'mql', organizationId: 'a', filePath: 's.json', pipelineId: 'p' } },
    ],
  ])('reads %j', (argv, wanted) => expect(parseCommand(['export', ...key, ...argv])).toMatchObject(wanted));

  it.each([
    [['list'], /export wants no "list"/],
    [[...sql, 'S'], /--out FILE.parquet/],
    [[...sql, 'S', '--out', 'a.xlsx'], /--out FILE.parquet/],
    [[...sql, 'S', '--format', 'xlsx'], /--format wants parquet, csv or jsonl, got "xlsx"/],
    [['--format', 'csv'], /one of --sql/],
    [[...sql, 'S', ...readings, '--format', 'csv'], /one of --sql/],
    [[...sql, 'S', '--from', '2026-03-11', '--format', 'csv'], /--from goes with --part/],
    [[...sql, 'S', '--pipeline', 'p', '--format', 'csv'], /--pipeline goes with --mql/],
    [['--sql', 'S', '--format', 'csv'], /export wants --org/],
    [['--part', 'p', '--format', 'csv'], /export wants --resource/],
    [[...sql, 'S', '--format', 'jsonl', '--exact-text'], /about CSV/],
  ])('refuses %j', (argv, words) => expect(() => parseCommand(['export', ...key, ...argv])).toThrow(words));

  it('wants a key', () =>
    expect(() => parseCommand(['export', '--server', 'http://h', '--format', 'csv'])).toThrow(/wants a key/));
});
