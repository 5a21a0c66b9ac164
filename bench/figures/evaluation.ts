import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluateCoco } from '../../src/evidence/evaluation/coco/coco-metrics.ts';
import { readCocoResults, readCocoTruth } from '../../src/evidence/evaluation/coco/read-coco.ts';
import { matchBoxes } from '../../src/evidence/evaluation/match/match-boxes.ts';
import { sweepLabels } from '../../src/evidence/evaluation/sweep/label-sweep.ts';
import { metricsAt } from '../../src/evidence/evaluation/sweep/metrics-at.ts';
import { crowdedScenes } from '../crowded-scenes.ts';
import { median, type Figure } from '../figure.ts';

const [imageCount, boxesAnImage, labelCount] = [5000, 100, 80];

export const figure: Figure = {
  title: `COCO's figures of ${imageCount} images × ${boxesAnImage} boxes × ${labelCount} labels, against pycocotools in the same run`,
  measure({ root, note, at }) {
    at('making the set');
    const { truth, results } = crowdedScenes(imageCount, boxesAnImage, labelCount);
    const file = readCocoTruth(truth);
    const { detections } = readCocoResults(results, file);
    at('evaluating here');
    let AP: number | null = null;
    const seconds = [1, 2, 3].map(() => {
      const startedMs = performance.now();
      AP = evaluateCoco(file.truth, detections, file.space).metrics.AP;
      return (performance.now() - startedMs) / 1000;
    });
    const sweeps = sweepLabels(matchBoxes(file.truth, detections, file.space));
    const dragsMs = Array.from({ length: 200 }, (_, step) => {
      const startedMs = performance.now();
      metricsAt(sweeps, new Float64Array(labelCount).fill(step / 200));
      return performance.now() - startedMs;
    });
    const ours = median(seconds);
    const measured = [
      { name: `the twelve figures here (AP ${String(AP)})`, value: ours, unit: 's', atMost: 10 },
      { name: 'figures of all labels at a dragged threshold', value: median(dragsMs), unit: 'ms', atMost: 16 },
    ];
    at('in pycocotools');
    const folder = mkdtempSync(join(tmpdir(), 'sightglass-bench-'));
    try {
      const paths = [join(folder, 'truth.json'), join(folder, 'results.json')] as const;
      writeFileSync(paths[0], JSON.stringify(truth));
      writeFileSync(paths[1], JSON.stringify(results));
      const { status, stdout, stderr } = spawnSync('python3', [join(root, 'bench/peers/coco.py'), ...paths], {
        encoding: 'utf8',
      });
      if (status !== 0) {
        note(`pycocotools could not be asked: ${stderr.trim().split('\n').at(-1) ?? ''}`);
        return Promise.resolve(measured);
      }
      const times = JSON.parse(stdout) as Record<string, number>;
      const apart = Math.abs(times['pycocotools AP']! - AP!);
      const faster = times['faster-coco-eval'];
      return Promise.resolve([
        ...measured,
        { name: 'pycocotools', value: times['pycocotools']!, unit: 's' },
        ...(faster === undefined ? [] : [{ name: 'faster-coco-eval', value: faster, unit: 's' }]),
        { name: 'here against pycocotools', value: ours / times['pycocotools']!, unit: '×', atMost: 1 },
        { name: 'difference of AP, in units of 1e-12', value: apart * 1e12, unit: '', atMost: 1 },
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
