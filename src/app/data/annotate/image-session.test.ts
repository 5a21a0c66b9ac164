import { expect, it } from 'vitest';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import { BoxDrafts } from './saving/box-drafts.ts';
import { ImageSessions } from './image-session.ts';

it('keeps the history of the images that were opened last, and of all that are not saved', async () => {
  const sessions = new ImageSessions({
    storeOf: (id) => ({
      load: async () => {
        if (id === 'unsaved') throw new Error('cut off');
        return [];
      },
      apply: async () => 'id',
    }),
    drafts: new BoxDrafts(memoryStorage()),
    exclusively: (_, work) => work(),
    onSaved: () => undefined,
  });
  const unsaved = sessions.open('unsaved');
  await unsaved.sync.save();
  const opened = [];
  for (let number = 0; number < 40; number++) {
    const session = sessions.open(String(number));
    await session.sync.save();
    opened.push(session);
  }
  expect(sessions.open('39')).toBe(opened[39]);
  expect(sessions.open('0')).not.toBe(opened[0]);
  expect(sessions.open('unsaved')).toBe(unsaved);
  sessions.close();
});
