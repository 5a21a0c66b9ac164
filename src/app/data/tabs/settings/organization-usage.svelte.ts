import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { StorageService, type GetUsageResponse } from '../../../../gen/sightglass/storage/v1/storage_pb.ts';
import { byteText, counted, numberText } from '../../../kit/words/figures.ts';
import { errorWords, type ErrorWords } from '../../../kit/words/error-words.ts';
import type { DataContext } from '../../context/data-context.ts';
import { isNearlyFull } from '../../shared/host/is-nearly-full.ts';

/** What an organization stores, in words. */
export interface UsageWords {
  /** "1.2 GB" */
  readonly used: string;
  /** "840 files (1.1 GB), 12,000 readings (96 MB) and labelling (2 MB)"; without the last where it is not told, or none */
  readonly parts: string;
  /** whether the usage is that of one part, since the caller reaches no other */
  readonly isOfPart: boolean;
  /** null: it has no quota, or it is not told */
  readonly quota: { readonly text: string; readonly fraction: number } | null;
  /** what to say of the room that is left; null: there is plenty */
  readonly warning: ErrorWords | null;
}

/** What the organization stores whose data is shown, as its service tells. */
export class OrganizationUsage {
  readonly #context: Pick<DataContext, 'transport' | 'home'>;
  /** null until it is read, and where the service does not tell */
  words = $state.raw<UsageWords | null>(null);
  failure = $state.raw<ErrorWords | null>(null);

  constructor(context: Pick<DataContext, 'transport' | 'home'>) {
    this.#context = context;
  }

  async read(signal: AbortSignal): Promise<void> {
    const { transport, home } = this.#context;
    try {
      const usage = await createClient(StorageService, transport).getUsage(
        { organizationId: home.organizationId },
        { signal },
      );
      [this.words, this.failure] = [inWords(usage), null];
    } catch (error) {
      // other data services have no such operation
      const isUntold = ConnectError.from(error).code === Code.Unimplemented;
      if (!signal.aborted) this.failure = isUntold ? null : errorWords(error);
    }
  }
}

function inWords(usage: GetUsageResponse): UsageWords {
  const { files, readings, labelling, quotaBytes, partId } = usage;
  const [fileBytes, readingBytes] = [Number(files?.bytes ?? 0), Number(readings?.bytes ?? 0)];
  const labellingBytes = Number(labelling?.bytes ?? 0);
  const usedBytes = fileBytes + readingBytes + labellingBytes;
  const quota = quotaBytes === undefined ? null : Number(quotaBytes);
  const wordsOf = (count: number, noun: string, bytes: number, toDelete: bigint): string => {
    const going = toDelete === 0n ? '' : `, ${numberText(Number(toDelete))} of them being deleted`;
    return `${counted(count, noun)} (${byteText(bytes)}${going})`;
  };
  const fileWords = wordsOf(Number(files?.count ?? 0), 'file', fileBytes, usage.filesToDelete);
  const readingWords = wordsOf(Number(readings?.count ?? 0), 'reading', readingBytes, usage.readingsToDelete);
  return {
    used: byteText(usedBytes),
    parts:
      labellingBytes === 0
        ? `${fileWords} and ${readingWords}`
        : `${fileWords}, ${readingWords} and labelling (${byteText(labellingBytes)})`,
    isOfPart: partId !== '',
    quota: quota === null ? null : { text: byteText(quota), fraction: usedBytes < quota ? usedBytes / quota : 1 },
    warning: quota === null ? null : warningOf(usedBytes, quota),
  };
}

const waiting = 'What waits in the outbox is kept, and is sent once there is room.';

function warningOf(usedBytes: number, quotaBytes: number): ErrorWords | null {
  if (usedBytes >= quotaBytes) {
    return {
      message: 'The quota is used up: uploads are refused.',
      cure: `Delete what is no longer needed, which makes room at once, or ask the administrator of the server for a larger quota. ${waiting}`,
    };
  }
  if (!isNearlyFull({ usedBytes, quotaBytes })) return null;
  return {
    message: `The quota is nearly used up: ${byteText(quotaBytes - usedBytes)} are left.`,
    cure: 'Delete what is no longer needed, or ask the administrator of the server for a larger quota. Uploads that do not fit are refused.',
  };
}
