import { describe, expect, expectTypeOf, it } from 'vitest';
import { byWords, command, verb, verbs } from './command.ts';
import { flag, inGroup, later, made, option, repeated, required, together, usual, word, words } from './field.ts';
import { helpOf } from './help.ts';
import { integer, integerFrom, oneOf, share, textOrNone } from './kinds.ts';
import { UsageError } from './usage-error.ts';

const paint = command('paint', {
  usage: ['FILE --colour NAME [--coat SHARE]'],
  reads: together({
    path: word('picture'),
    colour: required('--colour NAME', 'of the paint', oneOf(['red', 'blue'])),
    coats: usual('--coats N', 'how often', integerFrom(1), 2),
    cover: option('--cover SHARE', 'of the picture', share),
    title: option('--title TEXT', 'may be none', textOrNone),
    marks: repeated('--mark N', 'where', integer),
    isDry: flag('--dry', 'changes nothing'),
  }),
});
const colour = ['--colour', 'red'];

describe('a command', () => {
  it('has the values of its options by their names, each of its own type, with defaults', () => {
    const least = paint.read(['a.png', ...colour]);
    const nothing = { cover: null, title: null, marks: [], isDry: false };
    expect(least).toEqual({ name: 'paint', path: 'a.png', colour: 'red', coats: 2, ...nothing });
    expectTypeOf(least.name).toEqualTypeOf<'paint'>();
    expectTypeOf(least.colour).toEqualTypeOf<'red' | 'blue'>();
    expectTypeOf(least.coats).toEqualTypeOf<number>();
    expectTypeOf(least.cover).toEqualTypeOf<number | null>();
    expectTypeOf(least.marks).toEqualTypeOf<readonly number[]>();
    expectTypeOf(least.isDry).toEqualTypeOf<boolean>();
    const all = ['--coats=3', '--cover', '0', '--title=', '--mark=-1', '--mark', '7', '--dry'];
    expect(paint.read([...all, ...colour, 'a.png'])).toEqual({
      ...least,
      coats: 3,
      cover: 0,
      title: '',
      marks: [-1, 7],
      isDry: true,
    });
  });

  it('takes what stands behind "--" as words', () => {
    expect(paint.read([...colour, '--', '--dry'])).toMatchObject({ path: '--dry', isDry: false });
    expect(() => paint.read([...colour, '--', 'a.png', '--dry'])).toThrow('got 2 paths');
  });

  it.each([
    [['a.png'], 'paint wants --colour.'],
    [['a.png', '--colour='], '--colour was given without a value; give one, or leave it out.'],
    [['a.png', '--colour', 'green'], '--colour wants red or blue, got "green".'],
    [['a.png', ...colour, ...colour], '--colour was given 2 times; give it once.'],
    [['a.png', ...colour, '--coats', '0'], '--coats wants a whole number, at least 1, got "0".'],
    [['a.png', ...colour, '--coats', '1.5'], '--coats wants a whole number, got "1.5".'],
    [['a.png', ...colour, '--cover', '1.1'], '--cover wants a number from 0 to 1, got "1.1".'],
    [['a.png', ...colour, '--mark', '1', '--mark='], '--mark was given without a value'],
    [['a.png', ...colour, '--mark', '1', '--mark', 'x'], '--mark wants a whole number, got "x".'],
    [colour, 'paint wants one picture, got 0 paths.'],
    [['', ...colour], 'paint wants one picture, got 1 paths.'],
    [['a.png', 'b.png', ...colour], 'paint wants one picture, got 2 paths.'],
    [['a.png', '--color', 'red'], 'Unknown option \'--color\' of paint. Is it "--colour"?'],
    [['a.png', '--cov', '1'], 'Unknown option \'--cov\' of paint. Is it "--cover"?'],
    [['a.png', '--size', '1'], "Unknown option '--size'"],
    [['a.png', '-c', '1'], "Unknown option '-c'"],
    [['a.png', ...colour, '--cover'], "Option '--cover <value>' argument missing"],
    [['a.png', ...colour, '--dry=1'], "Option '--dry' does not take an argument"],
  ])('refuses %j', (args, message) => {
    expect(() => paint.read(args)).toThrow(UsageError);
    expect(() => paint.read(args)).toThrow(message);
  });

  it('without words refuses one, and may say what to give instead', () => {
    const reads = together({ isDry: flag('--dry', '') });
    expect(() => command('dry', { usage: [], reads }).read(['x'])).toThrow('dry wants no "x".');
    const { read } = command('dry', { usage: [], reads, noWords: 'give it by --wet' });
    expect(() => read(['x'])).toThrow('dry takes options only, got "x": give it by --wet.');
  });

  it('reads what is left for later only when it is asked for', () => {
    const { read, options } = command('sum', {
      usage: [],
      reads: together({ size: later(together({ n: required('--n N', '', integer) })), all: words('NUMBER') }),
    });
    expect(read(['1']).size).toThrow('sum wants --n.');
    expect(read(['1', '2', '--n', '3']).size()).toEqual({ n: 3 });
    expect(read(['1', '2']).all).toEqual(['1', '2']);
    expect(() => read([])).toThrow('sum wants at least one NUMBER.');
    expect(options.map(({ isRequired }) => isRequired)).toEqual([false]);
  });

  it('says all of its options in its help', () => {
    expect(helpOf(paint)).toContain(`Usage: sightglass paint FILE --colour NAME [--coat SHARE]

Options:
  --colour NAME             of the paint (required)
  --coats N                 how often (2)
  --cover SHARE             of the picture
  --title TEXT              may be none
  --mark N …                where
  --dry                     changes nothing

`);
  });
});

