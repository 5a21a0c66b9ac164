import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { uploadPicture } from '../../../../../../tests/data-service-fixture.ts';
import { openDataTab } from '../../../../../../tests/data-tab-fixture.ts';
import type { SampleKind } from '../../../../../platform/ports/frame-source.ts';
import { readJpegSize } from '../../../../../evidence/datasets/image-size/jpeg-size.ts';
import type { RunModel } from '../../../../captures/run-model.ts';
import { datasetTruth } from '../dataset-truth.ts';
import { sampleSet } from './sample-set.ts';

const { signal } = new AbortController();

const bytesOf = (name: string) => {
  const file = name.replace(/^.*\//, '');
  return new Uint8Array(readFileSync(`assets/${file.startsWith('sample') ? 'photographs' : 'things'}/${file}`));
};
const names = [1, 2, 3, 4, 5, 6].map((number) => `builtin/sample${number}.jpg`);
const things = ['room', 'desk', 'coffee', 'dogs', 'cat', 'astronaut'].map((name) => `builtin/${name}.jpg`);
const faceLabels = ['face'];
const objectLabels = ['person', 'cat', 'cup', 'train'];
const frame = (name: string, blob = async () => new Blob([bytesOf(name)], { type: 'image/jpeg' })) => ({ name, blob });

async function open(
  builtin = async (kind: SampleKind) => (kind === 'faces' ? names : things).map((name) => frame(name)),
  given = { labels: faceLabels as readonly string[] | null },
) {
  const { context, service } = await openDataTab();
  const corners = { xMinNormalized: 0.1, yMinNormalized: 0.2, xMaxNormalized: 0.4, yMaxNormalized: 0.7 };
  const runModel: RunModel = async (_, name, fromScore = 1) => ({
    by: 'detector',
    boxes: [0.9, fromScore].map((confidence) => ({ label: name, confidence, ...corners })),
  });
  const host = { client: service.owner as never, home: context.home, runModel };
  const truth = datasetTruth(host);
  const imagesOf = async (id: string) =>
    (await truth.images(id, signal)).map(({ name, boxes }) => [name.replace(/^.*\//, ''), boxes.length]);
  return {
    service,
    truth,
    imagesOf,
    samples: sampleSet(host, { builtin, modelLabels: async () => given.labels }, () => 1e12),
  };
}

it('is the photographs with a box around each face, however often it is asked for', async () => {
  const { truth, imagesOf, samples } = await open();
  const [id, again] = await Promise.all([samples.add(), samples.add()]);
  expect([again, await samples.add()]).toEqual([id, id]);
  expect((await truth.sets(signal))[0]).toEqual({ id, name: 'Sample photographs', isSample: true });
  expect(await imagesOf(id)).toEqual(
    [3, 3, 3, 4, 5, 4].map((count, index) => [names[index]!.replace('builtin/', ''), count]),
  );
});

it('has boxes in the pixels of each photograph, about as wide as they are high', async () => {
  const { truth, samples } = await open();
  for (const { name, boxes } of await truth.images(await samples.add(), signal)) {
    const { stored } = readJpegSize(bytesOf(name.replace(/^.*\//, '')))!;
    for (const box of boxes) {
      const widthPx = (box.xMaxNormalized - box.xMinNormalized) * stored.widthPx;
      const heightPx = (box.yMaxNormalized - box.yMinNormalized) * stored.heightPx;
      expect(widthPx / heightPx, name).toBeGreaterThan(0.6);
      expect(widthPx / heightPx, name).toBeLessThan(1.25);
      expect([box.label, box.isModelMade]).toEqual(['face', false]);
    }
  }
});

it('is completed after it was left half stored, and tried again after a failure', async () => {
  let isBroken = true;
  const { service, imagesOf, samples } = await open(async () =>
    names.map((name, index) => {
      if (index < 3 || !isBroken) return frame(name);
      return frame(name, () => Promise.reject(new Error('The host is out of reach.')));
    }),
  );
  await expect(samples.add()).rejects.toThrow('The host is out of reach.');
  const { datasets } = await service.owner.datasets.listDatasetsByOrganizationID({ organizationId: 'a' });
  expect(datasets).toEqual([]); // nothing is left of what could not be had
  isBroken = false;
  const id = await samples.add();
  const { data } = await service.owner.data.binaryDataByFilter({
    dataRequest: { filter: { datasetId: id }, limit: 2n },
  });
  await service.owner.data.deleteBinaryDataByIDs({ binaryDataIds: data.map(({ metadata }) => metadata!.binaryDataId) });
  expect(await imagesOf(id)).toHaveLength(4);
  expect(await samples.add()).toBe(id);
  expect(await imagesOf(id)).toHaveLength(6);
});

it('leaves what is somebody’s own when it is removed', async () => {
  const { service, truth, samples } = await open();
  const { data } = service.owner;
  const id = await samples.add();
  const own = await uploadPicture(service.owner);
  const tagged = await uploadPicture(service.owner, { tags: ['sample-photograph'] }, undefined, 'other pixels');
  await data.addBinaryDataToDatasetByIDs({ binaryDataIds: [own], datasetId: id });
  await samples.remove();
  await samples.remove();
  expect(await truth.sets(signal)).toEqual([]);
  const left = await data.binaryDataByFilter({ dataRequest: { filter: { organizationIds: ['a'] }, limit: 50n } });
  expect(left.data.map(({ metadata }) => metadata!.binaryDataId).sort()).toEqual([own, tagged].sort());
});

it('is a sequence, too, of a second for each photograph, and one however often it is asked for', async () => {
  const { service, samples } = await open();
  const { data } = service.owner;
  const [id, again] = await Promise.all([samples.addSequence(), samples.addSequence()]);
  expect([again, await samples.addSequence()]).toEqual([id, id]);
  const { sequence } = await data.getSequence({ id });
  expect(Number(sequence!.endTime!.seconds - sequence!.startTime!.seconds)).toBe(6);
  const { data: images } = await data.getSequenceBinaryData({ sequenceId: id });
  expect(images).toHaveLength(6);
});

it('is recorded with what the model sees below the thresholds, and goes with all that was added', async () => {
  const { service, truth, samples } = await open();
  const { data } = service.owner;
  const own = await uploadPicture(service.owner);
  await samples.addSequence();
  expect(await samples.isRecorded()).toBe(false);
  await samples.addRecording();
  expect(await samples.isRecorded()).toBe(true);
  const filter = { organizationIds: ['a'], componentName: 'detector', method: 'CaptureAllFromCamera' };
  const { data: captures } = await data.binaryDataByFilter({ dataRequest: { filter, limit: 50n } });
  expect(captures.map(({ metadata }) => metadata!.annotations!.bboxes.map(({ confidence }) => confidence))).toEqual(
    names.map(() => [expect.closeTo(0.9), expect.closeTo(0.05)]),
  );
  await samples.remove();
  expect(await samples.isRecorded()).toBe(false);
  expect(await truth.sets(signal)).toEqual([]);
  expect((await data.listSequences({ organizationId: 'a' })).sequences).toEqual([]);
  const left = await data.binaryDataByFilter({ dataRequest: { filter: { organizationIds: ['a'] }, limit: 50n } });
  expect(left.data.map(({ metadata }) => metadata!.binaryDataId)).toEqual([own]);
});

it('is the photographs of things, labelled, where the model finds more than faces', async () => {
  const given = { labels: null as readonly string[] | null };
  const { service, truth, imagesOf, samples } = await open(undefined, given);
  const faces = await samples.add(); // the set for a model that says nothing of itself
  given.labels = objectLabels;
  const id = await samples.add();
  expect(await truth.sets(signal)).toEqual([
    { id: faces, name: 'Sample photographs', isSample: true },
    { id, name: 'Sample photographs of things', isSample: true },
    expect.anything(),
  ]);
  expect(await imagesOf(id)).toEqual(
    [3, 3, 3, 2, 1, 1].map((count, at) => [things[at]!.replace('builtin/', ''), count]),
  );
  const labels = (await truth.images(id, signal)).flatMap(({ boxes }) => boxes.map(({ label }) => label));
  expect([...new Set(labels)].sort()).toEqual([
    'bottle',
    'cat',
    'cup',
    'dining table',
    'dog',
    'keyboard',
    'person',
    'spoon',
    'wine glass',
  ]);
  const ofThings = await samples.addSequence();
  given.labels = faceLabels;
  expect(await samples.addSequence()).not.toBe(ofThings);
  await samples.remove();
  expect(await truth.sets(signal)).toEqual([]);
  expect((await service.owner.data.listSequences({ organizationId: 'a' })).sequences).toEqual([]);
});

it('has boxes within their photographs, and labels that the built-in detector has', async () => {
  const { truth, samples } = await open(undefined, { labels: objectLabels });
  const known = readFileSync('assets/nanodet/nanodet-g-416.labels.txt', 'utf8').trim().split('\n');
  for (const { name, boxes } of await truth.images(await samples.add(), signal)) {
    const { stored } = readJpegSize(bytesOf(name))!;
    for (const { label, ...box } of boxes) {
      expect(known).toContain(label);
      // Drawn in whole pixels of this very file: another size of it gives fractions.
      const drawn = [box.xMinNormalized * stored.widthPx, box.yMaxNormalized * stored.heightPx];
      for (const px of drawn) expect(px, `${name} ${label}`).toBeCloseTo(Math.round(px), 6);
      expect(box.xMinNormalized).toBeGreaterThanOrEqual(0);
      expect(box.xMaxNormalized).toBeLessThanOrEqual(1);
      expect(box.yMaxNormalized).toBeLessThanOrEqual(1);
    }
  }
});
