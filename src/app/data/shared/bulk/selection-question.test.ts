import { beforeEach, describe, expect, it } from 'vitest';
import { uploadPicture } from '../../../../../tests/data-service-fixture.ts';
import { openDataTab, type TestTab } from '../../../../../tests/data-tab-fixture.ts';
import { FilterOptions } from '../filters/filter-options.svelte.ts';
import { BulkEdits } from '../../../kit/edits/bulk-edits.svelte.ts';
import { SelectionQuestion } from './selection-question.svelte.ts';

describe('what is done with a selection', () => {
  let tab: TestTab;
  let question: SelectionQuestion;
  let ids: string[];
  let edits: BulkEdits;
  const selected = () => ({ count: ids.length, ids });
  const stored = async () => {
    const { data } = await tab.service.owner.data.binaryDataByIDs({ binaryDataIds: ids });
    return data.map(({ metadata }) => metadata!);
  };
  const tagsOf = async () => (await stored()).map(({ captureMetadata }) => captureMetadata?.tags);

  beforeEach(async () => {
    tab = await openDataTab();
    edits = new BulkEdits(tab.context.announce, () => 'image');
    question = new SelectionQuestion(tab.context, edits, new FilterOptions(tab.context));
    ids = [await uploadPicture(tab.service.owner), await uploadPicture(tab.service.owner)];
  });

  it('is tagged and untagged', async () => {
    question.ask('tag');
    expect([question.action, question.isReady, await question.answer(selected)]).toEqual(['tag', false, false]);
    question.tags = ['dusk', 'dawn'];
    expect([question.isReady, await question.answer(selected), question.action]).toEqual([true, true, null]);
    expect(await tagsOf()).toEqual([
      ['dusk', 'dawn'],
      ['dusk', 'dawn'],
    ]);
    question.ask('untag');
    expect(question.tags).toEqual([]);
    question.tags = ['dusk'];
    expect(await question.answer(selected)).toBe(true);
    expect(await tagsOf()).toEqual([['dawn'], ['dawn']]);
    expect(tab.said).toEqual(['2 images tagged “dusk”, “dawn”.', '2 images without “dusk” now.']);
  });

  it('is told of what was done, and is as it was before once that is undone', async () => {
    await tab.service.owner.data.addTagsToBinaryDataByIDs({ binaryDataIds: [ids[0]!], tags: ['dusk'] });
    question.ask('tag');
    question.tags = ['dusk', 'dawn'];
    await question.answer(selected);
    expect(edits.outcome).toMatchObject({ tone: 'info', message: '2 images tagged “dusk”, “dawn”.', canUndo: true });
    await edits.undo();
    expect(await tagsOf()).toEqual([['dusk'], []]);
    expect([edits.outcome?.message, edits.outcome?.canUndo]).toEqual(['Undone.', false]);
    question.ask('untag');
    question.tags = ['dusk'];
    await question.answer(selected);
    await edits.undo();
    expect(await tagsOf()).toEqual([['dusk'], []]);
    const { id } = await tab.service.owner.datasets.createDataset({ name: 'cups', organizationId: 'a' });
    await tab.service.owner.data.addBinaryDataToDatasetByIDs({ binaryDataIds: [ids[0]!], datasetId: id });
    for (const action of ['add', 'remove'] as const) {
      question.ask(action);
      question.datasetId = id;
      await question.answer(selected);
      await edits.undo();
      expect((await stored()).map(({ datasetIds }) => datasetIds)).toEqual([[id], []]);
    }
  });

  it('offers no undo of what changed nothing', async () => {
    question.ask('untag');
    question.tags = ['none of them has it'];
    await question.answer(selected);
    expect(edits.outcome?.canUndo).toBe(false);
    await edits.undo();
    expect(edits.outcome?.message).toBe('2 images without “none of them has it” now.');
  });

  it('is tagged with what is typed and not added yet, too', async () => {
    question.ask('tag');
    question.typedTags = ' , ';
    expect(question.isReady).toBe(false);
    question.tags = ['dusk'];
    question.typedTags = ' dawn, dusk,noon ';
    expect(await question.answer(selected)).toBe(true);
    expect(await tagsOf()).toEqual([
      ['dusk', 'dawn', 'noon'],
      ['dusk', 'dawn', 'noon'],
    ]);
    question.ask('tag');
    expect([question.typedTags, question.isReady]).toEqual(['', false]);
  });

  it('goes into a new dataset, and out of it', async () => {
    question.ask('add');
    question.newName = ' ';
    expect(question.isReady).toBe(false);
    question.newName = ' cups ';
    expect(await question.answer(selected)).toBe(true);
    const { datasets } = await tab.service.owner.datasets.listDatasetsByOrganizationID({ organizationId: 'a' });
    const [dataset] = datasets;
    expect((await stored()).map(({ datasetIds }) => datasetIds)).toEqual([[dataset!.id], [dataset!.id]]);
    question.ask('remove');
    question.newName = 'none is made to take something out';
    expect(question.isReady).toBe(false);
    question.datasetId = dataset!.id;
    expect(await question.answer(selected)).toBe(true);
    expect((await stored()).map(({ datasetIds }) => datasetIds)).toEqual([[], []]);
    expect(tab.said).toEqual(['2 images in dataset cups.', '2 images no longer in dataset cups.']);
  });

  it('goes into a dataset that there is', async () => {
    const { id } = await tab.service.owner.datasets.createDataset({ name: 'cups', organizationId: 'a' });
    question.ask('add');
    question.datasetId = id;
    expect(await question.answer(selected)).toBe(true);
    expect((await stored())[0]!.datasetIds).toEqual([id]);
  });

  it('is asked on where the new dataset could not be made', async () => {
    await tab.service.owner.datasets.createDataset({ name: 'cups', organizationId: 'a' });
    question.ask('add');
    question.newName = 'cups';
    expect(await question.answer(selected)).toBe(false);
    expect([question.action, question.failure?.message]).toEqual(['add', expect.stringContaining('cups')]);
    question.ask('tag');
    expect(question.failure).toBeNull();
    question.drop();
    expect([question.action, await question.answer(selected)]).toEqual([null, false]);
    expect(tab.said).toEqual([]);
  });
});
