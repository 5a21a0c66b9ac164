import { deserialize } from 'bson';
import { expect, it } from 'vitest';
import { openDataTab } from '../../../../../tests/data-tab-fixture.ts';
import { TabularDataSourceType } from '../../../../gen/app/data/v1/data_pb.ts';
import { PipelineDraft } from './pipeline-draft.svelte.ts';

const now = new Date('2026-03-11T05:00:00Z');

it('is ready with a name and a schedule that runs', async () => {
  const draft = new PipelineDraft((await openDataTab()).context);
  expect(draft.isReady(now)).toBe(false);
  draft.name = ' ';
  expect(draft.isReady(now)).toBe(false);
  draft.name = 'counts';
  expect(draft.isReady(now)).toBe(true);
  draft.schedule = 'every hour';
  expect(draft.isReady(now)).toBe(false);
});

it('creates what it says, once at a time', async () => {
  const { context, said, service } = await openDataTab();
  const draft = new PipelineDraft(context);
  Object.assign(draft, { name: ' counts ', schedule: ' 0 3 * * * ', source: 'hot', backfill: true });
  draft.stages = '[{"$match": {"at": 1}}]';
  const creating = draft.create();
  expect(draft.isReady(now)).toBe(false);
  const id = await creating;
  expect(draft.isReady(now)).toBe(true);
  const { dataPipelines } = await service.owner.pipelines.listDataPipelines({ organizationId: 'a' });
  expect(dataPipelines).toMatchObject([
    { id, name: 'counts', schedule: '0 3 * * *', dataSourceType: TabularDataSourceType.HOT_STORAGE },
  ]);
  expect(dataPipelines[0]!.mqlBinary.map((stage) => deserialize(stage))).toEqual([{ $match: { at: 1 } }]);
  expect((await service.dependencies.store.pipelines.get(id!))?.backfill).toBe(true);
  expect([said, draft.failure]).toEqual([['Pipeline counts created.'], null]);
});

it('says why it was not created, at the stages only while they are the same', async () => {
  const { context, said } = await openDataTab();
  const draft = new PipelineDraft(context);
  draft.name = 'counts';
  draft.stages = '[{';
  expect(await draft.create()).toBeNull();
  expect(draft.failure?.message).toMatch(/JSON/);
  expect(draft.stagesFailure).toBe(draft.failure);
  draft.stages = '[{"$limit": 1}]';
  expect([draft.stagesFailure, draft.failure === null]).toEqual([null, false]);
  expect(await draft.create()).not.toBeNull();
  expect(draft.failure).toBeNull();
  expect(await draft.create()).toBeNull(); // the name is taken
  expect(draft.failure?.message).toMatch(/counts/);
  expect(said).toEqual(['Pipeline counts created.']);
});
