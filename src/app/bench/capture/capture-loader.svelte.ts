import type { Component } from 'svelte';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { CapturedBench } from './captured-bench.ts';
import type { BenchCaptures } from './bench-captures.svelte.ts';
import type { CaptureHost } from '../../captures/capture-host.ts';
import type { BenchDialog, CaptureAccess } from '../../captures/kept-captures.ts';

export interface OpenedCaptures {
  readonly captures: BenchCaptures;
  readonly Notice: Component<{ captures: BenchCaptures; onTray: () => void }>;
}

/** The part of capturing that is there from the first paint: the key and the button. The rest comes when one is used. */
export class CaptureLoader implements CaptureAccess {
  readonly #bench: CapturedBench;
  readonly #vision: Pick<VisionClient, 'capture' | 'startBurst' | 'onResult'>;
  readonly #openHost: () => Promise<CaptureHost>;
  #opening: Promise<OpenedCaptures> | null = null;
  #opened = $state.raw<OpenedCaptures | null>(null);
  #fault = $state('');
  benchDialog = $state.raw<BenchDialog | null>(null);

  constructor(
    bench: CapturedBench,
    vision: Pick<VisionClient, 'capture' | 'startBurst' | 'onResult'>,
    openHost: () => Promise<CaptureHost>,
  ) {
    this.#bench = bench;
    this.#vision = vision;
    this.#openHost = openHost;
  }

  get opened(): OpenedCaptures | null {
    return this.#opened;
  }
  /** Why it could not be opened. */
  get fault(): string {
    return this.#fault;
  }

  showTray(): void {
    this.#bench.view.trayOpen = true;
    this.#bench.view.tab = 'captures';
  }

  dismissFault(): void {
    this.#fault = '';
  }

  /** Fetches what keeps frames, and opens the store. Rejects where it cannot be fetched; asking again tries again. */
  open(): Promise<OpenedCaptures> {
    this.#opening ??= this.#load().catch((error: unknown) => {
      this.#opening = null;
      this.#fault = 'What keeps frames could not be fetched. Check the connection and try again.';
      throw error;
    });
    return this.#opening;
  }

  /** Keeps the frame that is on the stage now, whatever comes next. */
  async keep(): Promise<void> {
    const result = this.#bench.session.current;
    if (!result) return;
    const image = this.#vision.capture(result.frame);
    image.catch(() => undefined); // told by `keep`
    const opened = await this.open().catch(() => null);
    await opened?.captures.keep(result, image);
  }

  async #load(): Promise<OpenedCaptures> {
    const [host, { BenchCaptures }, { default: Notice }] = await Promise.all([
      this.#openHost(),
      import('./bench-captures.svelte.ts'),
      import('./CaptureNotice.svelte'),
    ]);
    this.#opened = { captures: new BenchCaptures(this.#bench, this.#vision, host), Notice };
    this.#fault = '';
    return this.#opened;
  }
}
