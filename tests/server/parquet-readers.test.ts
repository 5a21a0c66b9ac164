import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Binary, Long, ObjectId } from 'bson';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exportZip } from '../../src/data-service/sequences/export/export-zip.ts';
import { toTimestamp } from '../../src/data-service/wire/timestamps.ts';
import { DatasetType } from '../../src/gen/app/dataset/v1/dataset_pb.ts';
import { fileOf } from '../../src/base/row-files/test-rows.ts';
import { readStream } from '../../src/base/streams/read-stream.ts';
import { zipOf } from '../../src/base/streams/zip-files.ts';
import { pythonProgram } from '../clients/other-languages.ts';
import { collect, startDataService, uploadPicture, uploadReading } from '../data-service-fixture.ts';

const reader = fileURLToPath(new URL('../clients/python/read_export.py', import.meta.url));
const program = pythonProgram(reader, ['pyarrow', 'duckdb']);
const missing = 'missing' in program ? program.missing : '';

/** A microsecond that milliseconds would lose. */
const start = Date.UTC(2026, 2, 11, 5) * 1000 + 1;

async function exportedZip(): Promise<{ readonly zip: Uint8Array; readonly ids: readonly [string, string, string] }> {
  const { owner, dependencies } = await startDataService();
  const clips = { organizationId: 'a', name: 'clips', type: DatasetType.SEQUENCE_DATA };
  const { id: datasetId } = await owner.datasets.createDataset(clips);
  const resources = [
    { resourceName: 'front', methodName: 'GetImages' },
    { resourceName: 'scale', methodName: 'Readings' },
  ];
  const window = { startTime: toTimestamp(start), endTime: toTimestamp(start + 1_000_000) };
  const { id } = await owner.data.createSequence({
    partId: 'lab-part',
    resources,
    sequenceTags: ['good', 'é\0'],
    ...window,
  });
  await owner.data.addSequencesToDataset({ datasetId, sequenceIds: [id] });
  const names = { componentName: 'front', methodName: 'GetImages', fileExtension: '.jpg' };
  const bare = await uploadPicture(owner, names, start);
  const boxed = await uploadPicture(owner, names, start + 5);
  const corners = { xMinNormalized: 0.25, yMinNormalized: 0.5, xMaxNormalized: 0.75, yMaxNormalized: 1 };
  await owner.data.addBoundingBoxToImageByID({ binaryDataId: boxed, label: 'cup', ...corners });
  await owner.data.addBoundingBoxToImageByID({ binaryDataId: boxed, label: 'mug', ...corners, confidence: 0.125 });
  await uploadReading(owner, { kg: 1.5, off: null }, start + 1_000_000);
  const { signal } = new AbortController();
  const chunks = await collect(exportZip(dependencies.store, { organizationId: 'a', datasetId }, signal));
  return { zip: Buffer.concat(chunks), ids: [id, bare, boxed] };
}

