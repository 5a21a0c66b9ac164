import { addColorDetector as added } from '../../../../machine/config/face/edits.ts';
import type { ConfigState } from '../../config/config-state.svelte.ts';

/** Adds a colour detector to the configuration, behind the camera in force, and tunes it. */
export function addColorDetector(config: ConfigState): void {
  let name = '';
  const isAdded = config.edit('New colour detector', (text) => {
    const edited = added(text, config.service?.cameraName ?? '');
    name = edited.name;
    return edited.text;
  });
  if (isAdded) config.chooseVision(name);
}
