import type { DescMethod } from '@bufbuild/protobuf';
import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { refusalOf } from '../../src/app/data/context/rights.ts';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../../src/gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService } from '../../src/gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { AuditService } from '../../src/gen/sightglass/audit/v1/audit_pb.ts';
import { LabelService } from '../../src/gen/sightglass/labels/v1/labels_pb.ts';
import { PeopleService } from '../../src/gen/sightglass/people/v1/people_pb.ts';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';
import { runSightglass } from '../server/run-sightglass.ts';
import { addServer } from './add-server.ts';
import { launchChromium, serveBuiltApp, visit, type RunningApp } from './app.ts';
import { checkAtBothSizes } from './axe.ts';
import { draw, drawLabelled, stage, workBar } from './draw-box.ts';
import { goWithin, namedUrl, peopleOf, userMenu } from './people-server.ts';
import { pictureShown } from './picture-shown.ts';
import { seedServer, type SeededServer } from './roles-seed.ts';
import { addAuthenticator } from './virtual-authenticator.ts';

// Every page as every role: a control is off, and says why, exactly where the table of roles has the service refuse its operation.

let server: SightglassServer;
let app: RunningApp;
let browser: Browser;
let seeded: SeededServer;
beforeAll(async () => {
  [server, app, browser] = await Promise.all([serveSightglass(), serveBuiltApp(), launchChromium()]);
  seeded = await seedServer(server);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await server?.close();
});

/** Who looks: a member, or the holder of a key. `locationId` '': of the whole organization. */
interface Caller {
  readonly role: string;
  readonly locationId: string;
  readonly by: 'membership' | 'key';
}

interface Place {
  readonly hash: string;
  /** what the page as a whole requires; absent: everyone may see it */
  readonly needs?: DescMethod;
  /** Comes once the page is there. */
  readonly there: (page: Page) => Locator;
  readonly open?: (page: Page) => Promise<void>;
  readonly controls: readonly (readonly [(page: Page) => Locator, DescMethod])[];
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name, exact: true });
const inToolbar = (bar: string, name: string) => (page: Page) =>
  page.getByRole('toolbar', { name: bar }).getByRole('button', { name, exact: true });
const { method: data } = DataService;
const { method: datasets } = DatasetService;
const { method: pipelines } = DataPipelinesService;
const { method: labels } = LabelService;
/** What an annotator may not do on an image that is not assigned to them. */
const labelsAll = labels.assignImages;

