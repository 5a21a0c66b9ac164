import type { NamedPicture } from '../../../../workers/backends/client.ts';
import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import type { BackendsBench } from './backends-bench.ts';

/** After so long without a frame a stream has ended, or stands still: what came is compared. */
const patienceMs = 5000;

/** Lossless: what is compared is what the model saw. */
const encoding = { mediaType: 'image/png' } as const;

/**
 * Gathers frames of the source on the stage: its pictures from the one that is shown on, or the frame of a stream and those that follow.
 * @param most 1 or more
 * @throws what reading a picture throws; the signal's reason
 */
export async function gatherFrames(
  { sources, vision, session }: Pick<BackendsBench, 'sources' | 'vision' | 'session'>,
  most: number,
  onFrame: (count: number) => void,
  signal: AbortSignal,
): Promise<NamedPicture[]> {
  const gathered: NamedPicture[] = [];
  const take = (name: string, content: Blob): void => {
    gathered.push({ name, content });
    onFrame(gathered.length);
  };
  if (sources.kind === 'stills') {
    const { frames, index } = sources.stills;
    for (const still of [...frames.slice(index), ...frames.slice(0, index)].slice(0, most)) {
      signal.throwIfAborted();
      take(still.name, await still.blob());
    }
    return gathered;
  }
  if (!sources.isStreaming) {
    const shown = await vision.currentFrame();
    signal.throwIfAborted();
    if (shown) take(session.current?.frame.name ?? sources.title, shown);
    return gathered;
  }
  await new Promise<void>((resolve, reject) => {
    let isOver = false;
    let idle = setTimeout(() => end(), patienceMs);
    const stopListening = vision.onResult((result) => void taken(result));
    const end = (error?: unknown): void => {
      if (isOver) return;
      isOver = true;
      stopListening();
      clearTimeout(idle);
      signal.removeEventListener('abort', give);
      if (error === undefined) resolve();
      else reject(error as Error);
    };
    const give = (): void => end(signal.reason);
    signal.addEventListener('abort', give);
    if (signal.aborted) give();
    async function taken({ frame }: FrameResult): Promise<void> {
      const kept = await vision.capture(frame, encoding).catch(() => null); // it went by: another comes
      if (isOver || !kept) return;
      take(`${frame.name} ${frame.index}`, kept.content);
      clearTimeout(idle);
      idle = setTimeout(() => end(), patienceMs);
      if (gathered.length >= most) end();
    }
  });
  return gathered;
}
