// Written by scripts/golden/onnx-runtime/operators.py with onnxruntime 1.23.2.

/** Operators that the CPU build of ONNX Runtime 1.23.2 loads: by domain, by the operator sets that they load of. */
export const operatorTable: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': {
    '1-9': 'Affine Crop DynamicSlice ImageScaler ParametricSoftplus Scale ScaledTanh',
    '1-21': 'LpNormalization MaxRoiPool RandomNormal RandomNormalLike RandomUniform RandomUniformLike',
    '1-23':
      'ArgMax ArgMin Constant Conv ConvTranspose DepthToSpace Flatten Gather GlobalAveragePool GlobalMaxPool Hardmax Identity If LRN LayerNormalization LogSoftmax Loop MatMul MaxPool MeanVarianceNormalization MemcpyFromHost MemcpyToHost Not ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Reshape Shape SimplifiedLayerNormalization Size Slice Softmax Softplus Softsign SpaceToDepth Squeeze ThresholdedRelu TopK Transpose Unsqueeze',
    '2-21': 'GlobalLpPool',
    '2-23': 'LpPool Pad Split',
    '4-23': 'Concat',
    '6-23':
      'Abs Cast Ceil Clip Elu Exp Floor HardSigmoid InstanceNormalization LeakyRelu Log Max Mean Min Neg Reciprocal Relu Selu Sigmoid Sqrt Sum Tanh Tile',
    '7-9': 'Upsample',
    '7-21': 'Multinomial',
    '7-23':
      'Acos Add And Asin Atan AveragePool BatchNormalization Cos Div Dropout Equal GRU Gemm Greater LSTM Less Mul Or PRelu Pow RNN Sin Sub Tan Xor',
    '8-23': 'Expand Scan',
    '9-10': 'Scatter',
    '9-23':
      'Acosh Asinh Atanh Compress ConstantOfShape Cosh Erf EyeLike IsNaN MaxUnpool NonZero OneHot Shrink Sign Sinh TfIdfVectorizer Where',
    '10-21': 'RoiAlign',
    '10-23':
      'ConvInteger DequantizeLinear IsInf MatMulInteger Mod NonMaxSuppression QLinearConv QLinearMatMul QuantizeLinear Resize ReverseSequence StringNormalizer',
    '11-23':
      'BitShift ConcatFromSequence CumSum Det DynamicQuantizeLinear GatherElements GatherND Range Round ScatterElements ScatterND SequenceAt SequenceConstruct SequenceEmpty SequenceErase SequenceInsert SequenceLength SplitToSequence Unique',
    '12-23': 'Celu Einsum GreaterOrEqual LessOrEqual NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss',
    '14-23': 'HardSwish Trilu',
    '15-21': 'Bernoulli',
    '15-23': 'CastLike Optional OptionalGetElement OptionalHasElement',
    '16-23': 'GridSample',
    '17-23': 'BlackmanWindow DFT HammingWindow HannWindow MelWeightMatrix STFT SequenceMap',
    '18-23': 'BitwiseAnd BitwiseNot BitwiseOr BitwiseXor CenterCropPad Col2Im GroupNormalization Mish',
    '20-23': 'AffineGrid Gelu RegexFullMatch StringConcat StringSplit',
    '23-23': 'Attention RMSNormalization RotaryEmbedding',
  },
  'ai.onnx.ml': {
    '1-4': 'TreeEnsembleClassifier TreeEnsembleRegressor',
    '1-5':
      'ArrayFeatureExtractor Binarizer CastMap CategoryMapper DictVectorizer FeatureVectorizer Imputer LabelEncoder LinearClassifier LinearRegressor Normalizer OneHotEncoder SVMClassifier SVMRegressor Scaler ZipMap',
    '5-5': 'TreeEnsemble',
  },
  'com.microsoft': {
    '1-1':
      'Attention AttnLSTM BeamSearch BiasGelu BifurcationDetector CDist ConvTransposeWithDynamicPads CropAndResize DecoderMaskedMultiHeadAttention DequantizeLinear DynamicQuantizeLSTM DynamicQuantizeMatMul DynamicTimeWarping EmbedLayerNormalization ExpandDims FastGelu FusedConv FusedGemm FusedMatMul GatherBlockQuantized GatherND Gelu GreedySearch GridSample GroupQueryAttention Inverse MatMulBnb4 MatMulFpQ4 MatMulInteger16 MatMulIntegerToFloat MatMulNBits MaxpoolWithMask MoE MultiHeadAttention MurmurHash3 NGramRepeatBlock NhwcMaxPool Pad QAttention QEmbedLayerNormalization QGemm QLinearAdd QLinearAveragePool QLinearConcat QLinearConv QLinearGlobalAveragePool QLinearLeakyRelu QLinearMul QLinearSigmoid QLinearSoftmax QLinearWhere QMoE QuantizeLinear QuickGelu Range RotaryEmbedding SampleOp Sampling SkipLayerNormalization SkipSimplifiedLayerNormalization SparseAttention SparseToDenseMatMul Tokenizer TransposeMatMul Trilu UnfoldTensor Unique WhisperBeamSearch WordConvEmbedding',
  },
  'com.microsoft.nchwc': {
    '1-1': 'AveragePool Conv GlobalAveragePool GlobalMaxPool MaxPool ReorderInput ReorderOutput Upsample',
  },
};
