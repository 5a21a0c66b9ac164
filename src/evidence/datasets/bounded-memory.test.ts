import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { datasetItem, pngHeader } from '../../../tests/dataset-fixture.ts';
import { datasetFormats, type DatasetFormat } from './dataset-formats.ts';
import type { DatasetItem } from './item/dataset-item.ts';
import { exportDataset } from './export-dataset.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const count = 10_000;
const pictureBytes = 4096;

/** Items whose bytes are generated when they are read. Counts those that are not garbage collected yet, and how far ahead items are requested. */
class WatchedItems {
  readonly #pictures: WeakRef<Uint8Array>[] = [];
  readonly #items: WeakRef<DatasetItem>[] = [];
  made = 0;

  async *[Symbol.asyncIterator](): AsyncGenerator<DatasetItem> {
    for (let i = 0; i < count; i++) {
      this.made++;
      const item = datasetItem({
        fileName: `${i}.png`,
        sizePx: null, // unknown, so that the export also reads the header
        content: { sizeBytes: pictureBytes, read: () => this.#read() },
        boxes: [
          { label: `label ${i % 7}`, xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 },
        ],
      });
      this.#items.push(new WeakRef(item));
      yield item;
    }
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    const picture = new Uint8Array(pictureBytes);
    picture.set(pngHeader(64, 48));
    this.#pictures.push(new WeakRef(picture));
    yield picture;
  }

  live(): { items: number; pictures: number } {
    collectGarbage();
    const alive = (refs: readonly WeakRef<object>[]) => refs.filter((ref) => ref.deref() !== undefined).length;
    return { items: alive(this.#items), pictures: alive(this.#pictures) };
  }
}

describe.each(Object.keys(datasetFormats) as DatasetFormat[])('an export of ten thousand pictures as %s', (format) => {
  it('never holds more than the one that is written, and asks for none ahead', { timeout: 30_000 }, async () => {
    const items = new WatchedItems();
    let images = 0;
    for await (const { path, content } of exportDataset(format, items, { datasetName: 'd' })) {
      if (path.endsWith('.png')) images++;
      expect(items.made).toBe(images);
      for await (const _chunk of content.read());
      if (images % 2500 === 0) {
        await new Promise(setImmediate); // a WeakRef that was dereferenced in this turn keeps its target until the turn ends
        const { items: liveItems, pictures } = items.live();
        expect(liveItems).toBeLessThanOrEqual(2);
        expect(pictures).toBeLessThanOrEqual(2);
        if (images === count) break; // all pictures are seen: skip a collection for each label file
      }
    }
    expect(images).toBe(count);
  });
});
