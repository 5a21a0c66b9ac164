// What a host brings: clock, secrets, disk, files, queries on a thread of their own.

export type { BlobStore, ByteRange, ListedBlob, OpenBlob, RunningHash } from '../ports/blob-store.ts';
export { type Clock, clocksWereSet } from '../ports/clock.ts';
export type { DatabaseEndpoint } from '../ports/database-endpoint.ts';
export type { DefectLog } from '../ports/defect-log.ts';
export { type DataServiceDependencies, type DataServiceLimits, defaultLimits, noLogIn } from '../ports/dependencies.ts';
export type { Disk } from '../ports/disk.ts';
export { QueryError, type QueryErrorCode, type QuerySource } from '../ports/query-runner.ts';
export { DamagedFile, type FileStores, openFile, provenBytes } from '../ports/read-file.ts';
export type { Secrets } from '../ports/secrets.ts';
