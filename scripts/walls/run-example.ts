import { join } from 'node:path';
import ts from 'typescript';

/** A line of an example whose result does not equal what its comment says. */
export interface Mismatch {
  readonly line: string;
  readonly expected: unknown;
  readonly received: unknown;
}

export interface ExampleResult {
  /** how many lines say what they give or throw */
  readonly checks: number;
  readonly mismatches: readonly Mismatch[];
}

/** Loads a module by its absolute path, or by the name of its package. */
type Load = (path: string) => Promise<object>;

const AsyncFunction = (async () => undefined).constructor as new (
  ...source: string[]
) => (...values: unknown[]) => Promise<void>;

/**
 * Runs the code of an `@example` and compares each `expression // => value` and `expression // throws: part of the message`
 * with what happens. The exports of the documented file are in scope; everything else is imported by the example,
 * relative to that file.
 * @param equals whether a received value equals an expected one
 * @throws SyntaxError when the code cannot be parsed, and whatever a line without `throws` throws
 */
export async function runExample(
  code: string,
  file: string,
  load: Load,
  equals: (received: unknown, expected: unknown) => boolean,
): Promise<ExampleResult> {
  const mismatches: Mismatch[] = [];
  let checks = 0;
  const check = (line: string, received: unknown, expected: unknown): void => {
    checks++;
    if (!equals(received, expected)) mismatches.push({ line, expected, received });
  };
  const checkThrows = async (line: string, run: () => unknown, part: string): Promise<void> => {
    checks++;
    const received = await Promise.resolve()
      .then(run)
      .then(
        () => 'nothing was thrown',
        (error: unknown) => String(error),
      );
    if (!received.includes(part)) mismatches.push({ line, expected: part, received });
  };
  const own = {
    ...(await load(file)),
    $check: check,
    $checkThrows: checkThrows,
    $load: (path: string) => load(path.startsWith('.') ? join(file, '..', path) : path),
  };
  await new AsyncFunction(...Object.keys(own), rewritten(code))(...Object.values(own));
  const stated = code.match(said)?.length ?? 0;
  if (checks !== stated) throw new SyntaxError(`${stated} lines say what they give, and ${checks} of them were run.`);
  return { checks, mismatches };
}

/** What marks a line that says what it gives. */
const said = / \/\/ (=>|throws:) /g;

/** The example as JavaScript: imports become `load`, and the lines that say what they give become checks. */
function rewritten(code: string): string {
  const source = ts.createSourceFile('example.ts', code, ts.ScriptTarget.Latest, true);
  const text = source.statements.map((statement) => {
    const written = statement.getText(source);
    if (ts.isImportDeclaration(statement)) {
      const names = statement.importClause?.namedBindings?.getText(source) ?? '{}';
      return `const ${names.replaceAll(' as ', ': ')} = await $load(${statement.moduleSpecifier.getText(source)});`;
    }
    const [, kind, value] = / *\/\/ (=>|throws:) (.*)/y.exec(code.slice(statement.end)) ?? [];
    if (!kind || !ts.isExpressionStatement(statement)) return written;
    const line = JSON.stringify(`${written} // ${kind} ${value}`);
    const expression = statement.expression.getText(source);
    return kind === '=>'
      ? `$check(${line}, ${expression}, (${value}));`
      : `await $checkThrows(${line}, async () => ${expression}, ${JSON.stringify(value!.trim())});`;
  });
  const compilerOptions = { target: ts.ScriptTarget.ESNext };
  const { outputText, diagnostics } = ts.transpileModule(text.join('\n'), { compilerOptions, reportDiagnostics: true });
  if (diagnostics?.length) throw new SyntaxError(ts.formatDiagnostics(diagnostics, hostOfDiagnostics));
  return outputText;
}

const hostOfDiagnostics: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => '',
  getNewLine: () => '\n',
};
