import {
  buildModel,
  imports,
  node,
  outside,
  tensor,
  tensorType,
  zeros,
  type ElementType,
  type ModelParts,
} from './build-model.ts';

/** A model for ONNX Runtime to load, with the files beside it. */
export interface LoadModel {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** files by relative path; a file that the model names and that is not here is missing */
  readonly beside: Readonly<Record<string, Uint8Array>>;
}

const picture = [1, 3, 4, 4] as const;
const floatNumber = 1;

/** Small models that test every rule of loading: dtypes, versions, inputs, outputs, operators, functions, external files. */
export function loadModels(): readonly LoadModel[] {
  return [...dtypes(), ...versions(), ...inputs(), ...outputs(), ...operators(), ...functions(), ...externalData()];
}

function made(name: string, parts: Partial<ModelParts>, beside: LoadModel['beside'] = {}): LoadModel {
  const whole: ModelParts = {
    ir: 8,
    opsets: [['', 17]],
    inputs: [tensor('image', 'FLOAT', picture)],
    outputs: [tensor('out', 'FLOAT', picture)],
    nodes: [node('Identity', ['image'], ['out'])],
    ...parts,
  };
  return { name, bytes: buildModel(whole), beside };
}

/** Casts the picture to a type, so that input and output types of the model can be chosen independently. */
function cast(to: number) {
  return { nodes: [node('Cast', ['image'], ['out'], { to: { type: 2, i: BigInt(to) } })] };
}

const castable: readonly ElementType[] = [
  'FLOAT',
  'FLOAT16',
  'BFLOAT16',
  'DOUBLE',
  'UINT8',
  'INT8',
  'UINT16',
  'INT16',
  'UINT32',
  'INT32',
  'UINT64',
  'INT64',
  'BOOL',
  'STRING',
];
const numberOf: Readonly<Partial<Record<ElementType, number>>> = {
  FLOAT: 1,
  UINT8: 2,
  INT8: 3,
  UINT16: 4,
  INT16: 5,
  INT32: 6,
  INT64: 7,
  STRING: 8,
  BOOL: 9,
  FLOAT16: 10,
  DOUBLE: 11,
  UINT32: 12,
  UINT64: 13,
  BFLOAT16: 16,
};

function dtypes(): readonly LoadModel[] {
  const through = castable.flatMap((type) =>
    (['FLOAT', 'UINT8'] as const).flatMap((other) => [
      made(`${type} in, ${other} out`, {
        inputs: [tensor('image', type, picture)],
        outputs: [tensor('out', other, picture)],
        ...cast(numberOf[other]!),
      }),
      made(`${other} in, ${type} out`, {
        inputs: [tensor('image', other, picture)],
        outputs: [tensor('out', type, picture)],
        ...cast(numberOf[type]!),
      }),
    ]),
  );
  const unchanged = (
    ['INT64', 'FLOAT16', 'COMPLEX64', 'COMPLEX128', 'FLOAT8E4M3FN', 'FLOAT8E5M2', 'UINT4', 'INT4', 'UNDEFINED'] as const
  ).map((type) =>
    made(`${type} in and out`, {
      ir: 10,
      opsets: [['', 21]],
      inputs: [tensor('image', type, picture)],
      outputs: [tensor('out', type, picture)],
    }),
  );
  return [...new Map([...through, ...unchanged].map((model) => [model.name, model])).values()];
}

function versions(): readonly LoadModel[] {
  const opsets = [0, 1, 6, 7, 9, 12, 13, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 30];
  const domains: readonly (readonly [string, readonly number[]])[] = [
    ['ai.onnx.ml', [1, 5, 6]],
    ['com.microsoft', [1, 2]],
    ['com.microsoft.nchwc', [1, 2]],
    ['com.ms.internal.nhwc', [23, 24]],
    ['com.microsoft.experimental', [1, 2]],
    ['com.microsoft.dml', [1, 9]],
    ['ai.onnx.training', [1, 2]],
    ['ai.onnx.preview.training', [1, 2]],
    ['org.pytorch.aten', [1, 2]],
    ['of.mine', [1, 99]],
  ];
  return [
    ...opsets.map((opset) => made(`opset ${opset}`, { opsets: [['', opset]] })),
    ...[17, 23, 24].map((opset) => made(`opset ${opset} of "ai.onnx"`, { opsets: [['ai.onnx', opset]] })),
    ...domains.flatMap(([domain, numbers]) =>
      numbers.map((version) =>
        made(`opset 17, ${domain} ${version}`, {
          opsets: [
            ['', 17],
            [domain, version],
          ],
        }),
      ),
    ),
    made('no opset', { opsets: [] }),
    made('opset of another domain only', { opsets: [['of.mine', 1]] }),
    made('opset 17 and 25', {
      opsets: [
        ['', 17],
        ['', 25],
      ],
    }),
    made('opset 25 and 17', {
      opsets: [
        ['', 25],
        ['', 17],
      ],
    }),
    ...[3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14].map((ir) => made(`IR version ${ir}`, { ir })),
    made('IR version 11, opset 23', { ir: 11, opsets: [['', 23]] }),
    made('IR version 12, opset 25', { ir: 12, opsets: [['', 25]] }),
    made('IR version 3, opset 23', { ir: 3, opsets: [['', 23]] }),
  ];
}

