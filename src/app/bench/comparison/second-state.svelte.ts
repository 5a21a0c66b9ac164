import type { Component } from 'svelte';
import type { ServiceBeside } from '../../../../workers/vision/protocol.ts';
import { once } from '../../../base/schedule/once.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import type { StageComparison } from './stage-comparison.svelte.ts';
import type { ComparisonBench } from './comparison-bench.ts';
import type { Second, SecondChoice } from './second.ts';

export interface OpenedComparison {
  readonly comparison: StageComparison;
  readonly Bar: Component<{ comparison: StageComparison }>;
  readonly Boxes: Component<{ comparison: StageComparison }>;
}

const KEY = 'second';

/** The second configuration on the stage, "B", before the code that draws it is loaded. */
export class SecondState implements SecondChoice {
  readonly #bench: ComparisonBench;
  readonly #memory: MemoryPort;
  #chosen = $state.raw<Second | null>(null);
  #fault = $state('');
  #opened = $state.raw<OpenedComparison | null>(null);

  constructor(bench: ComparisonBench, memory: MemoryPort) {
    this.#bench = bench;
    this.#memory = memory;
    this.#chosen = recall(memory, KEY) as Second | null; // read with care once the rest is loaded
  }

  get chosen(): Second | null {
    return this.#chosen;
  }

  /** null: not chosen yet, or still loading */
  get opened(): OpenedComparison | null {
    return this.#chosen && this.#opened;
  }

  /** What runs beside the tuned service on every frame; null: nothing. */
  get beside(): ServiceBeside | null {
    return this.opened?.comparison.beside ?? null;
  }

  /** Why it could not be loaded; '': it could. */
  get fault(): string {
    return this.#fault;
  }

  dismissFault(): void {
    this.#fault = '';
  }

  choose(second: Second | null): void {
    this.#chosen = second;
    remember(this.#memory, KEY, second);
  }

  pin(): void {
    const { filter, visionName } = this.#bench.config;
    const { defaultMinimumConfidence, labelConfidences } = filter;
    const rule = { defaultMinimumConfidence, labelConfidences };
    this.choose({ kind: 'pin', visionName: visionName ?? '', rule, atMs: Date.now() });
  }

  /** Starts with the thresholds of this moment, or ends. */
  toggle(): void {
    if (this.#chosen) this.choose(null);
    else this.pin();
  }

  /**
   * Loads what draws the comparison, and the model that the configuration names for B. After a failure the comparison
   * ends, and the next one loads again.
   */
  async open(): Promise<void> {
    try {
      await this.#load();
      this.#opened?.comparison.bringModel();
    } catch {
      this.choose(null);
      this.#fault = 'The comparison could not be fetched. Check the connection and start it again.';
    }
  }

  readonly #load = once(async () => {
    const [{ StageComparison }, { isSecond }, { default: Bar }, { default: Boxes }] = await Promise.all([
      import('./stage-comparison.svelte.ts'),
      import('./second.ts'),
      import('./ComparisonBar.svelte'),
      import('./SecondBoxes.svelte'),
    ]);
    if (!isSecond(this.#chosen)) this.choose(null);
    this.#opened = { comparison: new StageComparison(this.#bench, this), Bar, Boxes };
  });
}
