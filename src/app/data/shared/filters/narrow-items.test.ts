import { describe, expect, it } from 'vitest';
import type { PageSource } from '../items/paged-rows.svelte.ts';
import type { StoredItem } from '../items/stored-item.ts';
import { emptyFilter, type DataFilter } from './data-filter.ts';
import { isNarrowed, narrowItems, narrowsHere } from './narrow-items.ts';

const box = (confidence: number | null) => ({
  label: 'cup',
  confidence,
  xMinNormalized: 0,
  yMinNormalized: 0,
  xMaxNormalized: 1,
  yMaxNormalized: 1,
});
const item = (name: string, sizeBytes: number, ...confidences: (number | null)[]): StoredItem => ({
  id: name,
  name,
  mimeType: 'image/png',
  sizeBytes,
  timeMs: 0,
  tags: [],
  datasetIds: [],
  boxCount: confidences.length,
  boxes: confidences.map(box),
});
const items = [
  item('IMG_1.png', 10_000),
  item('img_2.png', 20_000, null),
  item('yard.png', 30_000, 0.9, 0.3),
  item('gate.png', 2_000_000, 0.5, null, null),
];

describe('a filter that the service has no word for', () => {
  it.each<[Partial<DataFilter>, string[]]>([
    [{ fileName: 'img' }, ['IMG_1.png', 'img_2.png']],
    [{ boxesMin: '1' }, ['img_2.png', 'yard.png', 'gate.png']],
    [{ boxesMin: '0', boxesMax: '0' }, ['IMG_1.png']],
    [{ boxesMin: '2', boxesMax: '2' }, ['yard.png']],
    [{ confidenceMin: '0.8' }, ['yard.png']],
    [{ confidenceMax: '0.4' }, ['yard.png']],
    [{ confidenceMin: '0.4', confidenceMax: '0.6' }, ['gate.png']],
    [{ sizeMin: '20', sizeMax: '30' }, ['img_2.png', 'yard.png']],
    [{ madeBy: 'person' }, ['img_2.png', 'gate.png']],
    [{ madeBy: 'model' }, ['yard.png', 'gate.png']],
    [{ madeBy: 'person', fileName: 'GATE', boxesMin: '3' }, ['gate.png']],
  ])('%j gives %j', (part, names) => {
    const filter = { ...emptyFilter, ...part };
    expect(narrowsHere(filter)).toBe(true);
    expect(items.filter((one) => isNarrowed(one, filter)).map(({ name }) => name)).toEqual(names);
  });

  it('is none where only what the service knows is asked for', () => {
    expect(narrowsHere({ ...emptyFilter, tags: ['a'], boxLabels: ['cup'], datasetId: 'd' })).toBe(false);
  });
});

describe('narrowed items', () => {
  const all = Array.from({ length: 2500 }, (_, at) => item(`${at}.png`, 1));
  let asked = 0;
  const source: PageSource<StoredItem> = {
    count: async () => ({ count: all.length, totalSizeBytes: 0 }),
    async page({ last, limit }) {
      asked++;
      const rows = all.slice(Number(last || 0), Number(last || 0) + limit);
      return { rows, last: rows.length < limit ? '' : String(Number(last || 0) + rows.length) };
    },
  };
  const { signal } = new AbortController();
  const isMeant = ({ name }: StoredItem) => name.endsWith('7.png');

  it('are counted and paged from both ends, and read once for it', async () => {
    asked = 0;
    const narrowed = narrowItems(source, isMeant);
    const [{ count, totalSizeBytes }, first] = await Promise.all([
      narrowed.count(signal),
      narrowed.page({ last: '', limit: 100, reverse: false }, signal),
    ]);
    expect([count, totalSizeBytes, asked]).toEqual([250, 250, 3]);
    expect([first.rows[0]!.name, first.rows.length]).toEqual(['7.png', 100]);
    const second = await narrowed.page({ last: first.last, limit: 200, reverse: false }, signal);
    expect([second.rows[0]!.name, second.rows.length]).toEqual(['1007.png', 150]);
    const end = await narrowed.page({ last: second.last, limit: 200, reverse: false }, signal);
    expect(end).toEqual({ rows: [], last: '' });
    const back = await narrowed.page({ last: '', limit: 2, reverse: true }, signal);
    expect(back.rows.map(({ name }) => name)).toEqual(['2497.png', '2487.png']);
    const further = await narrowed.page({ last: back.last, limit: 1, reverse: true }, signal);
    expect([further.rows[0]!.name, asked]).toEqual(['2477.png', 3]);
    await narrowed.count(signal);
    expect(asked).toBe(6);
  });

  it('are read anew by a list after one that was closed while it read them', async () => {
    const untilAborted: PageSource<StoredItem> = {
      ...source,
      async page(request, stop) {
        const page = await source.page(request, stop);
        stop.throwIfAborted();
        return page;
      },
    };
    const narrowed = narrowItems(untilAborted, isMeant);
    const left = new AbortController();
    const first = narrowed.count(left.signal);
    left.abort(new Error('closed'));
    const second = narrowed.count(signal);
    await expect(first).rejects.toThrow('closed');
    expect((await second).count).toBe(250);
  });

  it('are asked for again after a failure', async () => {
    let isDown = true;
    const shaky = {
      ...source,
      page: (...request: Parameters<typeof source.page>) =>
        isDown ? Promise.reject(new Error('down')) : source.page(...request),
    };
    const narrowed = narrowItems(shaky, isMeant);
    await expect(narrowed.count(signal)).rejects.toThrow('down');
    isDown = false;
    expect((await narrowed.count(signal)).count).toBe(250);
  });
});
