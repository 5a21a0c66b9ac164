import type { Figure } from '../figure.ts';
import { tryMany } from '../../tests/drawn-causes.ts';

const each = 300;

export const figure: Figure = {
  title:
    'what parity names as the cause, of one thing or two that the bench has otherwise than the machine, drawn by lot',
  async measure({ at, note }) {
    at('one thing');
    const one = await tryMany(each, { count: 1, seed: 2026 });
    at('two things');
    const two = await tryMany(each, { count: 2, seed: 2027 });
    for (const text of [...one.others, ...two.others.slice(0, two.wrong)]) note(text);
    return [
      { name: 'one thing, named right and alone', value: (100 * one.right) / each, unit: '%', atLeast: 95 },
      { name: 'two things, both named', value: (100 * two.right) / each, unit: '%', atLeast: 70 },
      { name: 'two things, a wrong one or one of them named as if it were all', value: two.wrong, unit: '', atMost: 0 },
    ];
  },
};
