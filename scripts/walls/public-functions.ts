import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { behindFace, isFace, namedImports, scriptOf, type NamedImport } from './imports-of.ts';
import { roomOf } from './refuse-import.ts';

/** A function that another room imports: whoever calls it reads its comment, not its body. */
export interface PublicFunction {
  /** path of its file from the repository's root */
  readonly path: string;
  readonly name: string;
  readonly parameters: number;
  readonly returnsNothing: boolean;
  readonly tags: ReadonlySet<string>;
  readonly paramTags: number;
  /** the text of its `@example`s */
  readonly examples: readonly string[];
}

/** The file that loads the commands: nothing else in the code calls them, but whoever types their names. */
const commandLine = 'src/cli/commands.ts';

const root = join(import.meta.dirname, '../..');

/** The functions in these folders that production files of other rooms import by name. */
export function publicFunctions(folders: readonly string[]): PublicFunction[] {
  const imported = importedNames();
  const paths = [...imported.keys()].filter((path) => folders.some((folder) => path.startsWith(`${folder}/`))).sort();
  return paths.flatMap((path) => functionsOf(path).filter(({ name }) => imported.get(path)!.has(name)));
}

/** For each file the names that files of other rooms import from it, tests left out. */
function importedNames(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const from of productionFiles()) {
    const text = scriptOf(from, readFileSync(join(root, from), 'utf8'));
    for (const { specifier, names } of [
      ...namedImports(text, 'values'),
      ...(from === commandLine ? loadedIn(text) : []),
    ]) {
      const path = relative(root, join(root, dirname(from), specifier));
      if (roomOf(path) === roomOf(from) && from !== commandLine) continue;
      const behind = isFace(path) ? behindFace(join(root, path)) : null;
      for (const name of names) {
        const declaring = behind?.has(name) ? relative(root, behind.get(name)!) : path;
        found.set(declaring, new Set([...(found.get(declaring) ?? []), name]));
      }
    }
  }
  return found;
}

/** What the command line loads when a command is given: `(await import('./fit.ts')).fit(…)`. */
function loadedIn(text: string): NamedImport[] {
  return [
    ...text.matchAll(/\(await import\('(\.[^']+\.ts)'\)\)\.(\w+)|\{ ([\w, ]+) \} = await import\('(\.[^']+\.ts)'\)/g),
  ].map(([, specifier, name, names, other]) => ({
    specifier: (specifier ?? other)!,
    names: (name ?? names)!.split(', '),
  }));
}

/** Every file of `src` and `workers` that ships, from the root of the repository. */
export function productionFiles(): string[] {
  const paths = ['src', 'workers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  return paths.filter((path) => /\.(ts|svelte)$/.test(path) && !/\.test\.ts$|(^|\/)test-[^/]*\.ts$/.test(path));
}

function functionsOf(path: string): PublicFunction[] {
  const file = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true);
  return file.statements.flatMap((statement) => {
    if (!ts.isFunctionDeclaration(statement) || !statement.name) return [];
    const name = statement.name.text;
    const overloads = file.statements.filter((one) => ts.isFunctionDeclaration(one) && one.name?.text === name);
    if (overloads[0] !== statement) return [];
    const tags = ts.getJSDocTags(statement);
    return [
      {
        path,
        name,
        parameters: statement.parameters.length,
        returnsNothing: /^(void|Promise<void>|never|asserts .*)$/.test(statement.type?.getText(file) ?? ''),
        tags: new Set(tags.map(({ tagName }) => tagName.text)),
        paramTags: tags.filter(ts.isJSDocParameterTag).length,
        examples: tags.flatMap((tag) =>
          tag.tagName.text === 'example' ? [ts.getTextOfJSDocComment(tag.comment) ?? ''] : [],
        ),
      },
    ];
  });
}
