import { describe, expect, it } from 'vitest';
import { float32, int64 } from '../../../../tests/fixed-session.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { nameClassificationTensor, nameDetectionTensors } from './tensor-names.ts';

const boxes = float32([1, 2, 4], [0, 0, 1, 1, 0, 0, 1, 1]);
const scores = float32([1, 2], [0.75, 0.125]);
const classes = float32([1, 2], [3, 4]);
const zeros = float32([1, 2], [0, 0]);
const scores3d = float32([1, 2, 3], [0.1, 0.2, 0.7, 0.5, 0.3, 0.2]);
const integers = int64([1, 2], [3, 4]);
const outputs = (tensors: Record<string, Tensor>) => new Map(Object.entries(tensors));

function names(tensors: Record<string, Tensor>, remap: Record<string, string> = {}) {
  const { location, category, score } = nameDetectionTensors(outputs(tensors), remap);
  return [location, category, score];
}

describe('rule 1: all three remapped', () => {
  it.each([
    [
      'by the remap',
      { a: boxes, b: classes, c: scores },
      { a: 'location', b: 'category', c: 'score' },
      ['a', 'b', 'c'],
    ],
    [
      'against shape and name',
      { location: boxes, b: classes, c: scores },
      { c: 'location', b: 'category', location: 'score' },
      ['c', 'b', 'location'],
    ],
    [
      'other roles do not matter',
      { a: boxes, b: classes, c: scores },
      { a: 'location', b: 'category', c: 'score', d: 'probability' },
      ['a', 'b', 'c'],
    ],
  ])('%s', (_, tensors, remap, expected) => {
    expect(names(tensors as Record<string, Tensor>, remap as Record<string, string>)).toEqual(expected);
  });

  it('refuses a tensor that the model lacks, and hints at a reversed map', () => {
    const reversed = { location: 'x', x: 'location', b: 'category', c: 'score' };
    expect(() => names({ location: boxes, b: classes, c: scores }, reversed)).toThrow(
      expect.objectContaining({
        code: 'remap-missing-tensor',
        message: expect.stringMatching(/location from "x".*Its outputs: "location" float32 1×2×4.*wrong way round/),
      }),
    );
  });
});

describe('what a rule says', () => {
  const by = 'remap_output_names says so';
  it('of three that are remapped', () => {
    const remap = { a: 'location', b: 'category', c: 'score', d: 'score' };
    expect(nameDetectionTensors(outputs({ a: boxes, b: classes, c: scores }), remap)).toEqual({
      location: 'a',
      category: 'b',
      score: 'c',
      choices: [
        { role: 'location', tensor: 'a', why: by },
        { role: 'category', tensor: 'b', why: by },
        { role: 'score', tensor: 'c', why: by },
      ],
      warnings: ['remap_output_names gives 2 tensors for the score ("c", "d"); took the first, the machine takes any.'],
    });
  });

  it('of two tensors for the category', () => {
    const remap = { a: 'location', b: 'category', c: 'score', d: 'category' };
    const { warnings } = nameDetectionTensors(outputs({ a: boxes, b: classes, c: scores }), remap);
    expect(warnings).toEqual([expect.stringContaining('2 tensors for the category ("b", "d")')]);
  });

  it.each([
    ['categories inside the scores', scores3d, `${by}; 3-D, so the categories are inside`],
    ['one category', scores, `${by}; of 2 outputs, so there is one category`],
  ])('of %s', (_, score, why) => {
    const found = nameDetectionTensors(outputs({ a: boxes, b: score }), { a: 'location', b: 'score' });
    expect(found.choices).toEqual([{ role: 'location', tensor: 'a', why: by }, { role: 'score', tensor: 'b', why }]); // prettier-ignore
    expect(found.warnings).toEqual([]);
  });

  it('of names that the outputs have', () => {
    const found = nameDetectionTensors(outputs({ location: boxes, category: classes, score: scores }), {});
    expect(found.choices.map(({ why }) => why)).toEqual(Array(3).fill('the output has this name'));
    expect(found.warnings).toEqual([]);
  });

  it.each([
    ['remap', { x: scores }, { x: 'probability' }, by],
    ['literal name', { probability: scores, x: scores }, {}, 'the output has this name'],
    ['only output', { x: scores }, {}, 'it is the only output'],
  ])('of a classifier by %s', (_, tensors, remap, why) => {
    const found = nameClassificationTensor(outputs(tensors as Record<string, Tensor>), remap as Record<string, string>);
    expect(found).toMatchObject({ role: 'probability', why });
  });

  it('of a classifier that cannot be told', () => {
    expect(() => nameClassificationTensor(outputs({ x: scores, y: scores }), {})).toThrow(
      'No output is named "probability", and with 2 outputs none can be assumed: "x" float32 1×2, "y" float32 1×2. ' +
        'Name one in remap_output_names, as {"<model\'s output>": "probability"}.',
    );
    expect(() => nameClassificationTensor(outputs({}), {})).toThrow('with 0 outputs none can be assumed: none. ');
  });

  it('of a tensor that is not there, and no reversed map', () => {
    const remap = { z: 'location', b: 'category', c: 'score' };
    expect(() => names({ a: boxes, b: classes, c: scores }, remap)).toThrow(
      /takes the location from "z", which the model does not have\. Its outputs: .* "c" float32 1×2\.$/,
    );
  });

  it.each(['category', 'score'])('of a missing %s', (role) => {
    const remap = { a: 'location', b: 'category', c: 'score' };
    const name = role === 'category' ? 'b' : 'c';
    const there = Object.entries({ a: boxes, b: classes, c: scores }).filter(([one]) => one !== name);
    expect(() => names(Object.fromEntries(there), remap)).toThrow(`takes the ${role} from "${name}", which`);
  });
});

