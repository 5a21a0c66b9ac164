/** A colour as "#rrggbb", lower case. */
export type HexColour = string;

type Triple = readonly [number, number, number];

const mostRemembered = 512;

/**
 * Caches a function of a colour: it is called with the same few colours for every box of every frame, and with
 * thousands while a person drags in the colour picker.
 */
function remembered<T>(of: (colour: HexColour) => T): (colour: HexColour) => T {
  const known = new Map<HexColour, T>();
  return (colour) => {
    const before = known.get(colour);
    if (before !== undefined) return before;
    if (known.size >= mostRemembered) known.clear();
    const found = of(colour);
    known.set(colour, found);
    return found;
  };
}

const channelsOf = (colour: HexColour): Triple =>
  [1, 3, 5].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255)) as unknown as Triple;

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);

/** OKLab, in which equal distances look equally far apart (https://bottosson.github.io/posts/oklab/). */
const oklab = remembered((colour): Triple => {
  const [r, g, b] = channelsOf(colour);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
});

/** How far apart two colours look: 0 = equal, 1 = black and white. */
export function colourDistance(a: HexColour, b: HexColour): number {
  const [from, to] = [oklab(a), oklab(b)];
  return Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2]);
}

/** Contrast of two colours as WCAG 2 counts it, 1 to 21. */
export function contrast(a: HexColour, b: HexColour): number {
  const luminance = (colour: HexColour): number => {
    const [r, g, blue] = channelsOf(colour);
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
  };
  const [lower, higher] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (higher + 0.05) / (lower + 0.05);
}

/**
 * Black or white, whichever has more contrast with a colour. Text in it is readable on the colour, and a rim in it
 * makes the colour visible on a picture of the same colour.
 */
export const inkOn = remembered((colour): HexColour => {
  const [dark, light] = ['#0b0d0f', '#ffffff'] as const;
  return contrast(colour, dark) >= contrast(colour, light) ? dark : light;
});
