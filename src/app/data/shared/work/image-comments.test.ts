import { createRouterTransport } from '@connectrpc/connect';
import { beforeEach, expect, it } from 'vitest';
import { openLabelWork, type LabelWork } from '../../../../../tests/label-work-fixture.ts';
import { ImageComments } from './image-comments.svelte.ts';

let shared: LabelWork;
let comments: ImageComments;
beforeEach(async () => {
  shared = await openLabelWork();
  comments = new ImageComments(shared.ben);
  await comments.show(shared.images[0]!);
});

it('puts comments at places, points them out one after the other, and resolves them for everyone', async () => {
  comments.begin({ x: 0.5, y: 1.2 });
  comments.moveBy(0.1, -0.4);
  expect(comments.draft).toEqual({ x: 0.6, y: 0.6 });
  expect(await comments.add('Is that a cup?', '')).toBe(true);
  expect([comments.draft, comments.open.length]).toEqual([null, 1]);
  await comments.add('And the other one?', '');
  const [first, second] = comments.open;
  expect([first?.place, second?.place, first?.author?.name]).toMatchObject([
    { xNormalized: 0.6, yNormalized: 0.6 },
    undefined,
    'operator',
  ]);
  comments.chosenId = '';
  expect([comments.chooseNext(), comments.chooseNext(), comments.chooseNext()]).toEqual([first, second, first]);

  await comments.resolve(first!, true);
  expect(comments.open.map(({ text }) => text)).toEqual(['And the other one?']);
  const ada = new ImageComments(shared.ada);
  await ada.show(shared.images[0]!);
  expect(ada.list.map(({ text, resolved }) => `${text} ${resolved}`)).toEqual([
    'Is that a cup? true',
    'And the other one? false',
  ]);
});

it('keeps a comment that the service refuses', async () => {
  comments.begin({ x: 0, y: 0 });
  expect(await comments.add('x'.repeat(2001), '')).toBe(false);
  expect([comments.draft, comments.failure?.message]).toEqual([{ x: 0, y: 0 }, expect.stringMatching(/2000/)]);
  comments.drop();
  expect([comments.draft, comments.failure]).toEqual([null, null]);
});

it('offers none where the data service keeps none', async () => {
  const elsewhere = new ImageComments({ transport: createRouterTransport(() => undefined) });
  await elsewhere.show('a');
  expect(elsewhere.isOffered).toBe(false);
});
