import { invalidArgument } from '../wire/invalid-argument.ts';
import { requireWord } from './annotation-bounds.ts';

/** Tags that are to be added. @throws ConnectError InvalidArgument for no tag at all, an empty or a long one */
export const requireNewTags = (tags: readonly string[]): readonly string[] => newTags(requireTags(tags));

/** Tags that are to be added, if any. @throws ConnectError InvalidArgument for an empty or a long one */
export const newTags = (tags: readonly string[]): readonly string[] =>
  checkedTags(tags).map((tag, index) => requireWord(tag, `tags[${index}]`));

/** @throws ConnectError InvalidArgument for no tag at all, or an empty one */
export function requireTags(tags: readonly string[]): readonly string[] {
  if (tags.length === 0) throw invalidArgument('tags is empty; give at least one tag.');
  return checkedTags(tags);
}

/** @throws ConnectError InvalidArgument for an empty tag */
export function checkedTags(tags: readonly string[], field = 'tags'): readonly string[] {
  const empty = tags.findIndex((tag) => tag.trim() === '');
  if (empty !== -1) throw invalidArgument(`${field}[${empty}] is empty; a tag needs at least one character.`);
  return tags;
}