describe('rule 2: location and score remapped, categories inside', () => {
  it.each([
    ['3-D scores', { a: boxes, b: scores3d, c: zeros }, { a: 'location', b: 'score' }, ['a', null, 'b']],
    ['exactly two outputs', { a: boxes, b: scores }, { a: 'location', b: 'score' }, ['a', null, 'b']],
  ])('%s', (_, tensors, remap, expected) => {
    expect(names(tensors as Record<string, Tensor>, remap as Record<string, string>)).toEqual(expected);
  });

  it('does not hold for 2-D scores among three outputs: the remap is then ignored, with a note', () => {
    const found = nameDetectionTensors(outputs({ a: boxes, b: classes, c: scores }), { c: 'location', b: 'score' });
    expect(found).toMatchObject({ location: 'a', category: 'b', score: 'c' });
    expect(found.warnings).toEqual([expect.stringMatching(/gives only location and score, so the machine ignores it/)]);
  });

  it.each([[{ a: 'location', nope: 'score' }], [{ nope: 'location', b: 'score' }]])(
    'refuses a missing tensor: %j',
    (remap) => {
      expect(() => names({ a: boxes, b: scores3d }, remap as unknown as Record<string, string>)).toThrow(
        expect.objectContaining({ code: 'remap-missing-tensor' }),
      );
    },
  );

  it('warns of two tensors for one role', () => {
    const remap = { a: 'location', b: 'score', c: 'location' };
    const found = nameDetectionTensors(outputs({ a: boxes, b: scores3d, c: boxes }), remap);
    expect(found.location).toBe('a');
    expect(found.warnings).toEqual([expect.stringMatching(/2 tensors for the location \("a", "c"\)/)]);
  });
});

describe('rule 3: literal names', () => {
  it('takes them wherever they stand, whatever their shape', () => {
    expect(names({ score: boxes, x: boxes, category: scores, location: classes })).toEqual([
      'location',
      'category',
      'score',
    ]);
  });

  it('ignores a partial remap, even to a tensor that the model lacks, and says so', () => {
    const found = nameDetectionTensors(outputs({ location: boxes, category: classes, score: scores }), {
      nope: 'category',
    });
    expect(found.location).toBe('location');
    expect(found.warnings).toEqual([expect.stringContaining('gives only category')]);
  });
});

