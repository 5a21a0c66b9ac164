import ts from 'typescript';
import type { Edit } from './edit-text.ts';

interface Mutation {
  readonly edit: Edit;
  readonly site: { readonly start: number; readonly end: number };
}

const { SyntaxKind: Kind } = ts;

/** Each operator's neighbours: what a slip of the hand, or of the head, would have written. */
const otherOperators = new Map<ts.SyntaxKind, readonly string[]>([
  [Kind.LessThanToken, ['<=', '>=']],
  [Kind.LessThanEqualsToken, ['<', '>']],
  [Kind.GreaterThanToken, ['>=', '<=']],
  [Kind.GreaterThanEqualsToken, ['>', '<']],
  [Kind.EqualsEqualsEqualsToken, ['!==']],
  [Kind.ExclamationEqualsEqualsToken, ['===']],
  [Kind.EqualsEqualsToken, ['!=']],
  [Kind.ExclamationEqualsToken, ['==']],
  [Kind.AmpersandAmpersandToken, ['||']],
  [Kind.BarBarToken, ['&&']],
  [Kind.QuestionQuestionToken, ['&&']],
  [Kind.PlusToken, ['-']],
  [Kind.MinusToken, ['+']],
  [Kind.AsteriskToken, ['/']],
  [Kind.SlashToken, ['*']],
  [Kind.PercentToken, ['*']],
  [Kind.AmpersandToken, ['|']],
  [Kind.BarToken, ['&']],
  [Kind.CaretToken, ['&']],
  [Kind.LessThanLessThanToken, ['>>']],
  [Kind.GreaterThanGreaterThanToken, ['<<']],
  [Kind.GreaterThanGreaterThanGreaterThanToken, ['<<']],
  [Kind.PlusEqualsToken, ['-=']],
  [Kind.MinusEqualsToken, ['+=']],
  [Kind.AsteriskEqualsToken, ['/=']],
  [Kind.SlashEqualsToken, ['*=']],
]);

const otherMethods = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['round', 'floor'],
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
]);

/** What can be changed at a node itself, its children left as they are. */
export function mutationsOf(node: ts.Node, file: ts.SourceFile): Mutation[] {
  const whole = { start: node.getStart(file), end: node.getEnd() };
  const replace = (text: string, of: ts.Node = node): Mutation => {
    const site = { start: of.getStart(file), end: of.getEnd() };
    return { edit: { ...site, text }, site };
  };

  if (ts.isBinaryExpression(node)) {
    if (node.operatorToken.kind === Kind.PlusToken && [node.left, node.right].some(isText)) return [];
    const others = otherOperators.get(node.operatorToken.kind) ?? [];
    return others.map((text) => ({ ...replace(text, node.operatorToken), site: whole }));
  }
  if (ts.isPrefixUnaryExpression(node)) return prefixMutations(node, replace);
  if (ts.isPostfixUnaryExpression(node)) {
    return [replace(node.operand.getText(file) + (node.operator === Kind.PlusPlusToken ? '--' : '++'))];
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const other = otherMethods.get(node.expression.name.text);
    return other === undefined ? [] : [{ ...replace(other, node.expression.name), site: whole }];
  }
  if (ts.isIfStatement(node)) {
    const empty = node.elseStatement && ts.isBlock(node.elseStatement) ? emptied(node.elseStatement, file) : [];
    return [...conditionMutations(node.expression, replace), ...empty];
  }
  if (ts.isConditionalExpression(node)) return conditionMutations(node.condition, replace);
  if (ts.isWhileStatement(node)) return conditionMutations(node.expression, replace).slice(1);
  if (ts.isForStatement(node) && node.condition) return conditionMutations(node.condition, replace).slice(1);
  if (ts.isReturnStatement(node) && node.expression && !isPlain(node.expression)) {
    return [replace('undefined', node.expression)];
  }
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body) && !isPlain(node.body)) {
    return [replace('undefined', node.body)];
  }
  if (ts.isExpressionStatement(node) && !isDirective(node)) return [replace('undefined', node.expression)];
  if (ts.isBlock(node)) return isBodyOfMore(node) ? emptied(node, file) : [];
  if (node.kind === Kind.TrueKeyword) return [replace('false')];
  if (node.kind === Kind.FalseKeyword) return [replace('true')];
  if (ts.isNumericLiteral(node) && !isName(node)) return [replace(`(${node.getText(file)} + 1)`)];
  if (ts.isBigIntLiteral(node)) return [replace(`(${node.getText(file)} + 1n)`)];
  if (isText(node) && !isName(node) && !isForPeople(node)) {
    return [replace(ts.isStringLiteralLike(node) && node.text === '' ? "'other'" : "''")];
  }
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isTarget(node)) return [replace('[]')];
  return [];
}

type Replace = (text: string, of?: ts.Node) => Mutation;

function prefixMutations(node: ts.PrefixUnaryExpression, replace: Replace): Mutation[] {
  const operand = node.operand.getText();
  if (node.operator === Kind.ExclamationToken || node.operator === Kind.MinusToken) return [replace(operand)];
  if (node.operator === Kind.PlusPlusToken) return [replace(`--${operand}`)];
  if (node.operator === Kind.MinusMinusToken) return [replace(`++${operand}`)];
  return [];
}

const conditionMutations = (condition: ts.Expression, replace: Replace): Mutation[] =>
  isPlain(condition) ? [] : [replace('true', condition), replace('false', condition)];

function emptied(block: ts.Block, file: ts.SourceFile): Mutation[] {
  if (block.statements.length === 0) return [];
  const inside = block.getStart(file) + 1;
  return [{ edit: { start: inside, end: block.getEnd() - 1, text: '' }, site: { start: inside, end: inside } }];
}

/** The body of a function or a catch; of one statement alone, that statement's own mutants say as much. */
function isBodyOfMore(block: ts.Block): boolean {
  return (ts.isFunctionLike(block.parent) || ts.isCatchClause(block.parent)) && block.statements.length > 1;
}

/** What has a mutant of its own, or what nothing is lost with. */
function isPlain(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isPlain(node.expression);
  if (ts.isPrefixUnaryExpression(node)) return isPlain(node.operand);
  if (ts.isIdentifier(node)) return node.text === 'undefined';
  if (ts.isObjectLiteralExpression(node)) return node.properties.length === 0;
  const kinds = [Kind.TrueKeyword, Kind.FalseKeyword, Kind.NullKeyword, Kind.ArrayLiteralExpression];
  return ts.isNumericLiteral(node) || isText(node) || kinds.includes(node.kind);
}

function isText(node: ts.Node): node is ts.StringLiteralLike | ts.TemplateExpression {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** Messages, which have spaces: how they are worded is no rule. */
function isForPeople(node: ts.StringLiteralLike | ts.TemplateExpression): boolean {
  const texts = ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
    : [node.text];
  return texts.some((text) => text.includes(' '));
}

/** The name of a property, or a tagged template: nothing else can stand there. */
function isName(node: ts.Node): boolean {
  const parent = node.parent as { readonly [part in 'name' | 'propertyName' | 'template']?: ts.Node };
  return [parent.name, parent.propertyName, parent.template].includes(node);
}

const isDirective = ({ expression }: ts.ExpressionStatement): boolean => ts.isStringLiteral(expression);

/** `[a, b] = …` and `for ([a, b] of …)`. */
function isTarget(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return parent.operatorToken.kind === Kind.EqualsToken && parent.left === node;
  return ts.isForOfStatement(parent) && parent.initializer === node;
}