function places(): readonly Place[] {
  const [imageId, datasetId] = [seeded.imageId, seeded.datasetId].map(encodeURIComponent) as [string, string];
  const { sequenceId, pipelineId, indexName } = seeded;
  const imported = [[button('Import'), DataSyncService.method.fileUpload]] as const;
  const dataset = (pane: string) => `#/data/datasets/${datasetId}${pane}`;
  return [
    {
      hash: '#/data/images',
      there: (page) => page.getByRole('listbox', { name: 'Images' }).getByRole('option').first(),
      async open(page) {
        await page.getByRole('listbox', { name: 'Images' }).focus();
        await page.keyboard.press('Control+a');
        await page.getByText('1 selected').waitFor();
      },
      controls: [
        ...imported,
        [inToolbar('Selected images', 'Tag …'), data.addTagsToBinaryDataByIDs],
        [inToolbar('Selected images', 'Untag …'), data.removeTagsFromBinaryDataByIDs],
        [inToolbar('Selected images', 'Add to dataset …'), data.addBinaryDataToDatasetByIDs],
        [inToolbar('Selected images', 'Remove from dataset …'), data.removeBinaryDataFromDatasetByIDs],
        [inToolbar('Selected images', 'Assign …'), labels.assignImages],
        [inToolbar('Selected images', 'Delete'), data.deleteBinaryDataByIDs],
      ],
    },
    {
      hash: `#/data/images/${imageId}`,
      there: button('Remove from faces'),
      controls: [
        [button('Delete'), data.deleteBinaryDataByIDs],
        [button('Remove from faces'), data.removeBinaryDataFromDatasetByIDs],
        [(page) => page.getByRole('combobox', { name: 'Tags' }), labelsAll],
      ],
    },
    {
      hash: `#/data/images/${imageId}/edit`,
      there: button(/^Draw/),
      open: pictureShown,
      controls: [
        [button(/^Draw/), labelsAll],
        [button('Run model'), labelsAll],
        [button('Add'), labelsAll],
        [button('Paste'), labelsAll],
        [button('Comment'), labelsAll],
        [button(/^face/), labelsAll],
      ],
    },
    {
      hash: '#/data/sensors',
      there: (page) => page.getByText('1 reading').first(),
      controls: [...imported, [button('Save as CSV'), data.tabularDataByMQL]],
    },
    { hash: '#/data/files', there: button('Import'), controls: imported },
    { hash: '#/data/point-clouds', there: button('Import'), controls: imported },
    {
      hash: '#/data/sequences',
      needs: data.listSequences,
      there: (page) => page.getByRole('combobox', { name: 'Dataset' }),
      async open(page) {
        await page.getByRole('combobox', { name: 'Dataset' }).selectOption('clips');
      },
      controls: [
        [button('New sequence'), data.createSequence],
        [button('Download the dataset as Parquet'), datasets.startSequenceDatasetExport],
        [button('Delete the dataset'), datasets.deleteDataset],
      ],
    },
    {
      hash: `#/data/sequences/${sequenceId}`,
      needs: data.listSequences,
      there: button('Remove from clips'),
      controls: [
        [button('Add to dataset …'), data.addSequencesToDataset],
        [button('Change the sequence'), data.updateSequence],
        [button('Delete the sequence'), data.deleteSequence],
        [button('Remove from clips'), data.removeSequencesFromDataset],
      ],
    },
    {
      hash: '#/data/query',
      needs: data.tabularDataByMQL,
      there: button(/^Saved/),
      async open(page) {
        await page.getByRole('tab', { name: 'MQL' }).click();
        if ((await page.getByRole('complementary', { name: 'Saved queries' }).count()) === 0)
          await page.getByRole('button', { name: /^Saved/ }).click();
        await page.getByRole('textbox', { name: 'Name to save the query under' }).fill('another');
      },
      controls: [
        [button('Save'), data.createSavedQuery],
        [button('Rename counted'), data.updateSavedQuery],
        [button('Delete counted'), data.deleteSavedQuery],
      ],
    },
    {
      hash: `#/data/pipelines/${pipelineId}`,
      needs: pipelines.listDataPipelines,
      there: button('Rename hourly'),
      controls: [
        [
          (page) =>
            page.getByRole('link', { name: 'New pipeline' }).or(page.getByRole('button', { name: 'New pipeline' })),
          pipelines.createDataPipeline,
        ],
        [(page) => page.getByRole('switch', { name: 'On' }), pipelines.disableDataPipeline],
        [button('Rename hourly'), pipelines.renameDataPipeline],
        [button('Delete'), pipelines.deleteDataPipeline],
      ],
    },
    {
      hash: '#/data/datasets',
      there: (page) => page.getByRole('checkbox', { name: 'Choose faces' }),
      controls: [
        [button('New dataset'), datasets.createDataset],
        [button('Import …'), datasets.createDataset],
      ],
    },
    {
      hash: '#/data/datasets',
      there: (page) => page.getByRole('checkbox', { name: 'Choose faces' }),
      async open(page) {
        await page.getByRole('checkbox', { name: 'Choose all' }).check();
      },
      controls: [
        [button('Rename …'), datasets.renameDataset],
        [button('Merge …'), datasets.mergeDatasets],
        [button('Delete …'), datasets.deleteDataset],
      ],
    },
    {
      hash: dataset(''),
      there: (page) => page.getByRole('listbox', { name: 'Images of the dataset' }).getByRole('option').first(),
      async open(page) {
        await page.getByRole('listbox', { name: 'Images of the dataset' }).focus();
        await page.keyboard.press('Control+a');
      },
      controls: [
        [button('Import …'), DataSyncService.method.fileUpload],
        [button('Rename …'), datasets.renameDataset],
        [button('Delete the dataset'), datasets.deleteDataset],
        [inToolbar('Selected images', 'Assign …'), labels.assignImages],
        [inToolbar('Selected images', 'Remove from the dataset'), data.removeBinaryDataFromDatasetByIDs],
      ],
    },
    {
      hash: dataset('/labels'),
      there: (page) => page.getByRole('list', { name: 'Labels of the scheme' }),
      controls: [
        [(page) => page.getByRole('textbox', { name: 'New label' }), labels.putScheme],
        [button('Add labels in use'), labels.putScheme],
        [button('Remove face'), labels.putScheme],
        [button('Import a scheme …'), labels.putScheme],
        [button('Save the scheme'), labels.putScheme],
        [button('Delete …'), labels.deleteScheme],
      ],
    },
    { hash: dataset('/work'), there: button('Assign …'), controls: [[button('Assign …'), labels.assignImages]] },
    {
      hash: dataset('/split'),
      there: (page) => page.getByRole('switch', { name: 'Split this dataset into train, val and test' }),
      async open(page) {
        await page.getByRole('switch', { name: 'Split this dataset into train, val and test' }).check({ force: true });
      },
      controls: [[button('Tag the images'), labelsAll]],
    },
    { hash: '#/data/settings', there: (page) => page.getByRole('heading', { name: 'API keys' }), controls: [] },
    {
      hash: '#/data/settings/people',
      there: button('Invite'),
      controls: [[button('Invite'), PeopleService.method.inviteMember]],
    },
    {
      hash: '#/data/settings',
      needs: data.listIndexes,
      there: button(`Delete the index ${indexName}`),
      controls: [
        [button(`Delete the index ${indexName}`), data.deleteIndex],
        [button('Create'), data.createIndex],
      ],
    },
    {
      hash: '#/data/settings',
      needs: AuditService.method.listActors,
      there: (page) => page.getByRole('link', { name: 'Show the changes' }),
      controls: [],
    },
  ];
}

