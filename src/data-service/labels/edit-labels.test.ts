import { beforeEach, describe, expect, it } from 'vitest';
import {
  addAnnotators,
  codeOf,
  startDataService,
  uploadPicture,
  type Clients,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { addMember, logMemberIn } from '../../../tests/session-host.ts';
import { LabelService } from '../../gen/sightglass/labels/v1/labels_pb.ts';
import type { Role } from '../ports/access-store.ts';
import type { DataStore } from '../ports/data-store.ts';

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

describe('while a member draws', () => {
  /** A service where something happens once between a call and its write. */
  async function startBetween(role: Role) {
    let meanwhile = async (_store: DataStore): Promise<void> => undefined;
    const store = memoryDataStore({ now: () => 0 });
    const edit =
      (of: ReturnType<DataStore['as']>): DataStore['binary']['edit'] =>
      async (...call) => {
        const happens = meanwhile;
        meanwhile = async () => undefined;
        await happens(store);
        return of.binary.edit(...call);
      };
    const as: DataStore['as'] = (actor) => {
      const of = store.as(actor);
      return { ...of, binary: { ...of.binary, edit: edit(of) } };
    };
    const place = await startDataService({ store: { ...store, as } });
    await addAnnotators(place, { eve: 'Eve' });
    const member = await addMember(place.dependencies, role);
    const binaryDataId = await uploadPicture(place.owner);
    const assignee = { kind: 'person', id: member.personId, name: member.person.name };
    const assigned = { organizationId: 'a', binaryDataIds: [binaryDataId], assignees: [assignee], mode: 'split' };
    await place.reviewer.of(LabelService).assignImages(assigned);
    const clients = place.inSession(await logMemberIn(place.dependencies, member));
    return {
      place,
      member,
      binaryDataId,
      draw: () => clients.data.addBoundingBoxToImageByID({ binaryDataId, label: 'cup', ...corners }),
      between: (happens: typeof meanwhile) => (meanwhile = happens),
    };
  }

  it('the image is given to somebody else: the box is refused', async () => {
    const { place, binaryDataId, draw, between } = await startBetween('annotator');
    between(async () => {
      const reviewer = place.reviewer.of(LabelService);
      const { tasks } = await reviewer.listTasks({ organizationId: 'a', binaryDataId });
      const assignee = { kind: 'person', id: 'eve', name: 'Eve' };
      await reviewer.reassignTasks({ ids: tasks.map(({ id }) => id), assignee });
    });
    await expect(draw()).rejects.toThrow('an annotator draws only on assigned images');
  });

  // Who calls, and as what, is looked up once, when a call begins.
  it('the member is removed: the call that is under way is the last one', async () => {
    const { member, draw, between } = await startBetween('annotator');
    between((store) => store.people!.removeMember(member.id));
    expect([await codeOf(draw()), await codeOf(draw())]).toEqual(['ok', 'Unauthenticated']);
  });

  it('a reviewer is made an annotator: the call that is under way is the last one as a reviewer', async () => {
    const { place, member, binaryDataId, draw, between } = await startBetween('reviewer');
    const reviewer = place.reviewer.of(LabelService);
    const { tasks } = await reviewer.listTasks({ organizationId: 'a', binaryDataId });
    await reviewer.deleteTasks({ ids: tasks.map(({ id }) => id) });
    between((store) => store.people!.changeMember(member.id, { role: 'annotator', locationId: null, partId: null }));
    expect([await codeOf(draw()), await codeOf(draw())]).toEqual(['ok', 'PermissionDenied']);
  });
});