function inputs(): readonly LoadModel[] {
  const second = (type: ElementType, used: boolean) =>
    made(`second input ${type}${used ? '' : ', unused'}`, {
      inputs: [tensor('image', 'FLOAT', picture), tensor('sizes', type, [1, 2])],
      outputs: [tensor('out', 'FLOAT', used ? undefined : picture)],
      nodes: used
        ? [
            node('Cast', ['sizes'], ['factor'], { to: { type: 2, i: BigInt(floatNumber) } }),
            node('ReduceMax', ['factor'], ['most'], { keepdims: { type: 2, i: 0n } }),
            node('Mul', ['image', 'most'], ['out']),
          ]
        : [node('Identity', ['image'], ['out'])],
    });
  const shapes: readonly (readonly [string, readonly (number | string)[] | undefined])[] = [
    ['any sizes', ['batch', 3, 'height', 'width']],
    ['channels last', [1, 4, 4, 3]],
    ['any sizes, channels last', ['batch', 'height', 'width', 3]],
    ['a batch of 8', [8, 3, 4, 4]],
    ['one channel', [1, 1, 4, 4]],
    ['four channels', [1, 4, 4, 4]],
    ['three axes', [3, 4, 4]],
    ['five axes', [1, 1, 3, 4, 4]],
    ['a vector', [1, 48]],
    ['no shape', undefined],
  ];
  return [
    ...(['FLOAT', 'INT64', 'FLOAT16', 'UINT8'] as const).flatMap((type) => [second(type, true), second(type, false)]),
    made('three inputs', {
      inputs: ['image', 'more', 'most'].map((name) => tensor(name, 'FLOAT', picture)),
      nodes: [node('Sum', ['image', 'more', 'most'], ['out'])],
    }),
    made('no input', {
      inputs: [],
      nodes: [node('Constant', [], ['out'], { value: { type: 4, t: zeros('value', 'FLOAT', picture, 4) } })],
    }),
    ...shapes.map(([name, shape]) =>
      made(`input: ${name}`, { inputs: [tensor('image', 'FLOAT', shape)], outputs: [tensor('out', 'FLOAT', shape)] }),
    ),
    ...[3, 8].map((ir) =>
      made(`weights listed among the inputs, IR version ${ir}`, {
        ir,
        inputs: [tensor('image', 'FLOAT', picture), tensor('weights', 'FLOAT', [1])],
        nodes: [node('Add', ['image', 'weights'], ['out'])],
        initializers: [zeros('weights', 'FLOAT', [1], 4)],
      }),
    ),
    made('int64 weights listed among the inputs', {
      inputs: [tensor('image', 'FLOAT', picture), tensor('shape', 'INT64', [4])],
      outputs: [tensor('out', 'FLOAT')],
      nodes: [node('Expand', ['image', 'shape'], ['out'])],
      initializers: [
        { ...zeros('shape', 'INT64', [4], 8), rawData: new Uint8Array(BigInt64Array.of(1n, 3n, 4n, 4n).buffer) },
      ],
    }),
    made('undeclared input', { inputs: [{ name: 'image' }] }),
    made('sequence input', {
      inputs: [{ name: 'image', type: sequenceOf('FLOAT') }],
      nodes: [node('ConcatFromSequence', ['image'], ['out'], { axis: { type: 2, i: 0n } })],
      outputs: [tensor('out', 'FLOAT')],
    }),
    made('optional input', {
      inputs: [{ name: 'image', type: optionalOf('FLOAT') }],
      nodes: [node('OptionalGetElement', ['image'], ['out'])],
    }),
  ];
}

