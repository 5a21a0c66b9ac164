import { type DatasetBox, sequenceOf } from '../../../../evidence/datasets/face/items.ts';
import { recordedGroup } from '../../../../evidence/datasets/face/independence.ts';
import { Code, ConnectError } from '@connectrpc/connect';
import { DatasetType } from '../../../../gen/app/dataset/v1/dataset_pb.ts';
import type { TruthBox, TruthImage, TruthSource } from '../../../evaluate/ports/truth-source.ts';
import { editRest } from '../../../areas/edit-route.ts';
import {
  allPicturePages,
  fetchBytes,
  isPicture,
  picturePages,
  type StoredPicture,
} from '../../annotate/saving/stored-pictures.ts';
import { boxSavingPrefix } from '../../annotate/saving/box-sync.svelte.ts';
import { whenReleased } from '../../annotate/saving/when-released.ts';
import type { DataHost } from '../../context/data-host.ts';
import { labelClientOf } from '../../shared/work/label-client.ts';
import { keepSchemePairs, schemePairs } from '../../shared/work/scheme-labels.ts';
import { completeSequences } from './shared/complete-sequences.ts';
import { datasetRest } from './shared/dataset-route.ts';
import { sampleSetNames } from './drift/sample-set.ts';

const sampleNames = new Set<string>(Object.values(sampleSetNames));
/** A pseudo id for "all images with boxes", offered beside the datasets. No dataset has it. */
const boxedId = 'boxed';

/** Offers the datasets of a data service, and all its images with boxes drawn by a person, as ground truth for an evaluation. */
export function datasetTruth(
  { client: { data, datasets, transport }, home }: Pick<DataHost, 'client' | 'home'>,
  locks: LockManager | undefined = navigator.locks,
): TruthSource {
  const context = { data, home };
  const { organizationId } = home;
  const labels = labelClientOf({ transport });
  return {
    async sets(signal) {
      const filter = { organizationIds: [organizationId] };
      const [answer, boxed] = await Promise.all([
        datasets.listDatasetsByOrganizationID({ organizationId, type: DatasetType.BINARY_DATA }, { signal }),
        data.boundingBoxLabelsByFilter({ filter }, { signal }),
      ]);
      const named = answer.datasets
        .map(({ id, name }) => ({ id, name, ...(sampleNames.has(name) && { isSample: true }) }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      return boxed.labels.length > 0 ? [...named, { id: boxedId, name: 'All images with drawn boxes' }] : named;
    },
    async images(setId, signal) {
      await whenReleased(locks, boxSavingPrefix); // what a person just corrected in the editor
      const pictures: StoredPicture[] = [];
      const pages = setId === boxedId ? allPicturePages(context, signal) : picturePages(context, setId, signal);
      for await (const page of pages) pictures.push(...page.filter(isPicture));
      const wanted =
        setId === boxedId
          ? pictures.filter(({ boxes }) => boxes.some(({ confidence }) => confidence === undefined))
          : pictures;
      return (await completeSequences(context, wanted, signal)).map(truthImage);
    },
    bytes: (_, ids, signal) => fetchBytes(data, ids, signal),
    async pairs(setId, signal) {
      if (setId === boxedId) return null;
      try {
        const { scheme } = await labels.getScheme({ datasetId: setId }, { signal });
        return scheme ? schemePairs(scheme) : [];
      } catch (error) {
        if (ConnectError.from(error).code === Code.Unimplemented) return null;
        throw error;
      }
    },
    keepPairs: (setId, pairs) => keepSchemePairs(labels, setId, pairs),
    editorHref: (setId, imageId, order) =>
      setId === boxedId
        ? `#/data/images${editRest(imageId)}`
        : `#/data/datasets${datasetRest({ kind: 'edit', id: setId, imageId, ...(order !== undefined && { order }) })}`,
  };
}

const truthBox = ({ id: _, track: _track, confidence, ...box }: DatasetBox): TruthBox => ({
  ...box,
  isModelMade: confidence !== undefined,
});

function truthImage({
  contentId,
  fileName,
  sizeBytes,
  boxes,
  crowds = [],
  classifications,
  tags,
  timeMs,
  source,
}: StoredPicture): TruthImage {
  return {
    id: contentId,
    name: fileName,
    sizeBytes,
    boxes: [...boxes.map(truthBox), ...crowds.map((crowd) => ({ ...truthBox(crowd), isCrowd: true }))],
    labels: [...classifications.map(({ label }) => label), ...tags],
    sequence: recordedGroup(sequenceOf(tags), timeMs, source),
  };
}
