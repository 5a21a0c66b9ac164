import { expect, it } from 'vitest';
import type { LabelPair } from '../../../evidence/datasets/label-schemes/label-scheme.ts';
import { LabelPairs } from './label-pairs.svelte.ts';

const sofa = { label: 'couch', modelLabel: 'sofa' };
const screen = { label: 'tv', modelLabel: 'screen' };

function memory() {
  const kept = new Map<string, string>();
  return { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, text: string) => void kept.set(key, text) }; // prettier-ignore
}

/** Sets of which pairs are read and kept when it is said. */
function sets(kept: Record<string, readonly LabelPair[] | null>) {
  const waiting: (() => void)[] = [];
  const state = { isHeld: false, fails: '' };
  const wait = async (): Promise<void> => {
    if (state.isHeld) await new Promise<void>((resolve) => void waiting.push(resolve));
    if (state.fails) throw new Error(state.fails);
  };
  return {
    kept,
    state,
    release: () => waiting.splice(0).forEach((one) => one()),
    source: {
      async pairs(id: string) {
        const pairs = kept[id] ?? null;
        await wait();
        return pairs;
      },
      async keepPairs(id: string, pairs: readonly LabelPair[]) {
        await wait();
        kept[id] = pairs;
      },
    },
  };
}

it('are read with a set, kept with it, and taken back change by change', async () => {
  const { source, kept } = sets({ yard: [sofa], other: [] });
  const names = new LabelPairs(memory());
  await names.read(source, 'yard');
  expect([names.kept, names.canUndo]).toEqual([[sofa], false]);
  await names.change([sofa, screen]);
  await names.change([]);
  expect(kept['yard']).toEqual([]);
  await names.undo();
  expect([names.kept, kept['yard']]).toEqual([
    [sofa, screen],
    [sofa, screen],
  ]);
  await names.read(source, 'other');
  expect([names.kept, names.canUndo]).toEqual([[], false]);
  await names.undo();
  expect(kept).toEqual({ yard: [sofa, screen], other: [] });
});

it('are kept in this browser where nothing can be kept with a set', async () => {
  const { source } = sets({ captures: null });
  const store = memory();
  const names = new LabelPairs(store);
  await names.read(source, 'captures');
  await names.change([sofa]);
  const later = new LabelPairs(store);
  await later.read(source, 'boxed');
  expect(later.kept).toEqual([]);
  await later.read(source, 'captures');
  expect(later.kept).toEqual([sofa]);
  await later.change([]);
  await names.read(source, 'captures');
  expect(names.kept).toEqual([]);
});

it('are not those of a set that was left, nor older than a change', async () => {
  const { source, kept, state, release } = sets({ yard: [sofa], other: [screen] });
  const names = new LabelPairs(memory());
  state.isHeld = true;
  const late = names.read(source, 'yard');
  await Promise.resolve();
  state.isHeld = false;
  await names.read(source, 'other');
  release();
  await late;
  expect(names.kept).toEqual([screen]);

  state.isHeld = true;
  const reading = names.read(source, 'other');
  await Promise.resolve();
  state.isHeld = false;
  await names.change([]);
  release();
  await reading;
  expect([names.kept, kept['other']]).toEqual([[], []]);
});

it('count though they could not be kept, which is said', async () => {
  const { source, kept, state } = sets({ yard: [] });
  const names = new LabelPairs(memory());
  await names.read(source, 'yard');
  state.fails = 'The connection is gone.';
  await names.change([sofa]);
  expect([names.kept, names.failure?.message, kept['yard']]).toEqual([[sofa], 'The connection is gone.', []]);
  state.fails = '';
  await names.change([sofa, screen]);
  expect([names.failure, kept['yard']]).toEqual([null, [sofa, screen]]);
});

it('are kept in the order of the changes', async () => {
  const { source, kept, state, release } = sets({ yard: [] });
  const names = new LabelPairs(memory());
  await names.read(source, 'yard');
  state.isHeld = true;
  const first = names.change([sofa]);
  await Promise.resolve();
  state.isHeld = false;
  const second = names.change([screen]);
  release();
  await Promise.all([first, second]);
  expect(kept['yard']).toEqual([screen]);
});

it('are read behind the changes that are being kept', async () => {
  const { source, state, release } = sets({ yard: [] });
  const names = new LabelPairs(memory());
  await names.read(source, 'yard');
  state.isHeld = true;
  const writing = names.change([sofa]);
  await Promise.resolve();
  state.isHeld = false;
  const reading = names.read(source, 'yard');
  release();
  await Promise.all([writing, reading]);
  expect(names.kept).toEqual([sofa]);
});

it('say nothing of a set that was left: not that its names could not be kept', async () => {
  const { source, state, release } = sets({ yard: [], other: [screen] });
  const names = new LabelPairs(memory());
  await names.read(source, 'yard');
  state.isHeld = true;
  const writing = names.change([sofa]);
  await Promise.resolve();
  const reading = names.read(source, 'other');
  state.fails = 'The connection is gone.';
  release();
  await writing;
  expect(names.failure).toBeNull();
  state.fails = '';
  release();
  await reading;
  expect(names.kept).toEqual([screen]);
});

it('are kept in this browser for 200 sets, those that were changed last', async () => {
  const { source } = sets({});
  const store = memory();
  store.setItem('sightglass:label-pairs', JSON.stringify(Array.from({ length: 200 }, (_, at) => [`${at}`, [screen]])));
  const names = new LabelPairs(store);
  await names.read(source, 'new');
  await names.change([sofa]);
  const kept = JSON.parse(store.getItem('sightglass:label-pairs')!) as [string, unknown][];
  expect([kept.length, kept[0], kept.at(-1)![0]]).toEqual([200, ['new', [sofa]], '198']);
});
