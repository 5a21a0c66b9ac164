import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { DataContext } from '../../context/data-context.ts';
import { resourceText, type ListedSequence, type Resource } from './listed-sequence.ts';

/** A time as a field shows it: on the clock of the browser's time zone, which says some twice, as `datetime-local` writes it. */
export interface FieldTime {
  readonly text: string;
  /** what it stands for, since 1970; NaN: nothing */
  readonly ms: number;
}

/** What a person says a sequence is. */
export interface SequenceForm {
  readonly partId: string;
  readonly resources: readonly Resource[];
  readonly start: FieldTime;
  readonly end: FieldTime;
  readonly tags: readonly string[];
}

/** Why a form is no sequence yet; '': it is one. */
export function formFault({ partId, resources, start, end }: SequenceForm): string {
  if (partId === '') return 'Choose a part.';
  if (resources.length === 0) return 'Choose at least one resource.';
  if (Number.isNaN(start.ms) || Number.isNaN(end.ms)) return 'A sequence has a start and an end.';
  return start.ms > end.ms ? 'The sequence ends before it begins.' : '';
}

/** A time, to the millisecond. */
export function shownTime(ms: number): FieldTime {
  const local = ms - new Date(ms).getTimezoneOffset() * 60_000;
  return { text: new Date(local).toISOString().slice(0, -1), ms };
}

export const typedTime = (text: string): FieldTime => ({ text, ms: new Date(text).getTime() });

export const emptyForm: SequenceForm = {
  partId: '',
  resources: [],
  start: typedTime(''),
  end: typedTime(''),
  tags: [],
};

export const formOf = ({ partId, resources, startMs, endMs, tags }: ListedSequence): SequenceForm => ({
  partId,
  resources,
  start: shownTime(startMs),
  end: shownTime(endMs),
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
    start_time: shown.start.ms !== form.start.ms,
    end_time: shown.end.ms !== form.end.ms,
  };
  const paths = Object.entries(differs).flatMap(([path, isChanged]) => (isChanged ? [path] : []));
  if (paths.length > 0) await data.updateSequence({ id: before.id, ...fieldsOf(form), fieldMask: { paths } });
}

/** The last millisecond belongs to the window as a whole: captures are timed to the microsecond. */
const fieldsOf = ({ resources, tags, start, end }: SequenceForm) => {
  const endTime = timestampFromMs(end.ms);
  endTime.nanos += 999_000;
  return {
    resources: resources.map(({ resourceName, methodName }) => ({ resourceName, methodName })),
    sequenceTags: [...tags],
    startTime: timestampFromMs(start.ms),
    endTime,
  };
};
