import type { Frame } from '../frame/frame.ts';
import { toRgba8, type Rgba8Frame } from '../frame/frame-formats.ts';
import { overlayColor, type DisplayList } from './display-list.ts';
import type { TextFace } from './font/text-face.ts';
import { OverlayLayer } from './overlay-layer.ts';

/** Paints the list onto a copy of the frame, as 8-bit RGBA. The same pixels on every host and on the machine: nothing is left to a canvas. */
export function paint(frame: Frame, displayList: DisplayList, face: TextFace): Rgba8Frame {
  const source = toRgba8(frame);
  if (displayList.length === 0) return source;
  const layer = new OverlayLayer(source);
  for (const item of displayList) {
    if (item.kind === 'box') layer.addBox(item);
    else layer.addText(item, face);
  }
  return { ...source, samples: blend(source.samples, layer) };
}

/**
 * Composes the layer over straight-alpha samples in the 16 bits of Go's image/draw. The machine uses the layer as
 * its own mask, so coverage counts twice: a half-covered pixel gets a quarter of the colour.
 */
function blend(samples: Uint8ClampedArray, layer: OverlayLayer): Uint8ClampedArray<ArrayBuffer> {
  const into = new Uint8ClampedArray(samples);
  for (let y = 0; y < layer.heightPx; y++) {
    for (let x = layer.rowStarts[y]!; x < layer.rowEnds[y]!; x++) {
      const coverage = layer.alpha[y * layer.widthPx + x]! * 257;
      if (coverage === 0) continue;
      const i = 4 * (y * layer.widthPx + x);
      const under = opaque - Math.floor((coverage * coverage) / opaque);
      const alpha = Math.floor((samples[i + 3]! * 257 * under + coverage * coverage) / opaque);
      for (let k = 0; k < 3; k++) {
        const below = Math.floor((samples[i + k]! * 257 * samples[i + 3]!) / 255);
        const over = Math.floor((coverage * overlayColor[k]!) / 255);
        const premultiplied = Math.floor((below * under + over * coverage) / opaque);
        into[i + k] = Math.floor((premultiplied * opaque) / alpha) >> 8;
      }
      into[i + 3] = alpha >> 8;
    }
  }
  return into;
}

const opaque = 65535;