describe('rule 4: the guess', () => {
  it.each([
    ['integer categories', { l: integers, b: boxes, s: scores }, ['b', 'l', 's']],
    ['categories whose sum is whole', { s: scores, b: boxes, l: classes }, ['b', 'l', 's']],
    ['a 1-D count', { b: boxes, l: classes, s: scores, n: float32([1], [2]) }, ['b', 'l', 's']],
    [
      'the sum counts only the first count columns',
      { b: boxes, l: float32([1, 3], [1, 2, 0.5]), s: float32([1, 3], [0.5, 0.25, 0.25]), n: float32([1], [2]) },
      ['b', 'l', 's'],
    ],
    [
      'first count columns of every row',
      { b: boxes, x: float32([2, 2], [1, 9, 0.5, 9]), l: float32([2, 2], [1, 0.5, 2, 0.5]), n: float32([1], [1]) },
      ['b', 'l', 'x'],
    ],
    [
      'no count: the sum counts all columns',
      { b: boxes, s: float32([1, 3], [1, 2, 0.5]), l: classes },
      ['b', 'l', 's'],
    ],
    [
      'a literal name is kept for its role',
      { x: boxes, location: float32([1, 8], [0.5]), l: integers, s: scores },
      ['location', 'l', 's'],
    ],
    [
      'uint8 categories',
      { b: boxes, l: { dtype: 'uint8', shape: [1, 2], data: Uint8Array.of(1, 2) }, s: scores },
      ['b', 'l', 's'],
    ],
    [
      'float64 scores',
      { b: boxes, l: integers, s: { dtype: 'float64', shape: [1, 2], data: Float64Array.of(0.5, 0.1) } },
      ['b', 'l', 's'],
    ],
  ])('%s', (_, tensors, expected) => {
    expect(names(tensors as Record<string, Tensor>)).toEqual(expected);
  });

  it.each([
    ['float16 categories whose sum is whole', { b: boxes, l: { dtype: 'float16', shape: [1, 2], data: Uint16Array.of(0x3c00, 0) }, s: scores }, ['b', 'l', 's']],
    ['float16 scores', { b: boxes, l: integers, s: { dtype: 'float16', shape: [1, 2], data: Uint16Array.of(0x3800, 0) } }, ['b', 'l', 's']],
    ['no text for categories', { b: boxes, t: { dtype: 'string', shape: [1, 2], data: new Uint8Array(2) }, l: integers, s: scores }, ['b', 'l', 's']],
    ['a count that is above the columns', { b: boxes, s: scores, l: classes, n: float32([1], [9]) }, ['b', 'l', 's']],
    ['a count that is cut to whole columns', { b: boxes, s: float32([1, 3], [0.5, 0.25, 0.25]), l: float32([1, 3], [1, 2, 0.5]), n: float32([1], [2.9]) }, ['b', 'l', 's']],
    ['a count without a value', { b: boxes, l: classes, s: scores, n: float32([1], []) }, ['b', 'l', 's']],
    ['a count of its own name, which stays the category', { b: boxes, category: float32([1], [2]), s: float32([1, 3], [0.5, 0.25, 0.5]) }, ['b', 'category', 's']],
  ])('takes %s', (_, tensors, expected) => {
    expect(names(tensors as Record<string, Tensor>)).toEqual(expected);
  }); // prettier-ignore

  it('lets the first of two 1-D tensors count', () => {
    const both = { b: boxes, l: float32([1, 2], [1, 0.5]), s: float32([1, 2], [0.25, 0.5]) };
    expect(names({ ...both, n: float32([1], [1]), m: float32([1], [2]) })).toEqual(['b', 'l', 's']);
    expect(() => names({ ...both, m: float32([1], [2]), n: float32([1], [1]) })).toThrow(/for the category/);
  });

  it('says all that fits a role, and what to write', () => {
    const found = nameDetectionTensors(outputs({ p: boxes, q: boxes, r: boxes, l: classes, s: scores }), {
      q: 'score',
    });
    expect(found.warnings).toEqual([
      'remap_output_names gives only score, so the machine ignores it and goes by names and shapes. ' +
        'Give location, category and score, or location and score where the scores hold the categories.',
      'More than one output could be the location: took "p", also possible "q", "r". ' +
        'The machine picks one at random; name all three in remap_output_names.',
    ]);
    expect(found.choices.map(({ why }) => why)).toEqual([
      'guessed: a 3-D tensor',
      'guessed: a 2-D tensor whose sum is whole',
      'guessed: a remaining 2-D float tensor',
    ]);
  });

  it.each([
    [{ boxes: float32([4, 4], [0.1]), s: float32([1, 1, 1, 2], [0.1]) }, 'Try remap_output_names {"boxes": "location", "s": "score"}.'],
    [{ a: float32([4, 5], [0.1]), s: float32([1, 1, 1, 2], [0.1]) }, 'Name location, category and score in remap_output_names, if the model has them.'],
    [{ a: float32([4, 4], [0.1]), b: float32([2], [1]), s: float32([1, 1, 1, 2], [0.1]) }, 'Name location, category and score in remap_output_names, if the model has them.'],
  ])('ends on what to try', (tensors, hint) => {
    expect(() => names(tensors as unknown as Record<string, Tensor>)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(new RegExp(`^No output can be taken for the location\\. The model's outputs: .*\\. ${hint.replace(/[.{}]/g, '\\$&')}$`)) }),
    );
  }); // prettier-ignore

  it('adds float32 values in float32, as the machine does', () => {
    // 2^24 + 0.5 is 2^24 in float32: whole; in float64 it would not be.
    expect(names({ b: boxes, l: float32([1, 2], [2 ** 24, 0.5]), s: scores })).toEqual(['b', 'l', 's']);
  });

  it('goes in the order of the model and warns when two tensors fit', () => {
    const found = nameDetectionTensors(outputs({ first: boxes, second: boxes, l: integers, s: scores }), {});
    expect(found.location).toBe('first');
    expect(found.warnings).toEqual([
      expect.stringMatching(/could be the location: took "first", also possible "second"/),
    ]);
  });

  it('says which rule decided each role', () => {
    expect(nameDetectionTensors(outputs({ b: boxes, l: integers, score: scores }), {}).choices).toEqual([
      { role: 'location', tensor: 'b', why: 'guessed: a 3-D tensor' },
      { role: 'category', tensor: 'l', why: 'guessed: a 2-D integer tensor' },
      { role: 'score', tensor: 'score', why: 'the output has this name' },
    ]);
  });

  it.each([
    ['location', { l: integers, s: scores }],
    ['category', { b: boxes, s: scores }],
    ['category', { b: boxes, n: float32([2], [3, 4]), s: scores }],
    ['score', { b: boxes, l: integers }],
    ['score', { b: boxes, s: zeros }], // all-zero scores have a whole sum, so they go for the category
    ['score', { b: boxes, l: integers, s: int64([1, 2], [0, 1]) }],
  ])('names the missing %s and lists the outputs', (role, tensors) => {
    expect(() => names(tensors as Record<string, Tensor>)).toThrow(
      expect.objectContaining({
        code: 'tensor-not-found',
        message: expect.stringMatching(new RegExp(`for the ${role}\\. The model's outputs: "`)),
      }),
    );
  });

  it('proposes the remap that two outputs need', () => {
    expect(() => names({ scores: float32([1, 4, 2], [0.1]), boxes: float32([1, 4, 4], [0.1]) })).toThrow(
      /remap_output_names \{"boxes": "location", "scores": "score"\}/,
    );
  });
});

