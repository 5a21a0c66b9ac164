import { asStored } from '../../kit/picture/stored-picture.ts';

/** An address for the bytes of a stored image, for as long as the component lives in which it is made. */
export class StoredUrl {
  #url = $state<string | null>(null);
  #isGone = $state(false);

  /**
   * @param imageId of the image that is shown, which may change
   * @param bytesOf the bytes of an image; null: it was deleted
   */
  constructor(
    imageId: () => string,
    bytesOf: (imageId: string, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer> | null>,
  ) {
    $effect(() => {
      const stop = new AbortController();
      const id = imageId();
      this.#isGone = false;
      let made: string | null = null;
      void bytesOf(id, stop.signal)
        .then((bytes) => bytes && asStored(new Blob([bytes])))
        .then((stored) => {
          if (stop.signal.aborted) return;
          if (stored) this.#url = made = URL.createObjectURL(stored);
          else this.#isGone = true;
        })
        .catch(() => (this.#isGone = !stop.signal.aborted));
      return () => {
        stop.abort();
        if (made) URL.revokeObjectURL(made);
        this.#url = null;
      };
    });
  }

  /** null while it is read */
  get url(): string | null {
    return this.#url;
  }

  /** Whether the image can no longer be read. */
  get isGone(): boolean {
    return this.#isGone;
  }
}
