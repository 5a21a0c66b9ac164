import { openMemory, recall, remember, type MemoryPort } from '../../../kit/memory/remembered.ts';
import type { DataContext } from '../../context/data-context.ts';
import { memoizeByObject } from '../../../../base/schedule/memoize-by-object.ts';

const MEMORY_KEY = 'grid-boxes';

/** Whether grids draw the boxes of their pictures: one switch for all grids, kept in the browser. */
class GridBoxes {
  readonly #memory: MemoryPort;
  areShown: boolean = $state(true);

  constructor(memory: MemoryPort) {
    this.#memory = memory;
    this.areShown = recall(memory, MEMORY_KEY) !== false;
  }

  toggle(): void {
    this.areShown = !this.areShown;
    remember(this.#memory, MEMORY_KEY, this.areShown);
  }
}

export const gridBoxesOf = memoizeByObject((_: DataContext) => new GridBoxes(openMemory(() => localStorage)));