function sequenceOf(type: ElementType) {
  return { value: { case: 'sequenceType' as const, value: { elemType: tensorType(type) } } };
}

function optionalOf(type: ElementType) {
  return { value: { case: 'optionalType' as const, value: { elemType: tensorType(type, picture) } } };
}

function outputs(): readonly LoadModel[] {
  const pair = (input: ElementType, first: ElementType, second: ElementType) =>
    made(`${input} in, ${first} and ${second} out`, {
      inputs: [tensor('image', input, picture)],
      outputs: [tensor('first', first, picture), tensor('second', second, picture)],
      nodes: [
        node('Cast', ['image'], ['first'], { to: { type: 2, i: BigInt(numberOf[first]!) } }),
        node('Cast', ['image'], ['second'], { to: { type: 2, i: BigInt(numberOf[second]!) } }),
      ],
    });
  const types = ['FLOAT', 'INT64', 'UINT8', 'FLOAT16'] as const;
  return [
    ...(['FLOAT', 'UINT8'] as const).flatMap((input) =>
      types.flatMap((first) => types.map((second) => pair(input, first, second))),
    ),
    made('boxes, int64 labels, scores', {
      outputs: [
        tensor('boxes', 'FLOAT', picture),
        tensor('labels', 'INT64', picture),
        tensor('scores', 'FLOAT', picture),
      ],
      nodes: [
        node('Identity', ['image'], ['boxes']),
        node('Cast', ['image'], ['labels'], { to: { type: 2, i: 7n } }),
        node('Identity', ['image'], ['scores']),
      ],
    }),
    made('output declared without a shape', { outputs: [tensor('out', 'FLOAT')] }),
    made('the input is the output', { outputs: [tensor('image', 'FLOAT', picture)], nodes: [] }),
    made('sequence output', {
      outputs: [{ name: 'out', type: sequenceOf('FLOAT') }],
      nodes: [node('SequenceConstruct', ['image'], ['out'])],
    }),
    made('tensor and sequence output', {
      outputs: [tensor('kept', 'FLOAT', picture), { name: 'out', type: sequenceOf('FLOAT') }],
      nodes: [node('Identity', ['image'], ['kept']), node('SequenceConstruct', ['image'], ['out'])],
    }),
    made('optional output', {
      outputs: [{ name: 'out', type: optionalOf('FLOAT') }],
      nodes: [node('Optional', ['image'], ['out'])],
    }),
    made('list of maps (ZipMap)', {
      opsets: [
        ['', 17],
        ['ai.onnx.ml', 1],
      ],
      outputs: [
        {
          name: 'out',
          type: {
            value: {
              case: 'sequenceType',
              value: {
                elemType: { value: { case: 'mapType', value: { keyType: 7, valueType: tensorType('FLOAT', []) } } },
              },
            },
          },
        },
      ],
      nodes: [
        node('Reshape', ['image', 'rows'], ['table']),
        node('ZipMap', ['table'], ['out'], { classlabels_int64s: { type: 7, ints: [0n, 1n] } }, 'ai.onnx.ml'),
      ],
      initializers: [{ ...zeros('rows', 'INT64', [2], 8), rawData: new Uint8Array(BigInt64Array.of(24n, 2n).buffer) }],
    }),
  ];
}

