import type { DataContext } from '../src/app/data/context/data-context.ts';
import type { Worker } from '../src/app/data/shared/work/own-worker.ts';
import { createClient } from '@connectrpc/connect';
import { refusalOf } from '../src/app/data/context/rights.ts';
import type { Role } from '../src/data-service/ports/access-store.ts';
import { LabelService } from '../src/gen/sightglass/labels/v1/labels_pb.ts';
import { openDataTab, type TestTab } from './data-tab-fixture.ts';
import { uploadPicture, type Clients } from './data-service-fixture.ts';

export type Colleague = Pick<DataContext, 'data' | 'transport' | 'home' | 'server' | 'refusal' | 'announce'> & {
  readonly worker: Worker;
  readonly labels: ReturnType<typeof createClient<typeof LabelService>>;
};

/**
 * Three people on one data service: the holder of the owner's key, who checks, and of the operator's and the annotator's, who label.
 */
export interface LabelWork {
  readonly tab: TestTab;
  readonly ada: Colleague;
  readonly ben: Colleague;
  readonly ann: Colleague;
  /** ids of stored images, in the order in which they were stored */
  readonly images: readonly string[];
  readonly datasetId: string;
}

export async function openLabelWork(imageCount = 1): Promise<LabelWork> {
  const tab = await openDataTab();
  const { service, context } = tab;
  const colleague = ({ data, transport }: Clients, id: string, name: Role): Colleague => ({
    data,
    transport,
    home: context.home,
    server: { keyId: id } as NonNullable<DataContext['server']>,
    refusal: (method) => refusalOf({ role: name, locationId: '' }, method, 'key'),
    announce: context.announce,
    worker: { kind: 'key', id, name },
    labels: createClient(LabelService, transport),
  });
  const images: string[] = [];
  for (let n = 0; n < imageCount; n++)
    images.push(await uploadPicture(service.owner, { fileName: `${n}.png` }, service.time.now++));
  const { id: datasetId } = await service.owner.datasets.createDataset({ organizationId: 'a', name: 'cups' });
  await service.owner.data.addBinaryDataToDatasetByIDs({ binaryDataIds: images, datasetId });
  return {
    tab,
    ada: colleague(service.owner, service.keys.owner.id, 'owner'),
    ben: colleague(service.operator, service.keys.operator.id, 'operator'),
    ann: colleague(service.annotator, service.keys.annotator.id, 'annotator'),
    images,
    datasetId,
  };
}

/** Gives the images to Ben. */
export const giveToBen = ({ ada, ben, images }: LabelWork) =>
  ada.labels.assignImages({ organizationId: 'a', binaryDataIds: [...images], assignees: [ben.worker], mode: 'split' });

/** A box of a label in the middle of the image. */
export const middleBox = (label: string) => ({
  label,
  xMinNormalized: 0.25,
  yMinNormalized: 0.25,
  xMaxNormalized: 0.75,
  yMaxNormalized: 0.75,
});
