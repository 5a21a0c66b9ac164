import type { Rule } from 'eslint';

/** A docstring's first words that leave its reader to guess which thing is meant. */
const riddle = /^(?:(?:it|its|they|their|of|as)\b|what (?:is|are|was|were)\b)/i;

/** The text of a block comment without its asterisks; undefined: the comment is no docstring. */
function docstringText(comment: { readonly type: string; readonly value: string }): string | undefined {
  if (comment.type !== 'Block' || !comment.value.startsWith('*')) return undefined;
  return comment.value.replace(/^[*\s]+/, '');
}

/**
 * Refuses a docstring that begins with a pronoun, *of*, *as* or *what is*: beside a field, in a tooltip of an editor, nothing
 * says what they refer to. Remarks in `//` are left alone, since their line names the thing.
 */
export const plainComment: Rule.RuleModule = {
  meta: { type: 'suggestion', schema: [] },
  create({ sourceCode, report }) {
    return {
      Program() {
        for (const comment of sourceCode.getAllComments()) {
          const [words] = riddle.exec(docstringText(comment) ?? '') ?? [];
          if (words === undefined || !comment.loc) continue;
          report({ loc: comment.loc, message: `Begin with a noun: say what this is, not "${words} …".` });
        }
      },
    };
  },
};