function operators(): readonly LoadModel[] {
  const unary = (opType: string, opset: number, domain = '', version?: number) =>
    made(`${domain ? `${domain}.` : ''}${opType}, opset ${opset}${version === undefined ? '' : `, ${version}`}`, {
      opsets: [['', opset], ...(version === undefined ? [] : [[domain, version] as const])],
      nodes: [node(opType, ['image'], ['out'], {}, domain)],
    });
  const spans: readonly (readonly [string, readonly number[]])[] = [
    ['Abs', [5, 6, 23]],
    ['Relu', [5, 6, 14, 23]],
    ['Sigmoid', [1, 6, 13]],
    ['Softmax', [1, 11, 13, 23]],
    ['HardSwish', [13, 14, 22, 23]],
    ['Mish', [17, 18, 22]],
    ['Gelu', [19, 20, 23]],
    ['Round', [10, 11]],
    ['Erf', [8, 9, 13]],
    ['Celu', [11, 12]],
    ['IsNaN', [8]],
    ['Affine', [9, 10]],
    ['LpNormalization', [21, 22]],
    ['RandomNormalLike', [21, 22]],
    ['RandomUniformLike', [21, 22]],
    ['Bernoulli', [14, 15, 21, 22]],
    ['Swish', [23]],
    ['NoSuchOperator', [17]],
    ['MeanVarianceNormalization', [8, 9, 13]],
    ['Det', [10, 11, 22]],
    ['GlobalLpPool', [21, 22]],
  ];
  return [
    ...spans.flatMap(([opType, opsets]) => opsets.map((opset) => unary(opType, opset))),
    ...gridSamples(),
    ...(['Gelu', 'QuickGelu', 'Inverse', 'Trilu', 'IsAllFinite', 'BiasSplitGelu', 'NoSuchOperator'] as const).map(
      (opType) => unary(opType, 17, 'com.microsoft', 1),
    ),
    unary('Gelu', 17, 'com.microsoft'),
    unary('Binarizer', 17, 'ai.onnx.ml', 1),
    unary('Imputer', 17, 'ai.onnx.ml', 9),
    unary('NoSuchOperator', 17, 'ai.onnx.ml', 3),
    unary('Normalizer', 17, 'com.microsoft.nchwc', 1),
    unary('BatchedNMS', 17, 'mmdeploy', 1),
    unary('EfficientNMS_TRT', 17, 'TRT', 1),
    unary('EfficientNMS_TRT', 17),
    unary('ImageDecoder', 20),
    unary('DecodeImage', 17, 'ai.onnx.contrib', 1),
    unary('Adam', 17, 'ai.onnx.preview.training', 1),
    made('node of "ai.onnx"', { nodes: [node('Identity', ['image'], ['out'], {}, 'ai.onnx')] }),
    ...[9, 10].map((opset) =>
      made(`Upsample, opset ${opset}`, {
        opsets: [['', opset]],
        nodes: [node('Upsample', ['image', 'scales'], ['out'])],
        initializers: [
          { ...zeros('scales', 'FLOAT', [4], 4), rawData: new Uint8Array(Float32Array.of(1, 1, 1, 1).buffer) },
        ],
      }),
    ),
    ...[15, 16, 20, 22].map((opset) =>
      made(`GridSample, opset ${opset}`, {
        opsets: [['', opset]],
        nodes: [node('GridSample', ['image', 'grid'], ['out'])],
        initializers: [zeros('grid', 'FLOAT', [1, 4, 4, 2], 4)],
      }),
    ),
    made('foreign operator that nothing reads', {
      opsets: [
        ['', 17],
        ['of.mine', 1],
      ],
      nodes: [node('Identity', ['image'], ['out']), node('Zap', ['image'], ['unread'], {}, 'of.mine')],
    }),
    ...(['Identity', 'Zap'] as const).map((opType) =>
      made(`branches of If with ${opType}`, {
        nodes: [
          node('If', ['which'], ['out'], {
            then_branch: { type: 5, g: branch('then', opType) },
            else_branch: { type: 5, g: branch('else', 'Identity') },
          }),
        ],
        initializers: [zeros('which', 'BOOL', [], 1)],
      }),
    ),
  ];
}

/** The picture sampled at places of their own type. */
function gridSamples(): readonly LoadModel[] {
  const sampled = (opset: number, mode: string, places: ElementType, numbers: ElementType = 'FLOAT') =>
    made(`GridSample ${mode} of ${numbers} at ${places}, opset ${opset}`, {
      opsets: [['', opset]],
      nodes: [
        node('Cast', ['image'], ['numbers'], { to: { type: 2, i: BigInt(numberOf[numbers]!) } }),
        node('Cast', ['places'], ['cast'], { to: { type: 2, i: BigInt(numberOf[places]!) } }),
        node('Identity', ['cast'], ['there']),
        node('GridSample', ['numbers', 'there'], ['taken'], { mode: { type: 3, s: new TextEncoder().encode(mode) } }),
        node('Cast', ['taken'], ['out'], { to: { type: 2, i: BigInt(floatNumber) } }),
      ],
      initializers: [zeros('places', 'FLOAT', [1, 4, 4, 2], 4)],
    });
  return [
    ...[16, 19, 20, 22].flatMap((opset) =>
      ['bilinear', 'linear', 'nearest', 'bicubic', 'cubic'].map((mode) => sampled(opset, mode, 'FLOAT')),
    ),
    sampled(16, 'bilinear', 'DOUBLE'),
    sampled(20, 'linear', 'DOUBLE'),
    sampled(20, 'linear', 'FLOAT', 'DOUBLE'),
    sampled(20, 'linear', 'DOUBLE', 'DOUBLE'),
    sampled(16, 'bilinear', 'FLOAT', 'FLOAT16'),
  ];
}

