import {
  colourCardSidePx,
  type ConvertYuv,
  type PlanesMemory,
  type Rgba8Frame,
  yuvColourCard,
  yuvFrame,
  type YuvFrame,
  yuvLayout,
  yuvMatrices,
  type YuvMatrix,
  type YuvPlanes,
} from '../../../machine/vision/face/frames.ts';
import type { SpareMemory } from './spare-memory.ts';

/** How colours are asked of a frame. */
export const asColours = { format: 'RGBA', colorSpace: 'srgb' } as const;

/** Whether this browser's copyTo gives a frame's colours where they are asked for: WebKit gives its planes all the same. */
export const copiesColours = (image: VideoFrame): boolean =>
  image.allocationSize(asColours) === 4 * image.visibleRect!.width * image.visibleRect!.height;

/** The formats whose planes are read. */
export const planarFormats: Readonly<Partial<Record<VideoPixelFormat, YuvPlanes['format']>>> = {
  I420: 'i420',
  NV12: 'nv12',
};

/** A camera may begin with black, of which every conversion makes the same. */
const leastShades = 16;
const tooPlain = 'its frames so far have too few shades to compare colours by';

/**
 * Reads frames of cameras and videos as their planes: a third of what colours take, converted only where somebody wants colours. It does
 * so where this browser's own conversion is known here, bit for bit: that is tried for every kind of frame, with a card of all colours
 * and with the first frame that has shades enough.
 */
export class YuvReader {
  readonly #toRgba: ConvertYuv;
  readonly #convert: (planes: YuvPlanes) => Rgba8Frame;
  readonly #memory: SpareMemory;
  /** a kernel's own; null where there is none, or this browser writes no planes into it */
  #kernelMemory: PlanesMemory | null;
  /** by kind of frame its matrix, or why it is read as colours */
  readonly #kinds = new Map<string, YuvMatrix | string>();
  readonly #cards = new Map<string, Promise<YuvMatrix | null>>();

  /** `convert` makes the colours of a frame that is asked for them; `kernelMemory` is where the planes are wanted, as far as it goes. */
  constructor(
    toRgba: ConvertYuv,
    memory: SpareMemory,
    convert: (planes: YuvPlanes) => Rgba8Frame,
    kernelMemory: PlanesMemory | null,
  ) {
    this.#kernelMemory = kernelMemory;
    this.#toRgba = toRgba;
    this.#memory = memory;
    this.#convert = convert;
  }

