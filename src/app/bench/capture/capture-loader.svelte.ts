import type { Component } from 'svelte';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { CapturedBench } from './captured-bench.ts';
import type { BenchCaptures } from './bench-captures.svelte.ts';
import { once } from '../../../base/schedule/once.ts';
import type { CaptureHost } from '../../captures/capture-host.ts';
import type { BenchDialog, CaptureAccess } from '../../captures/kept-captures.ts';

export interface OpenedCaptures {
  readonly captures: BenchCaptures;
  readonly Notice: Component<{ captures: BenchCaptures; onTray: () => void }>;
}

/**
 * Capturing before its code is loaded: the key and the button work from the first paint, and the rest is loaded
 * with the first use.
 */
export class CaptureLoader implements CaptureAccess {
  readonly #bench: CapturedBench;
  readonly #vision: Pick<VisionClient, 'capture' | 'startBurst' | 'onResult'>;
  readonly #openHost: () => Promise<CaptureHost>;
  opened = $state.raw<OpenedCaptures | null>(null);
  /** Why it could not be loaded. */
  fault: string = $state('');
  public benchDialog = $state.raw<BenchDialog | null>(null);

  constructor(
    bench: CapturedBench,
    vision: Pick<VisionClient, 'capture' | 'startBurst' | 'onResult'>,
    openHost: () => Promise<CaptureHost>,
  ) {
    this.#bench = bench;
    this.#vision = vision;
    this.#openHost = openHost;
  }

  showTray(): void {
    this.#bench.view.trayOpen = true;
    this.#bench.view.tab = 'captures';
  }

  dismissFault(): void {
    this.fault = '';
  }

  /** Loads the code and opens the store. Rejects if that fails; another call tries again. */
  readonly open = once(() =>
    this.#load().catch((error: unknown) => {
      this.fault = 'The part of the app that stores frames could not be loaded. Check the connection and try again.';
      throw error;
    }),
  );

  /** Captures the frame that is on the stage now, whatever follows. */
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
    this.opened = { captures: new BenchCaptures(this.#bench, this.#vision, host), Notice };
    this.fault = '';
    return this.opened;
  }
}