describe('a command with verbs', () => {
  const n = usual('--n N', 'how many', integer, 1);
  const pots = verbs('pots', {
    usage: ['list | fill ID COLOUR [--n N]'],
    verbs: {
      list: verb({}, {}),
      fill: made(verb({ id: 'ID', colour: 'COLOUR' }, { n }), ({ n: count, ...rest }) => ({ ...rest, count })),
    },
  });

  it('has the words and options of the verb', () => {
    expect(pots.read(['list'])).toEqual({ name: 'pots', verb: 'list' });
    const filled = { name: 'pots', verb: 'fill', id: '7', colour: 'red', count: 3 };
    expect(pots.read(['fill', '7', 'red', '--n', '3'])).toEqual(filled);
    expect(pots.read(['--n', '3', 'fill', '7', 'red'])).toEqual(filled);
  });

  it.each([
    [[], 'pots wants list or fill, got "".'],
    [['toString'], 'pots wants list or fill, got "toString".'],
    [['list', 'x'], 'pots list wants no more words.'],
    [['fill', '7'], 'pots fill wants ID COLOUR.'],
    [['fill', '7', ' '], 'pots fill wants COLOUR, got an empty word.'],
    [['list', '--n', '1'], "Unknown option '--n'"],
  ])('refuses %j', (args, message) => expect(() => pots.read(args)).toThrow(message));

  it('may be another thing with words than without', () => {
    const without = command('look', { usage: ['[--far]'], reads: together({ isFar: flag('--far', '') }) });
    const near = { path: word('thing'), ...inGroup('Near', { zoom: usual('--zoom N', '', integer, 1) }) };
    const look = byWords(without, command('look', { usage: ['THING'], reads: together(near) }), 'At a thing');
    expect(look.read([])).toEqual({ name: 'look', isFar: false });
    expect(look.read(['--zoom', '2', 'x'])).toEqual({ name: 'look', path: 'x', zoom: 2 });
    expect(() => look.read(['--zoom', '2'])).toThrow("Unknown option '--zoom'");
    expect(look.options.map(({ group }) => group)).toEqual(['', 'At a thing']);
  });
});
