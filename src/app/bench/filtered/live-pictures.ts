import type { KeptPlace } from '../../../evidence/footage/filtered/filtered-play.ts';

/** How many small pictures are held at most, each some kilobytes. */
const mostPictures = 400;

/** Small pictures of the frames that a filtered camera took: of which ones is known when the next frame comes. */
export class LivePictures {
  readonly #small: (picture: ImageBitmap) => string;
  readonly #held = new Map<KeptPlace, Promise<string>>();
  #newest: { readonly place: KeptPlace; readonly picture: Promise<ImageBitmap | null> } | null = null;

  /** @param small makes a data URL of a picture, which it takes over */
  constructor(small: (picture: ImageBitmap) => string) {
    this.#small = small;
  }

  /** The picture of a frame that was not taken yet, in place of the one before. */
  offer(place: KeptPlace, picture: Promise<ImageBitmap | null>): void {
    this.leave();
    this.#newest = { place, picture };
  }

  /** The frame was taken. */
  take(place: KeptPlace): void {
    if (this.#newest?.place !== place) return;
    const small = this.#newest.picture.then(
      (picture) => (picture ? this.#small(picture) : ''),
      () => '',
    );
    this.#newest = null;
    this.#held.set(place, small);
    const [oldest] = this.#held.keys();
    if (this.#held.size > mostPictures) this.#held.delete(oldest!);
  }

  /** '': there is none, or none any more. */
  of(place: KeptPlace): Promise<string> {
    return this.#held.get(place) ?? none;
  }

  /** The picture that was offered last is not taken. */
  leave(): void {
    this.#newest?.picture.then(
      (picture) => picture?.close(),
      () => undefined,
    );
    this.#newest = null;
  }
}

const none = Promise.resolve('');