const notAssigned = 'This image is not assigned to you; a reviewer may assign it.';
/** Every reason that the page gives where the table of roles, or who an image is assigned to, forbids something. */
const anyReason = /^Only (?:an?|members) .* may do this|^This image is not assigned to you/;

/** The reason for which a control is off, which stands at it or beside it; '': it is on, or off for another reason. */
async function offBecause(page: Page, control: Locator): Promise<string> {
  if (!(await control.isDisabled())) return '';
  const own = await control.evaluate((element) => element.closest('[title]')?.getAttribute('title') ?? '');
  if (anyReason.test(own)) return own;
  const beside = page.getByText(anyReason).first();
  return (await beside.count()) > 0 ? (await beside.innerText()).trim() : '';
}

/** Goes through all pages as one caller. */
async function walk(page: Page, caller: Caller): Promise<void> {
  const refusal = (method: DescMethod): string => refusalOf(caller, method, caller.by);
  for (const { hash, needs, there, open, controls } of places()) {
    await goWithin(page, '#/data/outbox');
    await page.locator('a[aria-current=page]', { hasText: 'Outbox' }).waitFor();
    await goWithin(page, hash);
    if (needs && refusal(needs)) {
      if (hash === '#/data/settings') await page.getByRole('heading', { name: 'API keys' }).waitFor();
      else await page.getByText(/ is not for you$/).waitFor();
      await expect.poll(() => there(page).count(), { message: hash }).toBe(0);
      continue;
    }
    await there(page).first().waitFor();
    await open?.(page);
    for (const [find, method] of controls) {
      const control = find(page).first();
      await control.waitFor();
      const words = refusal(method);
      const isOfImage = method === labelsAll && words !== '' && /\/images\/./.test(hash);
      const message = `${caller.role} on ${hash}: ${String(find(page))}, ${method.name}`;
      await expect.poll(() => offBecause(page, control), { message }).toBe(isOfImage ? notAssigned : words);
    }
  }
}

