import { writeFileSync } from 'node:fs';
import { seededSet } from '../../../tests/coco-golden/seeded-sets.ts';

// Writes the seeded sets for answers.py: node scripts/golden/coco/write-sets.ts FROM TO FILE
const [from, to, path] = process.argv.slice(2);
const sets = [];
for (let seed = Number(from); seed <= Number(to); seed++) sets.push({ seed, ...seededSet(seed) });
writeFileSync(path!, JSON.stringify(sets));
