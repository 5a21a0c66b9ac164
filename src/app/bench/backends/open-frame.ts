import type { NamedPicture } from '../../../../workers/backends/client.ts';
import type { BackendsBench } from './backends-bench.ts';

/** Shows a compared frame on the stage: a picture of the strip as it is, a frame of a stream as a picture of its own. */
export async function openFrame({ sources }: Pick<BackendsBench, 'sources'>, { name, content }: NamedPicture) {
  const index = sources.kind === 'stills' ? sources.stills.frames.findIndex((still) => still.name === name) : -1;
  if (index >= 0) return sources.selectStill(index);
  await sources.add([{ name: `${name}.png`, blob: async () => content }], []);
}
