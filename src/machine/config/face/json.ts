// JSON as it is written: documents, paths, patches, mistakes.

export { offsetBelow } from '../json/json-depth.ts';
export { isObject, type JsonObject, parseDocument } from '../json/json-document.ts';
export { isReadable, jsonMistakes, positionAt, unreadable, type Unreadable } from '../json/json-mistakes.ts';
export { diffJson, sameJson } from '../json/json-patch.ts';
export { displayPath, type JsonPath } from '../json/json-path.ts';
export { detectStyle, formatJson } from '../json/json-style.ts';
