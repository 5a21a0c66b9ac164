import { ensureChromium } from './chromium.ts';
import { buildPart, runParts, testPart } from './run-parts.ts';

// All checks and tests: unit and contract, then real Chromium, then a real server, then journeys on the built app, in other engines too.
process.env['CHROMIUM_PATH'] = ensureChromium();

runParts([
  { name: 'format, dead code, lint, types', command: ['npm', 'run', 'check'] },
  testPart('unit'),
  testPart('browser'),
  buildPart,
  testPart('server'),
  testPart('e2e'),
  testPart('engines'),
]);
