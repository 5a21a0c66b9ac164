import { render } from 'svelte/server';
import { describe, expect, it } from 'vitest';
import type { AreaRoute } from '../../areas/area-route.svelte.ts';
import type { Evaluation } from '../evaluation/evaluation.svelte.ts';
import type { LabelPair } from '../../../evidence/datasets/label-schemes/label-scheme.ts';
import EvaluationSetup from './EvaluationSetup.svelte';
import LabelNames from './LabelNames.svelte';

const ofBench = 'The model, its camera’s transforms and its thresholds are those of the bench.';

describe('what the page says of the model', () => {
  function said({ kind = 'done', isInForce = false, doneCount = 1, modelName = 'b.onnx' }) {
    const run = {
      state: { kind, words: { message: 'It failed.', cure: '' } },
      isBusy: kind === 'running' || kind === 'preparing',
      model: { serviceName: 'finder', modelName: 'a.onnx', isInForce, onBench: { serviceName: 'sorter', modelName } },
      doneCount,
      images: [{ boxes: [] }],
      results: [{}],
      failed: [],
      isKept: true,
      imagesPerSecond: null,
      leftMs: null,
      modelLabels: null,
      truthLabels: [],
      pairs: [],
    };
    const evaluation = {
      run,
      sets: [],
      setId: 's',
      staleness: isInForce ? '' : 'model',
      classes: {},
      names: {},
      offeredPairs: [],
    };
    const areas = { href: (area: string) => `#${area}` };
    const props = { evaluation: evaluation as unknown as Evaluation, areas: areas as unknown as AreaRoute };
    const text = render(EvaluationSetup, { props }).body.replaceAll(/<[^>]*>/g, '');
    return text.replaceAll(/\s+/g, ' ').split('Model ')[1]!.split(' Was it trained')[0]!;
  }

  it('is that the bench has it, as long as it does', () => {
    expect(said({ isInForce: true })).toBe(`finder · a.onnx ${ofBench}`);
  });

  it('is what was run, and what another run takes, once the bench has another one', () => {
    const now = 'That is what was run. The bench has another model or setup now';
    expect(said({})).toBe(`finder · a.onnx ${now}: Run again runs what is there, sorter · b.onnx.`);
    expect(said({ kind: 'cancelled' })).toBe(`finder · a.onnx ${now}: Continue runs what is there, sorter · b.onnx.`);
    expect(said({ modelName: '' })).toBe(`finder · a.onnx ${now}: Run again runs what is there.`);
  });

  it('promises no other run while one is under way', () => {
    const now = 'The bench has another model or setup now.';
    expect(said({ kind: 'running' })).toBe(`finder · a.onnx That is what this run began with. ${now}`);
  });

  it.each(['preparing', 'cancelled', 'failed'])('names no model of an earlier run for one that is %s', (kind) => {
    expect(said({ kind, doneCount: 0 })).toBe(ofBench);
  });
});

describe('names of labels', () => {
  const pair = { label: 'couch', modelLabel: 'sofa' };
  const said = (
    run: Partial<Evaluation['run']>,
    offeredPairs: readonly LabelPair[] = [],
    names: object = {},
  ): string => {
    const evaluation = {
      run: { modelLabels: ['sofa', 'chair'], truthLabels: ['couch', 'stool', 'chair'], pairs: [], ...run },
      names,
      offeredPairs,
    };
    return render(LabelNames, { props: { evaluation: evaluation as unknown as Evaluation } })
      .body.replaceAll(/<!--.*?-->/g, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');
  };

  it('are shown where there is something to pair, or something is paired', () => {
    expect(said({ modelLabels: null })).not.toContain('Label names');
    expect(said({ truthLabels: ['Sofa', 'chair'] })).not.toContain('Label names');
    expect(said({ truthLabels: ['stool'] })).toContain('Label names Add a pair');
    expect(said({ truthLabels: ['couch'], pairs: [pair] })).toContain(
      '1 label of the dataset by the model’s name: couch = sofa',
    );
  });

  it('are offered, counted and taken back', () => {
    expect(said({}, [pair])).toContain('1 name of the dataset may be the model’s in other words: couch = sofa');
    expect(said({})).not.toContain('in other words');
    expect(said({}, [], { canUndo: true })).toContain('Undo this change');
    const failure = { message: 'They were not kept.', cure: '' };
    expect(said({}, [], { failure })).toContain('They were not kept.');
  });
});

describe('a set that tells nothing', () => {
  const boxed = { boxes: [{}] };
  const bare = { boxes: [] };
  function said(images: readonly object[], classes: object | null = null): string {
    const run = {
      state: { kind: 'done' },
      isBusy: false,
      model: null,
      doneCount: images.length,
      images,
      results: images.map(() => ({})),
      failed: [],
      isKept: true,
      imagesPerSecond: null,
      modelLabels: null,
      truthLabels: [],
      pairs: [],
    };
    const evaluation = { run, sets: [], setId: 's', datasetName: 'Yard', staleness: '', classes, names: {}, offeredPairs: [] }; // prettier-ignore
    const areas = { href: (area: string) => `#${area}` };
    const props = { evaluation: evaluation as unknown as Evaluation, areas: areas as unknown as AreaRoute };
    return render(EvaluationSetup, { props })
      .body.replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');
  }

  it('says what is missing, and what to do', () => {
    expect(said([])).toContain('Yard has no images, so there is nothing to evaluate.');
    expect(said([])).toContain('Open the datasets');
    expect(said([bare, bare])).toContain('No image of this set has a box, so nothing can be right');
    expect(said([bare, boxed])).toContain('1 image without boxes: anything found there counts as false.');
    expect(said([bare, boxed])).not.toContain('No image of this set has a box');
    expect(said([bare], {})).not.toContain('has a box');
  });
});