describe('raw heads', () => {
  it.each([
    [
      'YOLOX',
      { output: float32([1, 3549, 85], []) },
      {},
      /"output" 1×3549×85 .*3549 candidates of 85 numbers.*cannot be remapped.*objectness × class.*inside the graph/,
    ],
    ['YOLOX with a remap', { output: float32([1, 3549, 85], []) }, { output: 'location' }, /cannot be remapped/],
    [
      'columns first (YOLOv8, 11)',
      { output0: float32([1, 84, 8400], []) },
      {},
      /8400 candidates of 84 numbers.*there is no objectness.*the score is that of the best class/,
    ],
    ['two classes in columns', { output0: float32([1, 6, 8400], []) }, {}, /8400 candidates of 6 numbers/],
    ['one class in rows', { output0: float32([1, 25200, 6], []) }, {}, /25200 candidates of 6 numbers/],
    [
      'one pair a stride',
      {
        cls_8: float32([1, 1600, 80], []),
        cls_16: float32([1, 400, 80], []),
        dis_8: float32([1, 1600, 32], []),
        dis_16: float32([1, 400, 32], []),
      },
      {},
      /one set of tensors a stride.*cannot be remapped/,
    ],
  ])('%s', (_, tensors, remap, message) => {
    expect(() => names(tensors as Record<string, Tensor>, remap as Record<string, string>)).toThrow(
      expect.objectContaining({ code: 'raw-head', message: expect.stringMatching(message) }),
    );
  });
});

it.each([[300], [100], [0]])('finished rows of an end-to-end model are no raw head: 1×%i×6', (rows) => {
  expect(() => names({ output0: float32([1, rows, 6], []) })).toThrow(
    expect.objectContaining({
      code: 'joined-rows',
      message: expect.stringMatching(/finished detections.*suppressed already.*Split it inside the graph/),
    }),
  );
});

describe('nameClassificationTensor', () => {
  it.each([
    ['remap', { x: scores, probability: scores }, { x: 'probability' }, 'x'],
    ['literal name', { x: scores, probability: scores }, {}, 'probability'],
    ['only output', { x: scores }, {}, 'x'],
  ])('%s', (_, tensors, remap, expected) => {
    expect(
      nameClassificationTensor(outputs(tensors as Record<string, Tensor>), remap as Record<string, string>).tensor,
    ).toBe(expected);
  });

  it.each([
    ['several outputs', { x: scores, y: scores }, {}, 'tensor-not-found'],
    ['no output', {}, {}, 'tensor-not-found'],
    ['remap to nowhere', { probability: scores }, { nope: 'probability' }, 'remap-missing-tensor'],
  ])('refuses %s', (_, tensors, remap, code) => {
    expect(() =>
      nameClassificationTensor(outputs(tensors as Record<string, Tensor>), remap as Record<string, string>),
    ).toThrow(expect.objectContaining({ code }));
  });
});
