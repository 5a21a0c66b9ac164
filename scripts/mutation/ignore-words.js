import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

// Words for people are no rule: a text with a space in it may be written anew at any time. Codes, names and keys have none.
const textOf = (node) => {
  if (node.type === 'StringLiteral') return node.value;
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.raw).join('…');
  return '';
};

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'words', {
    shouldIgnore: ({ node }) => (textOf(node).trim().includes(' ') ? 'words for people' : undefined),
  }),
];
