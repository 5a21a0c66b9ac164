/** A colour of three bytes. */
export interface HexColor {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/**
 * Reads a colour as the machine does (Go's `fmt.Sscanf` with `#%02x%02x%02x`): of each channel one or two hex digits,
 * with spaces before it skipped; what follows is ignored. `#369` is therefore no short form, and lacks its third channel.
 * @param text such as `#336699`
 * @returns undefined: the machine cannot read it
 * @example
 * parseHexColor('#336699'); // => { red: 51, green: 102, blue: 153 }
 * parseHexColor('#33669'); // => { red: 51, green: 102, blue: 9 }
 * parseHexColor('#369'); // => undefined
 */
export function parseHexColor(text: string): HexColor | undefined {
  const match = channels.exec(text);
  if (!match) return undefined;
  return { red: parseInt(match[1]!, 16), green: parseInt(match[2]!, 16), blue: parseInt(match[3]!, 16) };
}

/** Go's `isSpace`, without the end of a line, at which `Sscanf` ends. */
const space = '(?:[^\\S\\n\\ufeff]|\\x85)*';
/** A look ahead never gives back a digit: Go takes two where there are two, and does not try again with one. */
const channels = new RegExp(`^#${[1, 2, 3].map((group) => `${space}(?=([\\da-f]{1,2}))\\${group}`).join('')}`, 'i');

/**
 * Writes a colour as the machine's configuration has it.
 * @param color three channels, 0..255
 * @returns such as `#336699`
 * @example
 * hexColor({ red: 51, green: 102, blue: 9 }); // => '#336609'
 */
export function hexColor({ red, green, blue }: HexColor): string {
  return `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
