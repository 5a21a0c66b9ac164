import { beforeEach, expect, it } from 'vitest';
import {
  codeOf,
  startDataService,
  uploadPicture,
  type Clients,
  type TestService,
} from '../../../tests/data-service-fixture.ts';

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

it.each<readonly [string, (clients: Clients) => Promise<unknown>]>([
  ['adds a tag', ({ data }) => data.addTagsToBinaryDataByIDs({ binaryDataIds: [image], tags: ['x'] })],
  ['removes a tag', ({ data }) => data.removeTagsFromBinaryDataByIDs({ binaryDataIds: [image], tags: ['seen'] })],
  ['draws a box', ({ data }) => data.addBoundingBoxToImageByID({ binaryDataId: image, label: 'x', ...corners })],
  ['moves a box', ({ data }) => data.updateBoundingBox({ binaryDataId: image, bboxId: box, label: 'x' })],
  ['removes a box', ({ data }) => data.removeBoundingBoxFromImageByID({ binaryDataId: image, bboxId: box })],
])('an annotator %s only on an assigned image, a reviewer on any', async (_, draw) => {
  await expect(draw(service.annotator)).rejects.toThrow(
    `Binary data ${image} is not assigned to annotator; an annotator draws only on assigned images.`,
  );
  expect(await codeOf(draw(service.reviewer))).toBe('ok');
});
