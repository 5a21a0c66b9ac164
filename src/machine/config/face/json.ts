// JSON as it is written: documents, paths, patches, mistakes.

export { offsetBelow } from '../json-depth.ts';
export { isObject, type JsonObject, parseDocument } from '../json-document.ts';
export { isReadable, jsonMistakes, positionAt, unreadable, type Unreadable } from '../json-mistakes.ts';
export { diffJson, sameJson } from '../json-patch.ts';
export { displayPath, type JsonPath } from '../json-path.ts';
export { detectStyle, formatJson } from '../json-style.ts';
