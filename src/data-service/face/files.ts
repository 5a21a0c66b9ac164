// Files that are sent, checked and deleted.

export { takeUpDeletions } from '../deletes/go-on-deleting.ts';
export { type DeletedCounts, deleteOldest, deleteOutdated, type Retention } from '../deletes/retention.ts';
export { sweepBlobs } from '../deletes/sweep-blobs.ts';
export { authenticateDownload } from '../downloads/authenticate-download.ts';
export { begun, download, type DownloadResponse, isDownload } from '../downloads/download.ts';
export { checkFile, checkFiles } from '../integrity/check-files.ts';
export { orphanAgeMs, unownedBlobs } from '../integrity/unowned-blobs.ts';
export { type AnswerPart, placeInJson, placeInProtobuf } from '../retrieval/answer-parts.ts';
export { type FileSender, fileSenderValue, type OnDamaged } from '../retrieval/file-sender.ts';
