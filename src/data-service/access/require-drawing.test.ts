import { beforeEach, expect, it } from 'vitest';
import {
  codeOf,
  startDataService,
  uploadPicture,
  type Clients,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { LabelService } from '../../gen/sightglass/labels/v1/labels_pb.ts';

let service: TestService;
let image: string;
let box: string;
const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
beforeEach(async () => {
  service = await startDataService();
  image = await uploadPicture(service.owner, { tags: ['seen'] });
  const drawn = await service.owner.data.addBoundingBoxToImageByID({ binaryDataId: image, label: 'cup', ...corners });
  box = drawn.bboxId;
});

const draws: readonly (readonly [string, (clients: Clients) => Promise<unknown>])[] = [
  ['adds a tag', ({ data }) => data.addTagsToBinaryDataByIDs({ binaryDataIds: [image], tags: ['x'] })],
  ['removes a tag', ({ data }) => data.removeTagsFromBinaryDataByIDs({ binaryDataIds: [image], tags: ['seen'] })],
  ['draws a box', ({ data }) => data.addBoundingBoxToImageByID({ binaryDataId: image, label: 'x', ...corners })],
  ['moves a box', ({ data }) => data.updateBoundingBox({ binaryDataId: image, bboxId: box, label: 'x' })],
  ['removes a box', ({ data }) => data.removeBoundingBoxFromImageByID({ binaryDataId: image, bboxId: box })],
  [
    'edits boxes',
    (clients) =>
      clients.of(LabelService).editBoxes({ binaryDataId: image, edits: [{ box: { label: 'x', ...corners } }] }),
  ],
];

const refusal = () => `Binary data ${image} is not assigned to annotator; an annotator draws only on assigned images.`;

/** Assigns the image to the annotator; `every`: blindly. */
const assign = (mode: 'split' | 'every') => {
  const assignee = { kind: 'key', id: service.keys.annotator.id, name: 'annotator' };
  const assigned = { organizationId: 'a', binaryDataIds: [image], assignees: [assignee], mode };
  return service.reviewer.of(LabelService).assignImages(assigned);
};

it.each(draws)('an annotator %s only on an assigned image, a reviewer on any', async (_, draw) => {
  await expect(draw(service.annotator)).rejects.toThrow(refusal());
  expect(await codeOf(draw(service.reviewer))).toBe('ok');
});

it.each(draws)('an annotator to whom the image is assigned %s', async (_, draw) => {
  await assign('split');
  expect(await codeOf(draw(service.annotator))).toBe('ok');
});

it.each(draws)('an annotator who works blindly %s on no image', async (_, draw) => {
  await assign('every');
  await expect(draw(service.annotator)).rejects.toThrow(refusal());
});

it('wants every image of a call to be assigned', async () => {
  await assign('split');
  const other = await uploadPicture(service.owner, { fileName: 'other' });
  const tag = service.annotator.data.addTagsToBinaryDataByIDs({ binaryDataIds: [image, other], tags: ['x'] });
  expect(await codeOf(tag)).toBe('PermissionDenied');
});
