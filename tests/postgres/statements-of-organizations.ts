import pg from 'pg';
import { vi } from 'vitest';
import type { PostgresDatabase, Statements } from '../../src/platform/node/postgres-data-store/postgres-database.ts';

interface Plan {
  readonly [key: string]: unknown;
  readonly Plans?: readonly Plan[];
}

/** Notes the text of each statement that this process asks a PostgreSQL, from now on. */
export function noteStatements(): { readonly texts: ReadonlySet<string>; end(): void } {
  const texts = new Set<string>();
  const original = Reflect.get(pg.Client.prototype, 'query') as (...given: readonly unknown[]) => unknown;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: unknown, ...given: unknown[]) {
    if (typeof given[0] === 'string') texts.add(given[0].replace(/\s+/g, ' ').trim());
    return original.apply(this, given);
  } as never);
  return { texts, end: () => spy.mockRestore() };
}

/** The tables whose rows are each of an organization. */
export async function tablesOfOrganizations(database: PostgresDatabase): Promise<ReadonlySet<string>> {
  const rows = await database.rows(
    "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'organization_id'",
  );
  return new Set(rows.map(({ name }) => name as string));
}

/** Those of some statements that read rows of these tables whose organization no condition or join says. */
export async function withoutOrganization(
  database: PostgresDatabase,
  texts: Iterable<string>,
  tables: ReadonlySet<string>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const text of texts) {
    if (!/^(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text)) continue;
    const plan = await database.write((statements) => planOf(statements, text));
    if (scansAll(plan, tables, '')) found.push(text);
  }
  return found;
}

/** The plan for any values, which has the conditions of each table beside its name. */
async function planOf(statements: Statements, text: string): Promise<Plan> {
  const count = Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number)));
  const values = count === 0 ? '' : `(${Array.from({ length: count }, () => 'NULL').join()})`;
  await statements.run('SET LOCAL plan_cache_mode = force_generic_plan');
  await statements.run('DEALLOCATE ALL');
  await statements.run(`PREPARE asked AS ${text}`);
  const row = await statements.row(`EXPLAIN (FORMAT JSON, COSTS OFF) EXECUTE asked${values}`);
  return (row!['QUERY PLAN'] as readonly { readonly Plan: Plan }[])[0]!.Plan;
}

const joins = ['Hash Cond', 'Merge Cond', 'Join Filter'];

function scansAll(plan: Plan, tables: ReadonlySet<string>, joinedBy: string): boolean {
  const isScan = plan['Node Type'] !== 'ModifyTable' && tables.has(plan['Relation Name'] as string);
  const own = Object.keys(plan).filter((key) => /Cond$|Filter$/.test(key));
  const conditions = own.map((key) => String(plan[key])).join() + joinedBy;
  if (isScan && !conditions.includes('organization_id')) return true;
  const joining = joinedBy + joins.map((key) => String(plan[key] ?? '')).join();
  return (plan.Plans ?? []).some((inner) => scansAll(inner, tables, joining));
}
