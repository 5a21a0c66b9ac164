import { numberText } from './figures.ts';
const MOST = 3;

/** "a.png, b.png, c.png and 4 more"; `count`: the total, if not all names are known. */
export function nameSome(names: readonly string[], count = names.length): string {
  const first = names.slice(0, MOST);
  const rest = count - first.length;
  return rest > 0 ? `${first.join(', ')} and ${numberText(rest)} more` : first.join(', ');
}
