import { timeText } from '../../../kit/words/figures.ts';
import { describe, expect, it } from 'vitest';
import { startTime, uploadPicture } from '../../../../../tests/data-service-fixture.ts';
import { openDataTab } from '../../../../../tests/data-tab-fixture.ts';
import { createSignedLink } from './create-signed-link.ts';
import { StoredFileEdits } from './stored-file-edits.svelte.ts';
import { StoredFileState } from './stored-file-state.svelte.ts';
import { storedItem } from '../items/stored-item.ts';

async function openFile(metadata: Parameters<typeof uploadPicture>[1] = {}) {
  const tab = await openDataTab();
  const id = await uploadPicture(tab.service.owner, metadata);
  const file = new StoredFileState(tab.context);
  let changes = 0;
  const edits = new StoredFileEdits(tab.context, () => (changes += 1));
  await file.show(id);
  return { ...tab, id, file, edits, item: () => storedItem(file.metadata!), changes: () => changes };
}

describe('a stored file', () => {
  it('is read, and nothing of the one before is shown meanwhile', async () => {
    const { file, id, service } = await openFile({ fileName: 'one.png' });
    expect([file.metadata?.binaryDataId, file.metadata?.fileName]).toEqual([id, 'one.png']);
    const other = await uploadPicture(service.owner, { fileName: 'two.png' }, startTime, 'other pixels');
    const showing = file.show(other);
    expect(file.metadata).toBeNull();
    await showing;
    expect(file.metadata?.fileName).toBe('two.png');
    await file.show('a/lab/none');
    expect([file.metadata, file.failure?.message]).toEqual([
      null,
      'It has been deleted, and is no longer stored here.',
    ]);
    await file.show(id);
    expect(file.failure).toBeNull();
  });

  it('that answers late does not take the place of the one that is looked at', async () => {
    const { file, id, service } = await openFile();
    const other = await uploadPicture(service.owner, { fileName: 'two.png' }, startTime, 'other pixels');
    const late = [file.show('a/lab/none'), file.show(id)];
    await file.show(other);
    await Promise.all(late);
    expect([file.metadata?.binaryDataId, file.failure]).toEqual([other, null]);
  });

  it('has the tags that it is left, and others are taken off', async () => {
    const { file, edits, item, changes } = await openFile({ tags: ['dusk', 'dawn'] });
    await edits.setTags(item(), ['dawn', 'noon']);
    await file.refresh();
    expect([item().tags, changes()]).toEqual([['dawn', 'noon'], 1]);
    await edits.setTags(item(), []);
    await file.refresh();
    expect([item().tags, changes()]).toEqual([[], 2]);
  });

  it('goes into a dataset and out of it, and a dataset is no tag', async () => {
    const { file, edits, item, service, changes } = await openFile({ tags: ['dusk'] });
    const { id: datasetId } = await service.owner.datasets.createDataset({ name: 'cups', organizationId: 'a' });
    await edits.addToDataset(item(), datasetId);
    await file.refresh();
    expect(item().datasetIds).toEqual([datasetId]);
    await edits.setTags(item(), item().tags);
    await edits.removeFromDataset(item(), datasetId);
    await file.refresh();
    expect([item().datasetIds, item().tags, changes()]).toEqual([[], ['dusk'], 3]);
  });

  it('that is gone is not edited, and it is said why', async () => {
    const { edits, item, service, changes, id } = await openFile();
    const gone = item();
    await service.owner.data.deleteBinaryDataByIDs({ binaryDataIds: [id] });
    await edits.setTags(gone, ['dusk']);
    expect([edits.failure?.message, changes()]).toEqual([expect.stringContaining(id), 0]);
    edits.dismiss();
    expect(edits.failure).toBeNull();
    const downloading = edits.download(gone);
    expect(edits.isDownloading).toBe(true);
    await downloading;
    expect([edits.isDownloading, edits.failure?.message]).toEqual([false, expect.stringContaining(id)]);
  });

  it('has a link without a key, with why it opens nothing here', async () => {
    const { context, id } = await openFile();
    const link = await createSignedLink(context, id, 60);
    expect(link.url).toMatch(/^https:\/\/data\.example\//);
    expect(link.trouble).toBeNull();
    expect(link.until).toBe(timeText(startTime / 1000 + 3600_000));
    const blocked = await createSignedLink({ ...context, linkTrouble: async () => 'No worker.' }, id, 0);
    expect([blocked.trouble, blocked.until]).toEqual(['No worker.', timeText(startTime / 1000 + 15 * 60_000)]);
  });
});
