import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { migrationHashes } from '../../scripts/release/migration-hashes.ts';
import { checkCertificate, isVoid } from '../../src/evidence/certificate/check-certificate.ts';
import { readCertificate } from '../../src/evidence/certificate/read-certificate.ts';
import { readBenchFile } from '../../src/evidence/capture/bench-file/read-bench-file.ts';
import { readDriftReference } from '../../src/evidence/drift/drift-reference.ts';
import { decodeShare } from '../../src/machine/config/share/share-config.ts';
import { certifiedAtMs, machineOf } from '../certified.ts';

// What version 1 wrote is read by every later 1.x (docs/stability.md). The files in tests/published are never written again by
// newer code; `scripts/note-published.ts` notes wire and migrations before each release.

const fileOf = (name: string) => new URL(`../published/${name}`, import.meta.url);
const textOf = (name: string): string => readFileSync(fileOf(name), 'utf8');
const sha256 = async (bytes: Uint8Array): Promise<string> => createHash('sha256').update(bytes).digest('hex');

it('a link with a configuration opens', () => {
  const encoded = textOf('shared-link.txt').trim().split('#config=')[1]!;
  expect(JSON.parse(decodeShare(encoded)).services[0].attributes.label_confidences).toEqual({ 'Gesicht – vorn': 0.25 });
});

it('a saved bench opens, with its frames, model and raw results', async () => {
  const bench = await readBenchFile(new Blob([readFileSync(fileOf('bench.zip'))]), sha256);
  expect(bench).toMatchObject({
    serviceName: 'faces',
    cameraName: 'cam',
    environment: { version: '0.1.0', backend: 'webgpu' },
    models: [{ fileName: 'm.onnx', labels: ['face'], bytes: Uint8Array.of(9, 9) }],
    frames: [{ rawOf: 'image', image: Uint8Array.of(1, 2, 3), capture: { id: '0-a', reason: { kind: 'person' } } }],
  });
  const { detections } = bench.frames[0]!.raw;
  expect(detections).toMatchObject({ labels: ['face'], score: Float64Array.of(0.5, NaN, Infinity), droppedNaN: 1 });
});

it('a certificate holds for the machine that it was made for', () => {
  const findings = checkCertificate(readCertificate(textOf('certificate.json')), {
    config: machineOf(),
    modelOf: () => 'a'.repeat(64),
    labels: ['person', 'dog'],
    runtime: 'runtime 1',
    nowMs: certifiedAtMs,
  });
  expect(findings.flatMap(({ about, says }) => (says === 'holds' ? [about] : []))).toEqual(
    expect.arrayContaining(['entry', 'model', 'labels']),
  );
  expect(isVoid(findings)).toBe(false);
});

it('a reference for drift is read', () => {
  expect(readDriftReference(textOf('drift-reference.json'))).toMatchObject({
    name: 'May',
    images: { cameras: ['yard', null] },
  });
});

it('a client of the published wire is understood', () => {
  const { status, stdout, stderr } = spawnSync(
    'node_modules/.bin/buf',
    ['breaking', '--against', 'tests/published/wire.binpb.gz'],
    { encoding: 'utf8' },
  );
  expect([stdout, stderr, status]).toEqual(['', '', 0]);
});

it.each(['sqlite', 'postgres'] as const)('no published migration of %s was edited or taken out', (store) => {
  const published = (JSON.parse(textOf('migrations.json')) as ReturnType<typeof migrationHashes>)[store];
  expect(published.length).toBeGreaterThan(0);
  expect(migrationHashes()[store].slice(0, published.length)).toEqual(published);
});
