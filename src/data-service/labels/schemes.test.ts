import { beforeEach, expect, it } from 'vitest';
import type { Client } from '@connectrpc/connect';
import { codeOf, startDataService, type TestService } from '../../../tests/data-service-fixture.ts';
import { DatasetType } from '../../gen/app/dataset/v1/dataset_pb.ts';
import { LabelService } from '../../gen/sightglass/labels/v1/labels_pb.ts';

let service: TestService;
let labels: Client<typeof LabelService>;
let datasetId: string;

beforeEach(async () => {
  service = await startDataService();
  labels = service.owner.of(LabelService);
  datasetId = (await service.owner.datasets.createDataset({ organizationId: 'a', name: 'cups' })).id;
});

const cup = {
  name: 'cup',
  color: '#1F77B4',
  description: 'With a handle',
  attributes: [{ name: 'full', values: ['yes', 'no'] }],
  exampleBinaryDataId: 'a/lab/1',
};
const put = (changed: readonly object[], version = 0n) =>
  labels.putScheme({ datasetId, scheme: { labels: [...changed] }, version });

it('a dataset has a scheme, in its order, from the first version on', async () => {
  expect(await labels.getScheme({ datasetId })).toMatchObject({ version: 0n });
  expect((await labels.getScheme({ datasetId })).scheme).toBeUndefined();
  expect((await put([{ name: 'mug' }, cup])).version).toBe(1n);
  const { scheme, version } = await service.operator.of(LabelService).getScheme({ datasetId });
  expect(scheme!.labels).toMatchObject([
    { name: 'mug', color: '' },
    { ...cup, color: '#1f77b4' },
  ]);
  expect((await put([cup], version)).version).toBe(2n);
  expect(await codeOf(put([], version))).toBe('Aborted');
  expect(await codeOf(put([], 0n))).toBe('Aborted');
  await labels.deleteScheme({ datasetId });
  expect(await codeOf(labels.deleteScheme({ datasetId }))).toBe('NotFound');
});

it('a scheme keeps what models call its labels, without labels of its own too', async () => {
  const pairs = [
    { label: 'cup', modelLabel: 'mug' },
    { label: 'cup', modelLabel: 'tasse' },
  ];
  await labels.putScheme({ datasetId, scheme: { pairs } });
  const { scheme, version } = await labels.getScheme({ datasetId });
  expect(scheme).toMatchObject({ labels: [], pairs });
  await labels.putScheme({ datasetId, scheme: { labels: [cup] }, version });
  expect((await labels.getScheme({ datasetId })).scheme).toMatchObject({ labels: [{ name: 'cup' }], pairs: [] });
});

it.each([
  ['no label', [{ label: ' ', modelLabel: 'mug' }], 'pairs[0].label'],
  ['no label of the model', [{ label: 'cup', modelLabel: '' }], 'pairs[0].model_label'],
  ['a long name', [{ label: 'cup', modelLabel: 'x'.repeat(201) }], '201 characters'],
  ['too many pairs', Array.from({ length: 1001 }, (_, n) => ({ label: `l${n}`, modelLabel: 'm' })), '1001 entries'],
])('pairs are refused with %s', async (_, pairs, words) => {
  await expect(labels.putScheme({ datasetId, scheme: { pairs } })).rejects.toThrow(words);
  expect((await labels.getScheme({ datasetId })).version).toBe(0n);
});

it.each([
  ['a name twice', [cup, cup]],
  ['no name', [{ ...cup, name: ' ' }]],
  ['a long name', [{ ...cup, name: 'x'.repeat(201) }]],
  ['a colour that is none', [{ ...cup, color: 'red' }]],
  ['a long description', [{ ...cup, description: 'x'.repeat(2001) }]],
  ['an attribute twice', [{ ...cup, attributes: [...cup.attributes, ...cup.attributes] }]],
  ['an attribute without values', [{ ...cup, attributes: [{ name: 'full', values: [] }] }]],
  ['a value twice', [{ ...cup, attributes: [{ name: 'full', values: ['yes', 'yes'] }] }]],
  ['too many labels', Array.from({ length: 1001 }, (_, n) => ({ name: `l${n}` }))],
])('a scheme is refused with %s', async (_, changed) => {
  expect(await codeOf(put(changed))).toBe('InvalidArgument');
  expect((await labels.getScheme({ datasetId })).version).toBe(0n);
});

it('a scheme is of a dataset of files, and its examples are of the organization', async () => {
  expect(await codeOf(labels.putScheme({ datasetId }))).toBe('InvalidArgument');
  expect(await codeOf(put([{ ...cup, exampleBinaryDataId: 'b/ship/1' }]))).toBe('PermissionDenied');
  const clips = { organizationId: 'a', name: 'clips', type: DatasetType.SEQUENCE_DATA };
  const { id } = await service.owner.datasets.createDataset(clips);
  expect(await codeOf(labels.getScheme({ datasetId: id }))).toBe('InvalidArgument');
  expect(await codeOf(labels.getScheme({ datasetId: 'none' }))).toBe('NotFound');
});
