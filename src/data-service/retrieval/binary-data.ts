import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type {
  BinaryDataByFilterRequest,
  BinaryDataByFilterResponseSchema,
  BinaryDataByIDsRequest,
  BinaryDataByIDsResponseSchema,
  BinaryDataSchema,
} from '../../gen/app/data/v1/data_pb.ts';
import { principalOf } from '../access/principal.ts';
import { requireBinaryAccess } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { downloadUri } from '../wire/download-address.ts';
import { filesSeenBy } from '../labels/hidden-boxes.ts';
import { DamagedFile } from '../ports/read-file.ts';
import type { BinaryRecord } from '../ports/stored-captures.ts';
import { positionOf } from '../ports/capture-filter.ts';
import { binaryDataIds } from '../wire/binary-data-id.ts';
import { binaryMetadata } from '../wire/capture-metadata.ts';
import { fromCursor, toCursor } from '../wire/cursor.ts';
import { notFound } from '../wire/invalid-argument.ts';
import { pageLimit } from '../wire/page-limit.ts';
import { binaryFilter, readOrder } from '../access/read-filter.ts';
import { answerBytes, readBytes, requireAnswerFits } from './answer-content.ts';
import { fileSenderValue, type OnDamaged } from './file-sender.ts';

/** Header with the number of entries whose bytes are more than an answer carries: they are fetched by `uri`. */
const leftOutHeader = 'sightglass-bytes-left-out';
/** Header with the number of entries whose bytes are lost or damaged in the service's storage. */
const damagedHeader = 'sightglass-bytes-damaged';

/** A page of files, or their number. */
export async function binaryDataByFilter(
  dependencies: DataServiceDependencies,
  request: BinaryDataByFilterRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof BinaryDataByFilterResponseSchema>> {
  const files = filesSeenBy(dependencies.store, principalOf(context));
  const { limit = 0n, last = '', sortOrder = 0 } = request.dataRequest ?? {};
  const filter = binaryFilter(principalOf(context), request.dataRequest?.filter, request.includeInternalData);
  const after = fromCursor(last);
  if (request.countOnly) {
    const { count, totalSizeBytes } = await files.summarize(filter);
    return { count: BigInt(count), totalSizeBytes: BigInt(totalSizeBytes) };
  }
  const scan = { filter, order: readOrder({ sortOrder }), limit: pageLimit(limit, request.includeBinary) };
  // A file too large for any answer must not end the paging: its entry is sent without the bytes.
  const { maxAnswerBytes } = dependencies.limits;
  const isCarried = ({ sizeBytes }: BinaryRecord): boolean => sizeBytes <= maxAnswerBytes;
  // Files of a page may be deleted while their bytes are read. A page that lost all of them would end the paging,
  // so the next one is read.
  for (let beyond = after; ;) {
    const found = await files.page({ ...scan, after: beyond });
    const records = request.includeBinary ? fitting(found, isCarried) : found;
    // A damaged file must not end the paging either: most clients ask for all files with their bytes.
    let damaged = 0;
    const answers = await answered(
      dependencies,
      records,
      request.includeBinary ? isCarried : null,
      context,
      (error) => {
        damaged++;
        dependencies.defects.report(error, { operation: context.method.name });
      },
    );
    const data = answers.filter((one) => one !== null);
    const end = records.at(-1);
    if (end !== undefined && data.length === 0) {
      beyond = positionOf(end);
      continue;
    }
    const present = records.filter((_, index) => answers[index] !== null);
    const leftOut = request.includeBinary ? present.filter((record) => !isCarried(record)).length : 0;
    if (leftOut > 0) context.responseHeader.set(leftOutHeader, String(leftOut));
    if (damaged > 0) context.responseHeader.set(damagedHeader, String(damaged));
    return {
      data,
      count: BigInt(data.length),
      last: end === undefined ? '' : toCursor(positionOf(end)),
      totalSizeBytes: BigInt(present.reduce((total, { sizeBytes }) => total + sizeBytes, 0)),
    };
  }
}

/** The files of these ids, each id answered in its place. @throws ConnectError NotFound naming the first unknown id */
export async function binaryDataByIds(
  dependencies: DataServiceDependencies,
  request: BinaryDataByIDsRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof BinaryDataByIDsResponseSchema>> {
  const ids = binaryDataIds(request);
  const principal = principalOf(context);
  await requireBinaryAccess(dependencies.store, principal, ids);
  const found = await filesSeenBy(dependencies.store, principal).get(principal.organizationId, ids);
  const records = found.map((record, index) => record ?? missing(ids[index]!));
  if (request.includeBinary) requireAnswerFits(records, dependencies.limits.maxAnswerBytes);
  const data = await answered(dependencies, records, request.includeBinary ? () => true : null, context);
  return { data: data.map((one, index) => one ?? missing(ids[index]!)), count: BigInt(data.length) };
}

function missing(id: string): never {
  throw notFound(`There is no binary data ${id}.`);
}

// A page may be shorter than requested: its cursor continues after it. The first file is sent whatever its size.
function fitting(
  records: readonly BinaryRecord[],
  isCarried: (record: BinaryRecord) => boolean,
): readonly BinaryRecord[] {
  let total = 0;
  const end = records.findIndex((record, index) => {
    total += isCarried(record) ? record.sizeBytes : 0;
    return total > answerBytes && index > 0;
  });
  return end === -1 ? records : records.slice(0, end);
}

/**
 * @param isCarried whether the answer contains a record's bytes; null: no bytes at all
 * @param onDamaged told of each damaged file, whose entry has no bytes
 * @throws DamagedFile unless `onDamaged` is given
 */
async function answered(
  dependencies: DataServiceDependencies,
  records: readonly BinaryRecord[],
  isCarried: ((record: BinaryRecord) => boolean) | null,
  context: HandlerContext,
  onDamaged?: OnDamaged,
): Promise<(MessageInitShape<typeof BinaryDataSchema> | null)[]> {
  const describe = (record: BinaryRecord) => binaryMetadata(record, downloadUri(dependencies, context, record.id));
  if (isCarried === null) return records.map((record) => ({ metadata: describe(record) }));
  const sender = context.values.get(fileSenderValue);
  if (sender !== null) {
    const areThere = await sender.take(
      records.map((record) => (isCarried(record) ? record : null)),
      onDamaged,
    );
    return records.map((record, index) => (areThere[index] ? { metadata: describe(record) } : null));
  }
  const data: (MessageInitShape<typeof BinaryDataSchema> | null)[] = [];
  for (const record of records) {
    if (!isCarried(record)) {
      data.push({ metadata: describe(record) });
      continue;
    }
    const binary = await readBytes(dependencies.store, record, context.signal).catch((error: unknown) => {
      if (!onDamaged || !(error instanceof DamagedFile)) throw error;
      onDamaged(error);
      return new Uint8Array();
    });
    data.push(binary && { binary, metadata: describe(record) });
  }
  return data;
}
