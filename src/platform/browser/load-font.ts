import type { OutlineFont } from '../../vision/overlay/outline-font.ts';
import { trueTypeFont } from '../../vision/overlay/true-type-font.ts';

/** The font of the machine's overlays. @throws Error when the app's own file is missing */
export async function loadFont(documentBase: string): Promise<OutlineFont> {
  const response = await fetch(new URL('fonts/Go-Regular.ttf', documentBase));
  if (!response.ok) throw new Error(`The overlay font answered ${response.status}.`);
  return trueTypeFont(await response.arrayBuffer());
}
