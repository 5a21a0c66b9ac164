import { overlayFace, type TextFace } from '../../../machine/vision/face/traces.ts';

/** The font of the machine's overlays. @throws Error when the app's own file is missing */
export async function loadFont(documentBase: string): Promise<TextFace> {
  const response = await fetch(new URL('fonts/Go-Regular.ttf', documentBase));
  if (!response.ok) throw new Error(`The overlay font answered ${response.status}.`);
  return overlayFace(await response.arrayBuffer());
}
