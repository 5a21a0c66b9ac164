import { sequenceOf } from '../../../../datasets/tracks/sequences.ts';
import type { TruthImage, TruthSource } from '../../../evaluate/ports/truth-source.ts';
import { fetchBytes, isPicture, picturePages, type StoredPicture } from '../../annotate/stored-pictures.ts';
import type { DataHost } from '../../context/data-host.ts';
import { completeSequences } from './complete-sequences.ts';
import { datasetRest } from './dataset-route.ts';

/** The datasets of a data service as truth for an evaluation. */
export function datasetTruth({ client: { data, datasets }, home }: Pick<DataHost, 'client' | 'home'>): TruthSource {
  const context = { data, home };
  return {
    async sets(signal) {
      const { organizationId } = home;
      const answer = await datasets.listDatasetsByOrganizationID({ organizationId }, { signal });
      return answer.datasets.map(({ id, name }) => ({ id, name })).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async images(setId, signal) {
      const pictures: StoredPicture[] = [];
      for await (const page of picturePages(context, setId, signal)) pictures.push(...page.filter(isPicture));
      return (await completeSequences(context, pictures, signal)).map(truthImage);
    },
    bytes: (ids, signal) => fetchBytes(data, ids, signal),
    editorHref: (setId, imageId) => `#/data/datasets${datasetRest({ kind: 'edit', id: setId, imageId })}`,
  };
}

function truthImage({ contentId, fileName, sizeBytes, boxes, classifications, tags }: StoredPicture): TruthImage {
  return {
    id: contentId,
    name: fileName,
    sizeBytes,
    boxes: boxes.map(({ label, confidence, xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized }) => ({
      label,
      isModelMade: confidence !== undefined,
      xMinNormalized,
      yMinNormalized,
      xMaxNormalized,
      yMaxNormalized,
    })),
    labels: classifications.map(({ label }) => label),
    sequence: sequenceOf(tags) ?? '',
  };
}