async function openByPasskey(name: string) {
  const url = namedUrl(server);
  const people = await peopleOf(server);
  const { organizationId } = server;
  const { token } = await people.inviteMember({ organizationId, role: 'owner', name });
  const visited = await visit(browser, url, { path: '#/data' });
  onTestFinished(() => visited.context.close());
  const { page, context } = visited;
  await addAuthenticator(context, page);
  await page.goto(`${url}#/invitation/${token}`);
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await userMenu(page, name).waitFor();
  const { members } = await people.listMembers({ organizationId });
  const { id, personId } = members.find(({ personName }) => personName === name)!;
  const become = async (role: string, locationId = ''): Promise<void> => {
    await people.changeMember({ organizationId, id, role, locationId });
    await page.reload();
    await userMenu(page, name).getByText(new RegExp(role, 'i')).waitFor();
  };
  return { ...visited, personId, become };
}

it.each([
  ['annotator', ''],
  ['reviewer', ''],
  ['operator', ''],
  ['operator', 'the location'],
  ['owner', ''],
])('shows to a member who is %s of %j what they may do', async (role, place) => {
  const { page, become, complaints } = await openByPasskey(`Wanda ${role} ${place}`.trim());
  const locationId = place && server.locationId;
  await become(role, locationId);
  await walk(page, { role, locationId, by: 'membership' });
  expect(complaints).toEqual([]);
});

it.each(['annotator', 'operator'])(
  'shows the same to the holder of a key of the role %s, by its token',
  async (role) => {
    const created = await runSightglass(['keys', 'create', `A ${role}`, '--role', role, '--data', server.dataDir]);
    const [made] = created.lines;
    const key = { ...server, keyId: made!['key'] as string, key: made!['secret'] as string };
    const { page, context, complaints } = await visit(browser, app.url, {
      path: '#/data/settings',
      mayCall: server.origin,
    });
    onTestFinished(() => context.close());
    await addServer(page, key, 'Workshop');
    await page.getByRole('link', { name: 'Data of Workshop' }).waitFor();
    await walk(page, { role, locationId: '', by: 'key' });
    expect(complaints).toEqual([]);
  },
);

it('opens the editor of an annotator read-only until the image is assigned, by mouse and by keys', async () => {
  const { page, personId, become, complaints } = await openByPasskey('Ann');
  await become('annotator');
  const boxes = (): Promise<number> => page.locator('[data-box]').count();
  await goWithin(page, `#/data/images/${encodeURIComponent(seeded.imageId)}/edit`);
  await pictureShown(page);
  await workBar(page).getByText(notAssigned).waitFor();
  await stage(page).focus();
  for (const key of ['n', '1', 'Control+v', 'm', 't']) await page.keyboard.press(key);
  await draw(page, [0.35, 0.35], [0.6, 0.6]);
  await page.locator('.notes').getByText(notAssigned).waitFor();
  expect(await boxes()).toBe(0);
  await page.getByRole('region', { name: 'Boxes', exact: true }).getByText(notAssigned).waitFor();
  await checkAtBothSizes(page, 'An editor in which nothing may be drawn');

  const { organizationId } = server;
  const assignees = [{ kind: 'person', id: personId, name: 'Ann' }];
  await seeded.clients.labels.assignImages({
    organizationId,
    binaryDataIds: [seeded.imageId],
    assignees,
    mode: 'split',
  });
  await workBar(page).getByText('yours').waitFor();
  await workBar(page).getByText(notAssigned).waitFor({ state: 'detached' });
  await drawLabelled(page, 'face');
  expect(await boxes()).toBe(1);

  await goWithin(page, `#/data/images/${encodeURIComponent(seeded.imageId)}`);
  await page.getByRole('combobox', { name: 'Tags' }).fill('seen');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove seen' }).waitFor();
  expect(complaints).toEqual([]);
});
