import { describe, expect, it } from 'vitest';
import { commands } from '../commands.ts';
import { command, verb, verbs } from '../record/command.ts';
import { flag, option, repeated, required, together, words } from '../record/field.ts';
import { oneOf } from '../record/kinds.ts';
import { completeWord } from './complete-word.ts';

const paint = command('paint', {
  usage: [],
  reads: together({
    pictures: words('PICTURE'),
    colour: required('--colour NAME', 'of the paint', oneOf(['red', 'rose', 'blue'])),
    marks: repeated('--mark [PLACE=]FILE', 'where'),
    outDir: option('--out DIR', 'folder'),
    title: option('--title TEXT', 'may be none'),
    isDry: flag('--dry', 'changes nothing'),
  }),
});
const pots = verbs('pots', {
  usage: [],
  verbs: { list: verb({}, {}), fill: verb({ id: 'ID' }, { colour: option('--colour NAME', '', oneOf(['red'])) }) },
});
const records = [paint, pots];

/** The texts that a line may end with; a blank at its end begins a new word. */
function ends(line: string): readonly string[] | string {
  const before = line.split(' ');
  const { prefix, paths, candidates } = completeWord(before.slice(0, -1), before.at(-1)!, records);
  return paths === 'none' ? candidates.map(({ text }) => prefix + text) : `${prefix}${paths}`;
}

describe('a word is completed', () => {
  it.each([
    ['', ['paint', 'pots', 'help']],
    ['p', ['paint', 'pots']],
    ['help pa', ['paint']],
    ['-', ['--help', '--version']],
    ['nothing ', []],
    ['paint --', ['--colour', '--mark', '--out', '--title', '--dry', '--help']],
    ['paint --colour red --mark x --dry --', ['--mark', '--out', '--title', '--help']],
    ['paint --colour ', ['red', 'rose', 'blue']],
    ['paint --colour r', ['red', 'rose']],
    ['paint --colour=r', ['--colour=red', '--colour=rose']],
    ['paint --dry ', 'files'],
    ['paint --dry=', []],
    ['paint --unknown=', []],
    ['paint a.png ', 'files'],
    ['paint --out ', 'folders'],
    ['paint --out=x', '--out=folders'],
    ['paint --mark fi', 'files'],
    ['paint --mark sky=fi', 'sky=files'],
    ['paint --mark=sky=a=fi', '--mark=sky=files'],
    ['paint --title ', []],
    ['paint -- --co', 'files'],
    ['paint -- --colour ', 'files'],
    ['pots ', ['list', 'fill']],
    ['pots fill --', ['--colour', '--help']],
    ['pots list --', ['--help']],
    ['pots fill ', []],
    ['pots fill 7 --colour ', ['red']],
  ])('%j', (line, wanted) => expect(ends(line)).toEqual(wanted));

  it('by what help says of an option', () => {
    const { candidates } = completeWord(['paint'], '--colour', records);
    expect(candidates).toEqual([{ text: '--colour', about: 'of the paint (required)' }]);
  });

  it.each(commands)('$name: by every option of its record, and every value of a closed list', (record) => {
    const offered = (before: readonly string[], current: string) =>
      completeWord([record.name, ...before], current, commands).candidates.map(({ text }) => text);
    const names = new Set(record.options.map(({ name }) => `--${name}`));
    expect(offered([], '--')).toEqual(expect.arrayContaining([...names]));
    for (const { name, choices } of record.options)
      if (choices.length > 0) expect(offered([`--${name}`], '')).toEqual(choices);
  });
});