/** What pyarrow and DuckDB say of the Parquet files in a zip. */
async function readByPython(zip: Uint8Array): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-parquet-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'files.zip'), zip);
  const [command, ...args] = program as readonly string[];
  const { stdout, stderr, status } = spawnSync(command!, [...args, join(folder, 'files.zip'), folder], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

describe.skipIf(missing !== '')(`Parquet files of a dataset of sequences (${missing || 'Python has readers'})`, () => {
  it('are read by pyarrow and DuckDB as they were written', async () => {
    const { zip, ids } = await exportedZip();
    const [id, bare, boxed] = ids;
    const read = await readByPython(zip);

    const time = 'timestamp[us, tz=UTC]';
    const origin = { part_id: 'lab-part', component_name: 'front', method_name: 'GetImages' };
    const box = { label: 'cup', confidence: null, x_min: 0.25, y_min: 0.5, x_max: 0.75, y_max: 1 };
    const images = [
      {
        sequence_id: id,
        timestamp: '2026-03-11T05:00:00.000001+00:00',
        ...origin,
        path: `binary_data/${bare}.jpg`,
        classifications: [],
        bounding_boxes: [],
      },
      {
        sequence_id: id,
        timestamp: '2026-03-11T05:00:00.000006+00:00',
        ...origin,
        path: `binary_data/${boxed}.jpg`,
        classifications: [],
        bounding_boxes: [box, { ...box, label: 'mug', confidence: 0.125 }],
      },
    ];
    const readings = [
      {
        sequence_id: id,
        timestamp: '2026-03-11T05:00:01.000001+00:00',
        part_id: 'lab-part',
        component_name: 'scale',
        method_name: 'Readings',
        payload: '{"readings":{"kg":1.5,"off":null}}',
      },
    ];
    const sequences = [
      {
        sequence_id: id,
        tags: ['good', 'é\0'],
        start_at: '2026-03-11T05:00:00.000001+00:00',
        end_at: '2026-03-11T05:00:01.000001+00:00',
      },
    ];
    const texts = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'string']));
    const captured = { ...texts('sequence_id', 'part_id', 'component_name', 'method_name'), timestamp: time };
    const labelled = 'label: string not null, confidence: double';
    const corners = ['x_min', 'y_min', 'x_max', 'y_max'].map((name) => `${name}: double not null`).join(', ');
    expect(read).toEqual({
      'binary_data.parquet': {
        types: {
          ...captured,
          path: 'string',
          classifications: `list<element: struct<${labelled}> not null>`,
          bounding_boxes: `list<element: struct<${labelled}, ${corners}> not null>`,
        },
        pyarrow: images,
        duckdb: images,
      },
      'tabular_data.parquet': { types: { ...captured, payload: 'string' }, pyarrow: readings, duckdb: readings },
      'sequences.parquet': {
        types: { sequence_id: 'string', tags: 'list<element: string not null>', start_at: time, end_at: time },
        pyarrow: sequences,
        duckdb: sequences,
      },
    });
  });
});

describe.skipIf(missing !== '')(`a Parquet file of rows (${missing || 'Python has readers'})`, () => {
  it('is read by pyarrow and DuckDB as it was written', async () => {
    const written = [
      { yes: true, n: 1, d: 1, t: 'é', at: '2026-03-11T05:00:00.000001Z', when: new Date(1), a: { b: 1 }, mixed: 5 },
      {
        n: Long.fromString('9007199254740993'),
        d: NaN,
        'a.b': 'x',
        mixed: '5',
        raw: new Binary(Buffer.from('00ff', 'hex')),
      },
      { none: null, d: 0.5, list: [1, 'a'], id: new ObjectId('65f0a1b2c3d4e5f607182930') },
    ];
    const content = await fileOf(written, { format: 'parquet', instants: ['at'] });
    const files = [{ path: 'rows.parquet', content: each(content), isCompressed: true }];
    const zip = Buffer.concat(await collect(readStream(zipOf(files))));
    const time = 'timestamp[us, tz=UTC]';
    const types = {
      at: time,
      yes: 'bool',
      n: 'int64',
      d: 'double',
      t: 'string',
      when: time,
      'a.b': 'int64',
      mixed: 'string',
      '`a.b`': 'string',
      raw: 'binary',
      none: 'string',
      list: 'string',
      id: 'string',
    };
    const nothing = Object.fromEntries(Object.keys(types).map((name) => [name, null]));
    const at = '2026-03-11T05:00:00.000001+00:00';
    const rows = [
      { ...nothing, at, yes: true, n: 1, d: 1, t: 'é', when: '1970-01-01T00:00:00.001000+00:00', 'a.b': 1, mixed: '5' },
      { ...nothing, n: 9007199254740993n, d: 'nan', '`a.b`': 'x', mixed: '"5"', raw: '00ff' },
      { ...nothing, d: 0.5, list: '[1,"a"]', id: '65f0a1b2c3d4e5f607182930' },
    ];
    const asJson: unknown = JSON.parse(
      JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
    );
    expect(await readByPython(zip)).toEqual({ 'rows.parquet': { types, pyarrow: asJson, duckdb: asJson } });
  });
});

async function* each(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
