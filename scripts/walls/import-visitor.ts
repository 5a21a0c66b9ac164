import type { Rule } from 'eslint';
import type { Import, ImportKind } from './refuse-import.ts';

/** A syntax node of either parser; their types differ. */
interface SyntaxNode {
  readonly type: string;
  readonly [property: string]: unknown;
}

/** Called for each import; `found` is null if the path is computed. */
export type OnImport = (node: Rule.Node, found: Import | null) => void;

/**
 * Finds all ways in which a file names another: import and export, import(), types, mocks, `require` in all its forms, and
 * URLs of workers and data.
 */
export function importVisitor(onImport: OnImport): Rule.RuleListener {
  const tell = (node: unknown, source: unknown, kind: ImportKind): void => {
    const specifier = textOf(source);
    onImport(node as Rule.Node, specifier === null ? null : { specifier, kind });
  };
  const declaration = (kind: 'importKind' | 'exportKind') => (node: unknown) => {
    const declared = node as SyntaxNode;
    // `import { type A } from` still loads the module (verbatimModuleSyntax).
    if (declared['source']) tell(declared, declared['source'], declared[kind] === 'type' ? 'type' : 'value');
  };
  return {
    ImportDeclaration: declaration('importKind'),
    ExportNamedDeclaration: declaration('exportKind'),
    ExportAllDeclaration: declaration('exportKind'),
    ImportExpression: (node) => tell(node, node.source, 'value'),
    TSImportType: (node: Rule.Node) => tell(node, (node as unknown as SyntaxNode)['source'], 'type'),
    TSExternalModuleReference: (node: Rule.Node) => tell(node, (node as unknown as SyntaxNode)['expression'], 'value'),
    CallExpression(node) {
      const name = dotted(node.callee);
      // Shaders of the folder itself import nothing, so they lead through no wall.
      if (name === 'import.meta.glob' && textOf(node.arguments[0]) === './*.wgsl') return;
      if (/^(import\.meta\.(glob|resolve)|process\.getBuiltinModule)$/.test(name)) return onImport(node, null);
      if (/^(require(\.resolve)?|vi\.(mock|doMock|unmock|doUnmock|importActual|importMock))$/.test(name)) {
        tell(node, node.arguments[0], 'value');
      }
    },
    // What `createRequire` gives has to be called `require`: under another name its calls would not be found.
    Identifier(node) {
      if (node.name !== 'createRequire') return;
      const { parent } = node;
      if (parent.type === 'ImportSpecifier' && parent.local.name === 'createRequire') return;
      const declared = parent.type === 'CallExpression' && parent.callee === node ? parent.parent : null;
      if (declared?.type === 'VariableDeclarator' && dotted(declared.id) === 'require') return;
      onImport(node, null);
    },
    // Given a name, or asked by a text, it hides what is imported through it.
    MetaProperty(node) {
      const { parent } = node;
      if (parent.type !== 'MemberExpression' || parent.object !== node || parent.computed) onImport(node, null);
    },
    NewExpression(node) {
      const [url, base] = node.arguments;
      if (dotted(node.callee) !== 'URL' || dotted(base) !== 'import.meta.url') return;
      const path = textOf(url);
      if (path === null) onImport(node, null);
      else if (!/^([a-z][a-z0-9+.-]*:|\/)/i.test(path)) {
        onImport(node, { specifier: path.startsWith('.') ? path : `./${path}`, kind: 'file' });
      }
    },
  };
}

/** `a.b.c` if the expression is of that form, otherwise ''. */
function dotted(node: unknown): string {
  const { type, name, computed, object, property } = (node ?? {}) as SyntaxNode;
  if (type === 'Identifier') return String(name);
  if (type === 'MetaProperty') return 'import.meta';
  return type === 'MemberExpression' && !computed ? `${dotted(object)}.${dotted(property)}` : '';
}

function textOf(node: unknown): string | null {
  const { type, value, quasis } = (node ?? {}) as SyntaxNode & { readonly quasis?: readonly SyntaxNode[] };
  if (type === 'Literal' && typeof value === 'string') return value;
  if (type !== 'TemplateLiteral' || quasis?.length !== 1) return null;
  return (quasis[0]!['value'] as { readonly cooked: string }).cooked;
}
