import { compareAnswers } from './compare-answers.ts';
import { LinkError } from './link-error.ts';
import type { CaptureRequest, LiveCapture, LiveImage, LiveMachine } from './live-machine.ts';
import { sameBytes } from './same-bytes.ts';

/**
 * How a machine's word on the bytes of a frame is had.
 * - `with-the-frame`: its service saw just the bytes that come with the answer.
 * - `of-the-bytes`: the camera hands out pixels, which are encoded for the answer only. So the camera's image is sent back,
 *   and the service says what it makes of those bytes.
 * - `both-ways`: no frame so far could tell which of them holds, so the service is asked about the bytes of each frame too.
 */
export type AskingMethod = 'with-the-frame' | 'of-the-bytes' | 'both-ways';

export interface Asking {
  /** how the service is asked, as far as the frames so far could tell */
  readonly way: AskingMethod;
  /** A frame, and what the machine says of its bytes. */
  readonly ask: () => Promise<LiveCapture>;
  /** The same frame with what the service says of its bytes when they are sent to it, unless that is what was asked already. */
  readonly confirm: (capture: LiveCapture) => Promise<LiveCapture>;
}

/**
 * So many different pictures with the same results both ways, to the last digit, show that the service sees the bytes themselves. One
 * is not enough: coarse scores, as of a quantized model, may be the same of slightly different pixels.
 */
const tellingPictures = 3;

/** Asks for the first frame; `onImage` has it before the machine has said what it makes of its bytes. Rejects with LinkError. */
export async function chooseAsking(
  machine: LiveMachine,
  request: CaptureRequest,
  signal: AbortSignal,
  onImage: (image: LiveImage) => void = () => {},
): Promise<Asking> {
  const asking = new CameraAsking(machine, request, signal);
  let first: LiveCapture | null = await asking.askBothWays(onImage);
  return {
    get way() {
      return asking.way;
    },
    ask() {
      const kept = first;
      first = null;
      return kept ? Promise.resolve(kept) : asking.ask();
    },
    confirm: (capture) => asking.confirm(capture),
  };
}

class CameraAsking {
  readonly #machine: LiveMachine;
  readonly #request: CaptureRequest;
  readonly #signal: AbortSignal;
  /** the last frame that was asked about both ways */
  #last: { readonly captured: LiveCapture; readonly ofBytes: LiveCapture } | null = null;
  #told = 0;
  /** captures whose answer came with the frame */
  readonly #unconfirmed = new WeakSet<LiveCapture>();
  way: AskingMethod = 'both-ways';

  constructor(machine: LiveMachine, request: CaptureRequest, signal: AbortSignal) {
    this.#machine = machine;
    this.#request = request;
    this.#signal = signal;
  }

  async ask(): Promise<LiveCapture> {
    if (this.way === 'both-ways') return this.askBothWays(() => {});
    if (this.way === 'of-the-bytes') return this.#ofBytes(await this.#nextImage());
    const captured = await this.#machine.captureAll(this.#request, this.#signal);
    this.#unconfirmed.add(captured);
    return captured;
  }

  async askBothWays(onImage: (image: LiveImage) => void): Promise<LiveCapture> {
    const captured = await this.#machine.captureAll(this.#request, this.#signal);
    onImage(captured.image);
    // A camera that stands still shows the same picture again: of that, both answers are known.
    if (this.#last && isSameCapture(captured, this.#last.captured)) return this.#last.ofBytes;
    const ofBytes = await this.#ofBytes(captured.image);
    this.#last = { captured, ofBytes };
    const { verdict, rows } = compareAnswers(ofBytes, captured);
    if (verdict !== 'equal') this.way = 'of-the-bytes';
    else if (rows > 0 && ++this.#told === tellingPictures) this.way = 'with-the-frame';
    return ofBytes;
  }

  async confirm(capture: LiveCapture): Promise<LiveCapture> {
    if (!this.#unconfirmed.has(capture)) return capture;
    const ofBytes = await this.#ofBytes(capture.image);
    if (compareAnswers(ofBytes, capture).verdict !== 'equal') this.way = 'of-the-bytes';
    return ofBytes;
  }

  async #ofBytes(image: LiveImage): Promise<LiveCapture> {
    return { image, ...(await this.#machine.answerTo(image, this.#request, this.#signal)) };
  }

  async #nextImage(): Promise<LiveImage> {
    const cameraName = this.#request.cameraName || this.#request.abilities.defaultCamera;
    const images = await this.#machine.images(cameraName, this.#signal);
    const sourceName = this.#last?.captured.image.sourceName;
    const image = images.find((candidate) => candidate.sourceName === sourceName) ?? images[0];
    if (image) return image;
    throw new LinkError('failed', `Camera "${cameraName}" gave no image.`, 'See on the machine whether it works.');
  }
}

/** The answers count too: the machine may have another configuration meanwhile. */
function isSameCapture(a: LiveCapture, b: LiveCapture): boolean {
  return sameBytes(a.image.bytes, b.image.bytes) && compareAnswers(a, b).verdict === 'equal';
}
