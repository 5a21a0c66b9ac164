import { expect, it } from 'vitest';
import { Code, ConnectError } from '@connectrpc/connect';
import { openDataTab } from '../../../../../tests/data-tab-fixture.ts';
import { PipelineList } from './pipeline-list.svelte.ts';
import { PipelineDraft } from './pipeline-draft.svelte.ts';
import { PipelineEdits } from './pipeline-edits.svelte.ts';

async function openPipelines() {
  const tab = await openDataTab();
  const create = async (name: string): Promise<void> => {
    const draft = new PipelineDraft(tab.context);
    draft.name = name;
    expect(await draft.create()).not.toBeNull();
  };
  await create('night');
  await create('Day');
  tab.said.length = 0;
  return { ...tab, list: new PipelineList(tab.context), edits: new PipelineEdits(tab.context) };
}

const names = (list: PipelineList) => list.pipelines?.map(({ name, enabled }) => `${name}${enabled ? '' : ' (off)'}`);

it('lists pipelines by name', async () => {
  const { list } = await openPipelines();
  expect(list.pipelines).toBeNull();
  await list.read();
  expect(names(list)).toEqual(['Day', 'night']);
});

it('says why they could not be listed: at their place, or above what was listed before', async () => {
  const { context, reported, service } = await openPipelines();
  let isDown = true;
  const list = new PipelineList({
    ...context,
    pipelines: {
      ...context.pipelines,
      listDataPipelines: (...asked) =>
        isDown
          ? Promise.reject(new ConnectError('the host is out of reach', Code.Unavailable))
          : service.owner.pipelines.listDataPipelines(...asked),
    },
  });
  await list.read();
  expect([list.failure?.message, reported]).toEqual(['the host is out of reach', []]);
  isDown = false;
  await list.read();
  expect([list.failure, names(list)]).toEqual([null, ['Day', 'night']]);
  isDown = true;
  await list.read();
  expect([list.failure, names(list)]).toEqual([null, ['Day', 'night']]);
  expect(reported).toEqual(['The pipelines could not be listed. the host is out of reach']);
  await list.read(AbortSignal.abort());
  expect(reported).toHaveLength(1);
});

it('renames, turns off and on, and deletes', async () => {
  const { list, edits, said } = await openPipelines();
  await list.read();
  const [day, night] = list.pipelines!;
  expect(await edits.rename(day!, '  noon ')).toBe(true);
  expect(await edits.turn(night!, false)).toBe(true);
  await list.read();
  expect(names(list)).toEqual(['night (off)', 'noon']);
  expect(await edits.turn(night!, true)).toBe(true);
  expect(await edits.delete(day!)).toBe(true);
  await list.read();
  expect(names(list)).toEqual(['night']);
  expect(said).toEqual(['Renamed to noon.', 'night is off.', 'night is on.', 'Day deleted.']);
});

it('asks nothing for a name that is none, or the one that it has', async () => {
  const { list, edits, said } = await openPipelines();
  await list.read();
  for (const typed of ['', '  ', 'Day ']) expect(await edits.rename(list.pipelines![0]!, typed)).toBe(false);
  expect([said, edits.failure]).toEqual([[], null]);
});

it('says why a change was not made, until the next one is', async () => {
  const { list, edits, said } = await openPipelines();
  await list.read();
  const [day] = list.pipelines!;
  expect(await edits.rename(day!, 'night')).toBe(false);
  expect(edits.failure?.message).toMatch(/night/);
  edits.dismiss();
  expect(edits.failure).toBeNull();
  await edits.delete(day!);
  expect(await edits.delete(day!)).toBe(false);
  expect(edits.failure?.message).not.toBe('');
  expect(said).toEqual(['Day deleted.']);
  await edits.turn(list.pipelines![1]!, false);
  expect(edits.failure).toBeNull();
});
