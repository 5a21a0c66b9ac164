import { datasetTag } from '../../src/data-service/ports/capture-filter.ts';
import type { Dataset, DatasetStore } from '../../src/data-service/ports/dataset-store.ts';
import { changesOf } from '../../src/data-service/ports/describe-changes.ts';
import { StoreError } from '../../src/data-service/ports/store-error.ts';
import type { KeepChanges, Tables } from './tables.ts';
import { byName } from '../../src/data-service/ports/name-order.ts';
import { alreadyExists, notFound } from '../../src/data-service/ports/store-refusals.ts';

export function memoryDatasetStore(tables: Tables, keep: KeepChanges): DatasetStore {
  const own = (organizationId: string, id: string): Dataset => {
    const dataset = tables.datasets.get(id);
    if (dataset?.organizationId !== organizationId) throw notFound('dataset', id);
    return dataset;
  };
  const requireFreeName = ({ id, organizationId, name }: Dataset): void => {
    const taken = [...tables.datasets.values()].some(
      (other) => other.organizationId === organizationId && other.name === name && other.id !== id,
    );
    if (taken) throw alreadyExists('dataset', name);
  };

  return {
    async create(dataset) {
      requireFreeName(dataset);
      tables.datasets.set(dataset.id, dataset);
      keep(changesOf('dataset', null, dataset));
    },
    async get(organizationId, ids) {
      return ids.flatMap((id) => {
        const dataset = tables.datasets.get(id);
        return dataset?.organizationId === organizationId ? [dataset] : [];
      });
    },
    async list(organizationId) {
      return [...tables.datasets.values()].filter((dataset) => dataset.organizationId === organizationId).sort(byName);
    },
    async rename(organizationId, id, name) {
      const dataset = own(organizationId, id);
      const renamed = { ...dataset, name };
      requireFreeName(renamed);
      tables.datasets.set(id, renamed);
      keep(changesOf('dataset', dataset, renamed));
    },
    async delete(organizationId, id) {
      const dataset = own(organizationId, id);
      const tag = datasetTag(id);
      const isOfOne =
        [...tables.binary.values()].some(({ tags }) => tags.includes(tag)) ||
        [...tables.sequences.values()].some(({ datasetIds }) => datasetIds.includes(id));
      if (isOfOne) {
        throw new StoreError('conflict', `Dataset ${id} still has members.`, { subject: id });
      }
      tables.datasets.delete(id);
      tables.labelSchemes.delete(id);
      keep(changesOf('dataset', dataset, null));
    },
  };
}
