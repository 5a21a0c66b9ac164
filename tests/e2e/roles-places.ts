import type { DescMethod } from '@bufbuild/protobuf';
import type { Locator, Page } from 'playwright';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../../src/gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService } from '../../src/gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { AuditService } from '../../src/gen/sightglass/audit/v1/audit_pb.ts';
import { LabelService } from '../../src/gen/sightglass/labels/v1/labels_pb.ts';
import { PeopleService } from '../../src/gen/sightglass/people/v1/people_pb.ts';
import { pictureShown } from './picture-shown.ts';
import type { SeededServer } from './roles-seed.ts';

/** A page, and the controls on it with the operation that each calls. */
export interface Place {
  readonly hash: string;
  /** what the page as a whole requires; absent: everyone may see it */
  readonly needs?: DescMethod;
  /** Comes once the page is there. */
  readonly there: (page: Page) => Locator;
  readonly open?: (page: Page) => Promise<unknown>;
  readonly controls: readonly (readonly [(page: Page) => Locator, DescMethod])[];
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name, exact: true });
const inToolbar = (bar: string, name: string) => (page: Page) =>
  page.getByRole('toolbar', { name: bar }).getByRole('button', { name, exact: true });
const { method: data } = DataService;
const { method: datasets } = DatasetService;
const { method: pipelines } = DataPipelinesService;
const { method: labels } = LabelService;
/** The operation of those who review, and of an annotator where the image is assigned to them. */
export const labelsAll = labels.reassignTasks;

/** Every page of the data area on a seeded server. */
export function placesOf({ sequenceId, pipelineId, indexName, ...ids }: SeededServer): readonly Place[] {
  const [imageId, datasetId] = [ids.imageId, ids.datasetId].map(encodeURIComponent) as [string, string];
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
        [inToolbar('Selected images', 'Tag …'), labelsAll],
        [inToolbar('Selected images', 'Untag …'), labelsAll],
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
      there: (page) => page.getByRole('heading', { name: 'Indexes', exact: true }),
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
