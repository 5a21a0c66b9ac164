// Files of a dataset: names, text, zips, what is stored.

export { decodeText, startsAsUtf16 } from '../files/decode-text.ts';
export { FileIndex } from '../files/file-index.ts';
export { parseCsv } from '../files/parse-csv.ts';
export { safeStem } from '../files/unique-names.ts';
export { readZipDirectory, type ZippedFile } from '../files/zip-directory.ts';
export { ZipLimits } from '../files/zip-limits.ts';
export { StoredFile, type StoredName } from '../stored/stored-file.ts';
export { type JoinTally, type MatchKind, matchKinds, StoredIndex } from '../stored/stored-index.ts';
