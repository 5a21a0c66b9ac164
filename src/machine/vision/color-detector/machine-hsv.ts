/** A colour as the machine's colour detector compares it (viamrobotics/rdk, rimage/color.go): in whole steps, fractions cut off. */
export interface MachineHsv {
  /** 0..65534, of 65535 for 360°; grey: 0 */
  readonly hue: number;
  /** 0..255 */
  readonly saturation: number;
  /** 0..255: the largest of red, green and blue */
  readonly value: number;
}

/** Steps of a full turn of hue. */
export const hueSteps = 65535;

/** In which third of the turn a hue lies: 0 around red, 2 around green, 4 around blue. */
export type HueSector = 0 | 2 | 4;

/**
 * Computes hue, saturation and value of a colour with the machine's rounding.
 * @param red 0..255
 * @param green 0..255
 * @param blue 0..255
 * @returns the three in the machine's whole steps
 * @example
 * machineHsv(255, 0, 0); // => { hue: 0, saturation: 255, value: 255 }
 * machineHsv(51, 102, 153); // => { hue: 38228, saturation: 170, value: 153 }
 */
export function machineHsv(red: number, green: number, blue: number): MachineHsv {
  const value = Math.max(red, green, blue);
  const chroma = value - Math.min(red, green, blue);
  if (chroma === 0) return { hue: 0, saturation: 0, value };
  const saturation = Math.trunc((255 * chroma) / value);
  // The order in which the machine asks: it decides between equal channels.
  if (value === blue) return { hue: hueOf(4, red - green, chroma), saturation, value };
  if (value === green) return { hue: hueOf(2, blue - red, chroma), saturation, value };
  return { hue: hueOf(0, green - blue, chroma), saturation, value };
}

/**
 * Computes a hue from the difference of the two smaller channels, in the machine's order of operations: another order
 * rounds otherwise.
 * @param sector by the largest channel
 * @param difference of the other two, −chroma..chroma
 * @param chroma largest minus smallest channel, 1..255
 * @returns 0..65534
 * @example
 * hueOf(2, 0, 255); // => 21845
 */
export function hueOf(sector: HueSector, difference: number, chroma: number): number {
  const degrees = (difference / chroma + sector) * 60;
  return Math.trunc((hueSteps * (degrees < 0 ? degrees + 360 : degrees)) / 360);
}

/**
 * Converts a hue from the machine's steps to degrees.
 * @param hue 0..65535
 * @returns 0..360
 * @example
 * degreesOf(21845); // => 120
 */
export function degreesOf(hue: number): number {
  return (360 * hue) / hueSteps;
}

const hueNames = 'red orange yellow lime-green green green-blue cyan light-blue blue violet magenta rose'.split(' ');

/**
 * Names a hue as the machine does: by twelfths of the turn, each centred on its colour.
 * @param hueDeg 0..360
 * @returns what a colour detector without a label says
 * @example
 * hueName(210); // => 'light-blue'
 * hueName(350); // => 'red'
 */
export function hueName(hueDeg: number): string {
  return hueNames[Math.floor((Math.trunc(hueDeg) + 15) / 30) % 12]!;
}
