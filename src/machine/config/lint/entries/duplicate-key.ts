import { getNodePath } from 'jsonc-parser';
import type { JsonNode } from '../../json/json-document.ts';
import type { Report, Rule } from '../rule/rule.ts';

/** A key given twice in one object: the last one counts, the others are lost in silence. */
export const duplicateKey: Rule = {
  code: 'duplicate-key',
  *check({ document }) {
    if (document.root) yield* search(document.root);
  },
};

function* search(node: JsonNode): Iterable<Report> {
  const children = node.children ?? [];
  for (const [index, child] of children.entries()) {
    if (node.type === 'object') {
      const key = child.children?.[0];
      const follower = children[index + 1];
      const again = children.slice(index + 1).some((other) => other.children?.[0]?.value === key?.value);
      if (key && follower && again) {
        const name = String(key.value);
        yield {
          path: [...getNodePath(node), name],
          range: { offset: key.offset, length: key.length },
          severity: 'warning',
          message: `"${name}" is given again further down; only the last one counts.`,
          fix: {
            title: 'Remove this one',
            edits: [{ offset: child.offset, length: follower.offset - child.offset, content: '' }],
          },
        };
      }
    }
    yield* search(child);
  }
}
