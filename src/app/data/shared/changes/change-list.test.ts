import { createRouterTransport } from '@connectrpc/connect';
import { beforeEach, expect, it } from 'vitest';
import { openDataTab, type TestTab } from '../../../../../tests/data-tab-fixture.ts';
import { FilterOptions } from '../filters/filter-options.svelte.ts';
import { everyChange } from './change-filter.ts';
import { ChangeList } from './change-list.svelte.ts';

let tab: TestTab;
beforeEach(async () => {
  tab = await openDataTab();
  const { owner, time } = tab.service;
  for (let n = 0; n < 5; n++) {
    time.now += 1e6;
    await owner.datasets.createDataset({ organizationId: 'a', name: `set ${n}` });
  }
});

const onlyDatasets = { ...everyChange, what: 'dataset' };
const namesOf = ({ changes }: ChangeList): string[] => changes.map(({ objectName }) => objectName);

it('reads the newest first, a page when it is looked for', async () => {
  const list = new ChangeList(tab.context, 2);
  await list.show(onlyDatasets);
  expect([namesOf(list), list.isWhole]).toEqual([['set 4', 'set 3'], false]);
  await Promise.all([list.more(), list.more()]);
  expect(namesOf(list)).toEqual(['set 4', 'set 3', 'set 2', 'set 1']);
  await list.more();
  await list.more();
  expect([namesOf(list).length, list.isWhole, list.isReading]).toEqual([5, true, false]);
});

it('begins anew with another filter, and forgets what comes too late', async () => {
  const list = new ChangeList(tab.context, 2);
  const late = list.show(everyChange);
  await list.show({ ...onlyDatasets, who: 'service:' });
  await late;
  expect([namesOf(list), list.isWhole]).toEqual([[], true]);
});

it('knows who may be chosen, and finds the names of datasets where filters have them', async () => {
  const list = new ChangeList(tab.context);
  await list.show(onlyDatasets);
  await list.readActors(new AbortController().signal);
  expect(list.actors.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['key owner', 'service ']);
  const options = new FilterOptions(tab.context);
  await options.readDatasets();
  expect(options.nameOfDataset(list.changes[0]!.objectId)).toBe('set 4');
  expect(options.nameOfDataset('other')).toBe('other');
});

it('saves every change of a filter as a line of JSON, whatever was read', async () => {
  const list = new ChangeList(tab.context, 2);
  await list.show(onlyDatasets);
  const counts: number[] = [];
  const blob = await list.save(onlyDatasets, new AbortController().signal, (count) => counts.push(count));
  const lines = (await blob.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ objectName }) => objectName)).toEqual(['set 4', 'set 3', 'set 2', 'set 1', 'set 0']);
  expect(lines[0]).toMatchObject({ what: 'dataset', actor: { kind: 'key', name: 'owner' }, after: { name: 'set 4' } });
  expect(counts).toEqual([5]);
});

it('says why changes cannot be read, and where a service has none', async () => {
  const stranger = { ...tab.context, home: { ...tab.context.home, organizationId: 'b' } };
  const refused = new ChangeList(stranger);
  await refused.show(everyChange);
  expect(refused.failure?.message).toMatch(/organization b/);
  expect(refused.isUntold).toBe(false);
  await refused.readActors(new AbortController().signal);
  expect(refused.actors).toEqual([]);
  const elsewhere = new ChangeList({ ...tab.context, transport: createRouterTransport(() => undefined) });
  await elsewhere.show(everyChange);
  expect([elsewhere.isUntold, elsewhere.failure]).toEqual([true, null]);
});
