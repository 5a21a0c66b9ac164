const int = 1;
const float = 3;
const map = 9;
const bool = 26;
/** bytes of a number, and how FlexBuffers writes that width */
const width = 4;
const packedWidth = 2;

/** A value of an option; the kind is spelled out, as JavaScript does not tell 1 from 1.0. */
export type FlexValue = { readonly int: number } | { readonly float: number } | boolean;

/** Writes a FlexBuffers map (https://flatbuffers.dev/flexbuffers), in which custom operators keep their options. */
export function writeFlexMap(values: Readonly<Record<string, FlexValue>>): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const keysLength = entries.reduce((sum, [key]) => sum + key.length + 1, 0);
  const keysAt = Math.ceil(keysLength / width) * width;
  const count = entries.length;
  const mapAt = keysAt + width * (count + 1);
  const valuesAt = mapAt + 3 * width;
  const typesAt = valuesAt + width * count;
  const rootAt = typesAt + Math.ceil(count / width) * width;
  const bytes = new Uint8Array(rootAt + width + 2);
  const view = new DataView(bytes.buffer);
  const number = (at: number, value: number) => view.setUint32(at, value, true);
  number(keysAt, count);
  // Offsets lead backwards.
  const keyList = keysAt + width;
  number(mapAt, mapAt - keyList);
  number(mapAt + width, width);
  number(mapAt + 2 * width, count);
  let textAt = 0;
  entries.forEach(([key, value], i) => {
    const offsetAt = keyList + width * i;
    number(offsetAt, offsetAt - textAt);
    for (const character of key) bytes[textAt++] = character.charCodeAt(0);
    textAt++;
    const valueAt = valuesAt + width * i;
    if (typeof value === 'boolean') number(valueAt, Number(value));
    else if ('int' in value) view.setInt32(valueAt, value.int, true);
    else view.setFloat32(valueAt, value.float, true);
    bytes[typesAt + i] = packed(typeof value === 'boolean' ? bool : 'int' in value ? int : float);
  });
  number(rootAt, rootAt - valuesAt);
  bytes[rootAt + width] = packed(map);
  bytes[rootAt + width + 1] = width;
  return bytes;
}

function packed(type: number): number {
  return (type << 2) | packedWidth;
}
