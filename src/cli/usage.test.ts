import { describe, expect, it } from 'vitest';
import { commands } from './commands.ts';
import { parseCommand } from '../../tests/parse-command.ts';
import { optionForm, optionText } from './record/help.ts';
import { UsageError } from './record/usage-error.ts';
import { commandHelp, commandNames, usage, usageErrorText } from './usage.ts';

const wide = (text: string) => text.split('\n').filter((line) => line.length > 130);

it('fits a terminal of 130 columns', () => {
  expect(wide(usage)).toEqual([]);
});

describe('the help of one command', () => {
  it.each(commandNames.map((name) => [name]))('%s: its lines, what is said of it, and no other’s', (name) => {
    const help = commandHelp(name)!;
    expect(help).toMatch(new RegExp(`^Usage: sightglass ${name}( |$)`, 'm'));
    const [lines] = help.split('\n\n') as [string];
    expect(new Set(lines.match(/sightglass \S+/g))).toEqual(new Set([`sightglass ${name}`]));
    expect(help).toContain('Exit code: 0 all well');
    const others = commandNames.filter((other) => help.includes(`sightglass ${other} `));
    expect(others).toEqual([name]);
    expect(parseCommand([name, '--help'])).toEqual({ name: 'help', of: name });
    expect(parseCommand([name, '--nonsense', '-h'])).toEqual({ name: 'help', of: name });
    expect(parseCommand(['help', name])).toEqual({ name: 'help', of: name });
  });

  it('has both forms of a command that has two, and all of its options', () => {
    expect(commandHelp('check')).toMatch(/sightglass check \[--data DIR[^]*sightglass check certificate\.json/);
    expect(commandHelp('evaluate')).toContain('--thresholds-set-elsewhere');
    expect(commandHelp('serve')).toContain('--disk-budget');
  });

  it.each(commands)('$name: each of its options once, with what holds without it', ({ name, options }) => {
    const help = commandHelp(name)!;
    expect(wide(help)).toEqual([]);
    expect(new Set(options.map((option) => `${option.group} ${option.name}`)).size).toBe(options.length);
    for (const option of options) {
      const [, block = ''] = help.split(`\n${option.group || 'Options'}:`);
      const [, text = ''] = block.split(`\n  ${optionForm(option)}`);
      const wanted = `${optionText(option)} `;
      expect(`${text.replaceAll(/\s+/g, ' ').trimStart()} `.slice(0, wanted.length)).toBe(wanted);
    }
  });

  it.each(commands)(
    '$name: no option in its lines that it does not read, and none left out that it requires',
    (command) => {
      const lines = command.usage.join(' ');
      const told = new Set(lines.match(/(?<=--)[a-z][a-z-]+/g));
      expect(command.options.map(({ name }) => name)).toEqual(expect.arrayContaining([...told]));
      for (const { name, isRequired } of command.options) if (isRequired) expect(lines).toContain(`--${name} `);
    },
  );

  it('is that of all where no command is named', () => {
    expect(parseCommand(['--help'])).toEqual({ name: 'help', of: null });
    expect(parseCommand(['helth', '--help'])).toEqual({ name: 'help', of: null });
    expect(commandHelp('helth')).toBeNull();
  });
});

describe('what a refused command line says', () => {
  it('is the reason first and last, and between them the lines of its command alone', () => {
    const lines = usageErrorText('evaluate wants --data.', 'evaluate').split('\n');
    expect([lines[0], lines.at(-1)]).toEqual([
      'evaluate wants --data.',
      'evaluate wants --data. Help: sightglass evaluate --help',
    ]);
    expect(lines.length).toBeLessThan(15);
    expect(lines.join('\n')).not.toContain('sightglass serve');
  });

  it.each([
    [['evalute'], 'Unknown command "evalute". Is it "evaluate"?'],
    [['pairty'], 'Unknown command "pairty". Is it "parity"?'],
    [['lints'], 'Unknown command "lints". Is it "lint"?'],
    [['class'], 'Unknown command "class". Is it "classify"?'],
    [['frobnicate'], 'Unknown command "frobnicate".'],
    [[], 'No command given.'],
    [['fit'], 'fit wants one model, got 0 paths.'],
    [['evaluate', '--config', 'm.json', '--vision', 'v'], 'evaluate wants --data.'],
  ])('of %j, its reason is one line', (argv, reason) => {
    expect(() => parseCommand(argv)).toThrow(new UsageError(reason));
  });

  it('names the commands where there is none of that name', () => {
    const text = usageErrorText('Unknown command "x".', 'x');
    expect(text).toContain(`Commands: ${commandNames.join(' ')}`);
    expect(text.split('\n').at(-1)).toBe('Unknown command "x". Help: sightglass --help');
    expect(wide(usageErrorText('No command given.', undefined).replace(/^Commands: .*$/m, ''))).toEqual([]);
  });
});
