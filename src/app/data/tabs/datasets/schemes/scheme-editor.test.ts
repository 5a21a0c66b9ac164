import { createRouterTransport } from '@connectrpc/connect';
import { beforeEach, expect, it } from 'vitest';
import { openLabelWork, type LabelWork } from '../../../../../../tests/label-work-fixture.ts';
import { SchemeEditor } from './scheme-editor.svelte.ts';
import { schemeEditorOf } from './scheme-editors.ts';

let shared: LabelWork;
let editor: SchemeEditor;
beforeEach(async () => {
  shared = await openLabelWork();
  editor = await open();
});
async function open(): Promise<SchemeEditor> {
  const opened = new SchemeEditor(shared.ada, shared.datasetId);
  await opened.read();
  return opened;
}
const names = (of = editor): string => of.labels!.map(({ name }) => name).join(' ');

it('adds, orders, changes and removes labels, and stores them when they are saved', async () => {
  expect([names(), editor.exists, editor.differs]).toEqual(['', false, false]);
  editor.add(['cup', 'hat', 'cup', '', 'pan']);
  editor.move(2, 0);
  editor.change(1, { color: '#1f77b4', attributes: [{ name: 'material', values: ['tin'] }] });
  editor.remove(2);
  expect([names(), editor.differs]).toEqual(['pan cup', true]);
  expect(await editor.save()).toBe(true);
  expect([editor.exists, editor.differs]).toEqual([true, false]);

  const later = await open();
  expect(later.labels).toEqual(editor.labels);
  later.add(['pot']);
  later.drop();
  expect(names(later)).toBe('pan cup');
  await later.delete();
  expect([(await open()).exists, later.exists]).toEqual([false, false]);
});

it('is not saved with a label twice or without a name, nor over what another saved meanwhile', async () => {
  editor.add(['cup', 'hat']);
  editor.change(1, { name: 'cup' });
  expect([await editor.save(), editor.hindrance]).toEqual([false, 'The label cup appears twice.']);
  editor.change(1, { name: ' ' });
  expect(editor.hindrance).toBe('A label has no name.');
  editor.change(1, { name: 'x'.repeat(201) });
  expect(editor.hindrance).toMatch(/^The label “x{20}…” has 201 characters; 200 are possible\.$/);
  editor.remove(1);

  const other = await open();
  other.add(['pan']);
  await other.save();
  expect(await editor.save()).toBe(false);
  expect([editor.failure?.cure, names()]).toEqual([expect.stringMatching(/changed from elsewhere/), 'cup']);
  await editor.read();
  expect([editor.failure, names(), editor.differs]).toEqual([null, 'cup pan', true]);
  expect(await editor.save()).toBe(true);
});

it('is the same again for each dataset of a host, with what is not saved, beside what others have saved', async () => {
  const first = schemeEditorOf(shared.ada, shared.datasetId);
  await first.read();
  first.add(['cup']);
  editor.add(['hat']);
  await editor.save();
  const again = schemeEditorOf(shared.ada, shared.datasetId);
  await again.read();
  expect([names(again), again.differs]).toEqual(['cup hat', true]);
  expect(schemeEditorOf(shared.ada, 'another')).not.toBe(again);
  expect(schemeEditorOf({ ...shared.ada }, shared.datasetId)).not.toBe(again);
});

it('keeps what each of two has changed, label by label', async () => {
  editor.add(['cup', 'hat', 'pan', 'pot']);
  await editor.save();
  const other = await open();
  other.change(0, { color: '#1f77b4' });
  other.change(1, { description: 'theirs' });
  other.remove(3);
  other.add(['jug']);
  await other.save();
  editor.change(1, { description: 'mine' });
  editor.remove(2);
  await editor.read();
  expect(names()).toBe('cup hat jug');
  expect(editor.labels).toMatchObject([{ color: '#1f77b4' }, { description: 'mine' }, {}]);
  editor.drop();
  await editor.read();
  expect([editor.labels, editor.differs]).toEqual([other.labels, false]);
});

it('takes the labels of a file, and says what it is that cannot be read', async () => {
  await editor.take(new Blob(['<View><Label value="cup" background="#FF0000"/></View>']));
  expect(editor.labels).toMatchObject([{ name: 'cup', color: '#ff0000' }]);
  await editor.take(new Blob(['{']));
  expect([editor.fault?.message, names()]).toEqual([expect.stringMatching(/not valid JSON/), 'cup']);
});

it('offers nothing where the data service keeps no schemes', async () => {
  const elsewhere = new SchemeEditor({ transport: createRouterTransport(() => undefined) }, 'd');
  await elsewhere.read();
  expect(elsewhere.isOffered).toBe(false);
});

it('keeps what models call the labels, and takes it of a file of its own form', async () => {
  const pairs = [{ label: 'cup', modelLabel: 'mug' }];
  const { labels } = shared.ada;
  await labels.putScheme({ datasetId: shared.datasetId, scheme: { pairs } });
  await editor.read();
  expect([names(), editor.pairs, editor.differs]).toEqual(['', pairs, false]);
  editor.add(['cup']);
  await editor.save();
  expect((await open()).pairs).toEqual(pairs);

  await editor.take(new Blob(['cup\nhat']));
  expect([names(), editor.pairs]).toEqual(['cup hat', pairs]);
  const other = [{ label: 'hat', modelLabel: 'cap' }];
  await editor.take(new Blob([JSON.stringify({ labels: [], pairs: other })]));
  expect([names(), editor.pairs, editor.differs]).toEqual(['', other, true]);
  editor.drop();
  expect(editor.pairs).toEqual(pairs);
  await editor.take(new Blob([JSON.stringify({ labels: [], pairs: other })]));
  await editor.read();
  expect([editor.pairs, editor.differs]).toEqual([other, true]);
  await editor.save();
  expect((await open()).pairs).toEqual(other);
});
