import { waitFor } from '../../../base/schedule/wait-for.ts';

/** WebKitGTK 2.50 gives a player no Blob of more than some MB (of 0.4 MB it does, of 2.3 MB not), and this many bytes within an address. */
const largestAddressBytes = 64 * 2 ** 20;

/** A player that has read nothing for seconds ("stalled") is given this long. */
const stalledMs = 10_000;

/**
 * Loads a file into an element until it shows its first frame: as a Blob, and where this browser's player cannot read that, as bytes
 * within the address. Gives what frees it. Rejects with what the element says.
 */
export async function loadVideo(video: HTMLVideoElement, file: Blob): Promise<() => void> {
  const url = URL.createObjectURL(file);
  const release = () => URL.revokeObjectURL(url);
  const isSmall = file.size <= largestAddressBytes;
  try {
    await firstFrame(video, url, isSmall ? 0 : stalledMs);
    return release;
  } catch (error) {
    release();
    if (!isSmall) throw error;
    await firstFrame(video, await addressOf(file), stalledMs);
    return () => {};
  }
}

function firstFrame(video: HTMLVideoElement, url: string, patienceMs: number): Promise<void> {
  const heard = new AbortController();
  return new Promise<void>((resolve, reject) => {
    const on = (event: string, told: () => void) => video.addEventListener(event, told, { signal: heard.signal });
    on('error', () => reject(video.error as unknown as Error));
    on('loadeddata', () => (video.videoWidth > 0 ? resolve() : reject(new Error('there are no pictures in it'))));
    on('stalled', () => {
      if (video.readyState === HTMLMediaElement.HAVE_NOTHING)
        void waitFor(patienceMs).then(() => reject(new Error('its player reads nothing of it')));
    });
    video.src = url;
  }).finally(() => heard.abort());
}

function addressOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error!);
    reader.readAsDataURL(file);
  });
}
