import { knownObjects } from './known-objects.ts';
import { removeFix, renameFix, type Rule } from './rule.ts';

/** A key that the machine accepts in spite of its case, or loses beside the exact one. */
export const keyCase: Rule = {
  code: 'key-case',
  *check(context) {
    for (const { path, object, fields } of knownObjects(context)) {
      for (const name of Object.keys(fields)) {
        if (name === 'angle_degs') continue; // has a rule of its own: there the case changes the picture
        const spellings = Object.keys(object).filter((key) => key.toLowerCase() === name);
        const read = spellings.includes(name) ? name : spellings[0];
        for (const key of spellings) {
          if (key === name) continue;
          const at = [...path, key];
          const ignored = key !== read;
          yield {
            path: at,
            onKey: true,
            severity: ignored ? 'warning' : 'info',
            message: ignored
              ? `"${key}" is ignored beside "${read}".`
              : `The machine reads this as ${name}; write it so.`,
            fix: ignored
              ? removeFix(context, `Remove "${key}"`, at)
              : renameFix(context, `Rename to ${name}`, at, name),
          };
        }
      }
    }
  },
};