function branch(name: string, opType: string) {
  return { name, node: [node(opType, ['image'], [name])], output: [tensor(name, 'FLOAT', picture)] };
}

function functions(): readonly LoadModel[] {
  const call = node('F', ['image'], ['out'], {}, 'of.mine');
  const body = (opsets: ModelParts['opsets'], opType = 'Identity', domain = '', name = 'F', of = 'of.mine') => ({
    domain: of,
    name,
    input: ['a'],
    output: ['b'],
    node: [node(opType, ['a'], ['b'], {}, domain)],
    opsetImport: imports(opsets),
  });
  const own = (name: string, body_: ReturnType<typeof body>[], parts: Partial<ModelParts> = {}) =>
    made(name, {
      opsets: [
        ['', 17],
        ['of.mine', 1],
      ],
      nodes: [call],
      functions: body_,
      ...parts,
    });
  const unused = { nodes: [node('Identity', ['image'], ['out'])] };
  const mine = ['of.mine', 1] as const;
  return [
    ...[17, 18, 23, 24, 26].map((opset) => own(`function of opset ${opset}`, [body([['', opset]])])),
    own('function without an opset', [body([])]),
    own('function of opset 24, not called', [body([['', 24]])], unused),
    own('function, its domain not imported', [body([['', 17]])], { opsets: [['', 17]] }),
    own('function with Gelu of com.microsoft', [
      body(
        [
          ['', 17],
          ['com.microsoft', 1],
        ],
        'Gelu',
        'com.microsoft',
      ),
    ]),
    own('function with Gelu of com.microsoft, not imported there', [body([['', 17]], 'Gelu', 'com.microsoft')]),
    own('function with a foreign operator', [
      body(
        [
          ['', 17],
          ['foreign', 1],
        ],
        'Zap',
        'foreign',
      ),
    ]),
    own(
      'function with a foreign operator, not called',
      [
        body(
          [
            ['', 17],
            ['foreign', 1],
          ],
          'Zap',
          'foreign',
        ),
      ],
      unused,
    ),
    own('function of opset 18 with Mish, model of opset 17', [body([['', 18]], 'Mish')]),
    own('function of opset 17 with Mish, model of opset 18', [body([['', 17]], 'Mish')], { opsets: [['', 18], mine] }),
    own('function that calls a function', [
      body([['', 17], mine], 'G', 'of.mine'),
      body([['', 17]], 'Identity', '', 'G'),
    ]),
    own('function that calls a function, its domain not imported there', [
      body([['', 17]], 'G', 'of.mine'),
      body([['', 17]], 'Identity', '', 'G'),
    ]),
    own('function of another domain called in a function', [
      body(
        [
          ['', 17],
          ['of.others', 1],
        ],
        'G',
        'of.others',
      ),
      body([['', 17]], 'Identity', '', 'G', 'of.others'),
    ]),
    made('function in the default domain', {
      nodes: [node('Zap', ['image'], ['out'])],
      functions: [body([['', 17]], 'Identity', '', 'Zap', '')],
    }),
    made('function in the domain com.microsoft', {
      opsets: [
        ['', 17],
        ['com.microsoft', 1],
      ],
      nodes: [node('Zap', ['image'], ['out'], {}, 'com.microsoft')],
      functions: [body([['', 17]], 'Identity', '', 'Zap', 'com.microsoft')],
    }),
    made('function named as an operator that is there', {
      opsets: [
        ['', 17],
        ['foreign', 1],
      ],
      functions: [
        body(
          [
            ['', 17],
            ['foreign', 1],
          ],
          'Zap',
          'foreign',
          'Identity',
          '',
        ),
      ],
    }),
  ];
}

function externalData(): readonly LoadModel[] {
  const weights = new Uint8Array(4);
  const beside = (name: string, location: string, files: LoadModel['beside']) =>
    made(
      `weights outside: ${name}`,
      { nodes: [node('Add', ['image', 'weights'], ['out'])], initializers: [outside('weights', [1], location)] },
      files,
    );
  return [
    beside('beside the model', 'weights.data', { 'weights.data': weights }),
    beside('missing', 'weights.data', {}),
    beside('in a folder', 'folder/weights.data', { 'folder/weights.data': weights }),
    beside('in a folder, but beside the model', 'folder/weights.data', { 'weights.data': weights }),
  ];
}
