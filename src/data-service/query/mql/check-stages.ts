import { isDocument, type QueryValue, type QueryStage } from '../query-document.ts';
import { invalidQuery } from '../query-error.ts';
import { checkShape } from './check-shape.ts';
import { allowedOperators, allowedStages, scriptOperators } from './allowed-operators.ts';

/**
 * Refuses what no query may hold: a stage or an operator beyond the allowed ones or with what it does not take, and
 * scripts wherever they stand. Throws QueryError `invalid-query` naming the stage or operator.
 */
export function checkStages(stages: readonly QueryStage[]): void {
  for (const [index, stage] of stages.entries()) {
    const names = Object.keys(stage);
    const [name] = names;
    if (name === undefined || names.length > 1)
      throw invalidQuery(`Stage ${index} must have exactly one field, its operator; it has ${names.length}.`);
    if (!allowedStages.has(name))
      throw invalidQuery(`Stage ${index}: ${name} is not allowed. Allowed are ${[...allowedStages].join(', ')}.`);
    checkOperators(stage[name], `Stage ${index} (${name})`, false);
    checkShape(name, stage[name], `Stage ${index}: ${name}`);
  }
}

function checkOperators(value: QueryValue, where: string, literal: boolean): void {
  if (Array.isArray(value)) {
    for (const item of value as readonly QueryValue[]) checkOperators(item, where, literal);
  } else if (isDocument(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (scriptOperators.has(key)) throw invalidQuery(`${where}: ${key} is not allowed: queries run no scripts.`);
      if (!literal && key.startsWith('$') && !allowedOperators.has(key))
        throw invalidQuery(`${where}: the operator ${key} is not known here.`);
      if (!literal) checkShape(key, inner, `${where}: ${key}`);
      checkOperators(inner, where, literal || key === '$literal');
    }
  }
}
