// The part of opentype.js that is used here; the package ships no types.
declare module 'opentype.js/dist/opentype.mjs' {
  interface Glyph {
    readonly advanceWidth: number;
    readonly path: { readonly commands: readonly { readonly type: string }[] };
  }
  interface Font {
    readonly unitsPerEm: number;
    charToGlyphIndex(character: string): number;
    readonly glyphs: { get(index: number): Glyph };
  }
  export function parse(bytes: ArrayBuffer): Font;
}