  /** null where it is to be read as colours. Rejects as copyTo does; the image stays the caller's. */
  async read(image: VideoFrame): Promise<YuvFrame | null> {
    const kind = kindOf(image);
    const before = this.#kinds.get(kind) ?? tooPlain;
    const known = before === tooPlain ? await this.#tryKind(image) : before;
    this.#kinds.set(kind, known);
    return typeof known === 'string' ? null : yuvFrame(await this.#planesOf(image, known), this.#convert);
  }

  /** Why the last frame of this kind was read as colours, in words that follow "because"; '' where none was. */
  refusal(image: VideoFrame): string {
    const known = this.#kinds.get(kindOf(image));
    return typeof known === 'string' ? known : '';
  }

  /** Takes back the planes of a frame that nobody looks at any more: the next one is read into them. */
  recycle(planes: YuvPlanes['planes']): void {
    if (!this.#kernelMemory?.give(planes)) this.#memory.give(planes.buffer);
  }

  async #tryKind(image: VideoFrame): Promise<YuvMatrix | string> {
    const { format, colorSpace } = image;
    if (!format || !planarFormats[format]) return `its frames are ${format ?? 'of no known format'}`;
    if (!copiesColours(image)) return 'this browser copies no colours of them to compare';
    const space = `${colorSpace.matrix ?? 'colours of no known matrix'}${colorSpace.fullRange ? ', full range' : ''}`;
    if (yuvMatrices(colorSpace).length === 0) return `browsers convert ${space} in a way that is not known here`;
    const matrix = await this.#matrixOf(format, colorSpace);
    if (!matrix) return `this browser converts ${space} in a way of its own`;
    const planes = await this.#planesOf(image, matrix);
    try {
      if (isPlain(planes)) return tooPlain;
      return (await this.#isEqual(image, planes)) ? matrix : 'this browser converts its first frame in another way';
    } finally {
      this.recycle(planes.planes);
    }
  }

  #matrixOf(format: VideoPixelFormat, colorSpace: VideoColorSpace): Promise<YuvMatrix | null> {
    const key = JSON.stringify([format, colorSpace]);
    const known = this.#cards.get(key) ?? this.#tryCard(format, colorSpace);
    this.#cards.set(key, known);
    return known;
  }

  /** The first matrix that gives the colours that this browser gives. */
  async #tryCard(format: VideoPixelFormat, colorSpace: VideoColorSpace): Promise<YuvMatrix | null> {
    const size = { widthPx: colourCardSidePx, heightPx: colourCardSidePx };
    const planes = yuvColourCard(planarFormats[format]!);
    const layout = { format, codedWidth: colourCardSidePx, codedHeight: colourCardSidePx, timestamp: 0 } as const;
    const card = new VideoFrame(planes, { ...layout, colorSpace: colorSpace.toJSON() });
    try {
      for (const matrix of yuvMatrices(colorSpace))
        if (await this.#isEqual(card, { format: planarFormats[format]!, ...size, planes, matrix })) return matrix;
      return null;
    } finally {
      card.close();
    }
  }

  async #isEqual(image: VideoFrame, planes: YuvPlanes): Promise<boolean> {
    const byteLength = 4 * planes.widthPx * planes.heightPx;
    const [ours, theirs] = [this.#memory.take(byteLength), this.#memory.take(byteLength)];
    await image.copyTo(theirs, asColours);
    this.#toRgba(planes, new Uint8ClampedArray(ours));
    const expected = new Uint32Array(theirs);
    const isEqual = new Uint32Array(ours).every((pixel, at) => pixel === expected[at]);
    this.#memory.give(ours);
    this.#memory.give(theirs);
    return isEqual;
  }

  async #planesOf(image: VideoFrame, matrix: YuvMatrix): Promise<YuvPlanes> {
    const size = { widthPx: image.visibleRect!.width, heightPx: image.visibleRect!.height };
    const format = planarFormats[image.format!]!;
    const planes = await this.#copyOf(image, yuvLayout({ format, ...size }).byteLength);
    return { format, ...size, planes, matrix };
  }

  async #copyOf(image: VideoFrame, byteLength: number): Promise<YuvPlanes['planes']> {
    const inKernel = this.#kernelMemory?.take(byteLength);
    const planes = inKernel ?? new Uint8Array(this.#memory.take(byteLength));
    try {
      await image.copyTo(planes);
      return planes;
    } catch (error) {
      this.recycle(planes);
      if (!inKernel || !(error instanceof TypeError)) throw error;
      this.#kernelMemory = null; // Web IDL's answer of a browser that writes into no shared memory
      return this.#copyOf(image, byteLength);
    }
  }
}

/** Whether it has too few shades of light to know a conversion by; a tiny frame needs but half as many as it has pixels. */
function isPlain({ planes, widthPx, heightPx }: YuvPlanes): boolean {
  const pixels = widthPx * heightPx;
  const least = Math.min(leastShades, pixels / 2);
  const isSeen = new Uint8Array(256);
  let shades = 0;
  for (let at = 0; at < pixels && shades < least; at++) {
    const luma = planes[at]!;
    shades += 1 - isSeen[luma]!;
    isSeen[luma] = 1;
  }
  return shades < least;
}

/** Frames of one kind are converted alike. */
function kindOf({ format, colorSpace, visibleRect }: VideoFrame): string {
  return JSON.stringify([format, colorSpace, visibleRect]);
}
