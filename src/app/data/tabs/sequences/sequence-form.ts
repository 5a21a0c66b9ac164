import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { DataContext } from '../../context/data-context.ts';
import { resourceText, type ListedSequence, type Resource } from './listed-sequence.ts';

/** What a person says a sequence is. Times are on the clock of the browser's time zone, as `datetime-local` writes them. */
export interface SequenceForm {
  readonly partId: string;
  readonly resources: readonly Resource[];
  readonly start: string;
  readonly end: string;
  readonly tags: readonly string[];
}

/** Why a form is no sequence yet; '': it is one. */
export function formFault({ partId, resources, start, end }: SequenceForm): string {
  if (partId === '') return 'Choose a part.';
  if (resources.length === 0) return 'Choose at least one resource.';
  const [startMs, endMs] = [fieldMs(start), fieldMs(end)];
  if (Number.isNaN(startMs) || Number.isNaN(endMs)) return 'A sequence has a start and an end.';
  return startMs > endMs ? 'The sequence ends before it begins.' : '';
}

/** A time as a field shows it, to the millisecond. */
export function fieldText(timeMs: number): string {
  const local = timeMs - new Date(timeMs).getTimezoneOffset() * 60_000;
  return new Date(local).toISOString().slice(0, -1);
}

export const fieldMs = (text: string): number => new Date(text).getTime();

export const formOf = ({ partId, resources, startMs, endMs, tags }: ListedSequence): SequenceForm => ({
  partId,
  resources,
  start: fieldText(startMs),
  end: fieldText(endMs),
  tags,
});

/** Creates a sequence; resolves to its id. @throws ConnectError */
export async function createSequence({ data }: Pick<DataContext, 'data'>, form: SequenceForm): Promise<string> {
  return (await data.createSequence({ partId: form.partId, ...fieldsOf(form) })).id;
}

/** Changes what differs, and nothing else: a time keeps what is finer than a millisecond. @throws ConnectError */
export async function changeSequence(
  { data }: Pick<DataContext, 'data'>,
  before: ListedSequence,
  form: SequenceForm,
): Promise<void> {
  const shown = formOf(before);
  const differs = {
    resources: shown.resources.map(resourceText).join('\n') !== form.resources.map(resourceText).join('\n'),
    sequence_tags: shown.tags.join('\n') !== form.tags.join('\n'),
    start_time: shown.start !== form.start,
    end_time: shown.end !== form.end,
  };
  const paths = Object.entries(differs).flatMap(([path, isChanged]) => (isChanged ? [path] : []));
  if (paths.length > 0) await data.updateSequence({ id: before.id, ...fieldsOf(form), fieldMask: { paths } });
}

/** The last millisecond belongs to the window as a whole: captures are timed to the microsecond. */
const fieldsOf = ({ resources, tags, start, end }: SequenceForm) => {
  const endTime = timestampFromMs(fieldMs(end));
  endTime.nanos += 999_000;
  return {
    resources: resources.map(({ resourceName, methodName }) => ({ resourceName, methodName })),
    sequenceTags: [...tags],
    startTime: timestampFromMs(fieldMs(start)),
    endTime,
  };
};
