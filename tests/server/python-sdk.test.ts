import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperationRecord } from '../clients/operation-record.ts';
import { codeName, pythonProgram, startLines, type ProgramLines } from '../clients/other-languages.ts';
import { readmeColumn } from '../clients/readme-column.ts';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';

const path = fileURLToPath(new URL('../clients/python/operation_scenarios.py', import.meta.url));
const scenarios = [...readFileSync(path, 'utf8').matchAll(/^@scenario\("(.*)"\)$/gm)].map(([, name]) => name!);
/** The release of the SDK whose column stands in the documentation; others may offer other calls. */
const release = '0.85.1';
const program = pythonProgram(path, [`viam-sdk==${release}`]);
const why = 'missing' in program ? ` (skipped: ${program.missing})` : '';

interface Ran {
  readonly name: string;
  readonly calls: readonly (readonly [operation: string, code: string])[];
  readonly error: string | null;
}

describe.skipIf('missing' in program)(`the Viam SDK in Python${why}`, () => {
  const record = new OperationRecord();
  let server: SightglassServer;
  let running: ProgramLines;

  beforeAll(async () => {
    server = await serveSightglass(['--mongo-port', '0']);
    const { organizationId, locationId, partId, keyId, key, origin } = server;
    running = startLines(program as Extract<typeof program, readonly string[]>, {
      SIGHTGLASS_ORGANIZATION: organizationId,
      SIGHTGLASS_LOCATION: locationId,
      SIGHTGLASS_PART: partId,
      SIGHTGLASS_ADDRESS: new URL(origin).host,
      SIGHTGLASS_KEY_ID: keyId,
      SIGHTGLASS_KEY: key,
    });
  });
  afterAll(async () => {
    running?.kill();
    await server?.close();
  });

  // The program runs all of them in this order.
  it.each(scenarios)(
    '%s',
    async (scenario) => {
      const { name, calls, error } = JSON.parse(await running.next()) as Ran;
      expect(name).toBe(scenario);
      await record.during(async () => {
        calls.forEach(([operation, code]) => record.note(operation, codeName(code)));
        expect(error).toBeNull();
      });
    },
    90_000,
  );

  it('has called all that the SDK offers', async () => {
    expect(JSON.parse(await running.next())).toEqual([]);
  });

  it('is what the README says', () => {
    expect(readmeColumn('Server: SDK, Python', record.marks)).toEqual(record.marks);
  });
});
