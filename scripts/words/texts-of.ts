import { parse } from 'svelte/compiler';
import ts from 'typescript';

/** A text of a source file that a person may read: a string, a template with … for what is filled in, or the words of markup. */
export interface SourceText {
  readonly line: number;
  readonly text: string;
}

/**
 * Lists the texts of a file of TypeScript or Svelte, without comments, styles and the paths of imports.
 *
 * @param path - tells by its ending how `source` is read
 * @param source - the whole file
 */
export function textsOf(path: string, source: string): readonly SourceText[] {
  const found = path.endsWith('.svelte') ? textsOfSvelte(source) : textsOfTypeScript(source);
  const starts = [...source.matchAll(/\n/g)].map(({ index }) => index);
  return found
    .map(([offset, text]) => ({ offset, text: text.replaceAll(/\s+/g, ' ').trim() }))
    .filter(({ text }) => / /.test(text))
    .map(({ offset, text }) => ({ line: starts.filter((start) => start < offset).length + 1, text }));
}

type Found = readonly [offset: number, text: string];

function textsOfTypeScript(source: string): readonly Found[] {
  const file = ts.createSourceFile('', source, ts.ScriptTarget.Latest);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
      found.push([node.getStart(file), node.text]);
    if (ts.isTemplateExpression(node))
      found.push([
        node.getStart(file),
        [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'),
      ]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** A node of Svelte's syntax tree, as far as it is read here; scripts are ESTree. */
interface SvelteNode {
  readonly type?: string;
  readonly start: number;
  readonly data?: string;
  readonly value?: unknown;
  readonly nodes?: readonly SvelteNode[];
  readonly fragment?: SvelteNode;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

function textsOfSvelte(source: string): readonly Found[] {
  const found: Found[] = [];
  const visit = (node: SvelteNode): void => {
    if (node.type === 'StyleSheet' || node.type === 'ImportDeclaration') return;
    if (node.type === 'Literal' && typeof node.value === 'string') found.push([node.start, node.value]);
    if (node.type === 'TemplateLiteral')
      found.push([node.start, node.quasis!.map(({ value }) => value.cooked).join('…')]);
    if (node.type === 'Fragment') found.push(...runsOf(node.nodes!));
    if (node.type === 'Attribute' && Array.isArray(node.value)) found.push([node.start, wordsOf(node.value)]);
    for (const [key, child] of Object.entries(node))
      if (key !== 'parent' && key !== 'loc' && typeof child === 'object' && child !== null)
        for (const one of Array.isArray(child) ? child : [child]) if (isNode(one)) visit(one);
  };
  const { fragment, instance, module } = parse(source, { modern: true });
  for (const root of [fragment, instance, module]) if (root) visit(root as unknown as SvelteNode);
  return found;
}

const isNode = (value: unknown): value is SvelteNode => typeof value === 'object' && value !== null && 'type' in value;

const inlineElements = ['a', 'b', 'code', 'em', 'i', 'kbd', 'span', 'strong'];

/** The texts between the elements of a fragment that begin a line of their own. */
function runsOf(nodes: readonly SvelteNode[]): readonly Found[] {
  const runs: SvelteNode[][] = [[]];
  for (const node of nodes) {
    if (isInline(node)) runs.at(-1)!.push(node);
    else runs.push([]);
  }
  return runs.filter((run) => run.length > 0).map((run) => [run[0]!.start, wordsOf(run)]);
}

const isInline = (node: SvelteNode): boolean =>
  node.type === 'Text' ||
  node.type === 'ExpressionTag' ||
  ('name' in node && inlineElements.includes(String(node.name)));

const wordsOf = (nodes: readonly SvelteNode[]): string =>
  nodes.map((node) => node.data ?? (node.fragment ? wordsOf(node.fragment.nodes!) : '…')).join('');
