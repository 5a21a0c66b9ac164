import { compareAnswers } from './compare-answers.ts';
import { LinkError } from './link-error.ts';
import type { CaptureRequest, LiveCapture, LiveImage, LiveMachine } from './live-machine.ts';

/**
 * How a machine's word on the bytes of a frame is had.
 * - `with-the-frame`: its service saw just the bytes that come with the answer.
 * - `of-the-bytes`: the camera hands out pixels, which are encoded for the answer only. So the camera's image is sent back,
 *   and the service says what it makes of those bytes.
 */
export type AskingWay = 'with-the-frame' | 'of-the-bytes';

export interface Asking {
  readonly way: AskingWay;
  /** The first answer is there already: it is the one that showed the way. */
  readonly ask: () => Promise<LiveCapture>;
}

/** Finds out by one frame which way holds for a camera; `onImage` has that frame before the way is known. Rejects with LinkError. */
export async function chooseAsking(
  machine: LiveMachine,
  request: CaptureRequest,
  signal: AbortSignal,
  onImage: (image: LiveImage) => void = () => {},
): Promise<Asking> {
  const captured = await machine.captureAll(request, signal);
  const { image } = captured;
  onImage(image);
  const ofBytes = { image, ...(await machine.answerTo(image, request, signal)) };
  if (compareAnswers(ofBytes, captured).verdict === 'equal') {
    return { way: 'with-the-frame', ask: startingWith(ofBytes, () => machine.captureAll(request, signal)) };
  }
  const cameraName = request.cameraName || request.abilities.defaultCamera;
  const askOfBytes = async (): Promise<LiveCapture> => {
    const next = await nextImage(machine, cameraName, image.sourceName, signal);
    return { image: next, ...(await machine.answerTo(next, request, signal)) };
  };
  return { way: 'of-the-bytes', ask: startingWith(ofBytes, askOfBytes) };
}

function startingWith(first: LiveCapture, ask: () => Promise<LiveCapture>): () => Promise<LiveCapture> {
  let unused: LiveCapture | null = first;
  return async () => {
    const kept = unused;
    unused = null;
    return kept ?? ask();
  };
}

async function nextImage(machine: LiveMachine, cameraName: string, sourceName: string, signal: AbortSignal) {
  const images = await machine.images(cameraName, signal);
  const image = images.find((candidate) => candidate.sourceName === sourceName) ?? images[0];
  if (image) return image;
  throw new LinkError('failed', `Camera "${cameraName}" gave no image.`, 'See on the machine whether it works.');
}
