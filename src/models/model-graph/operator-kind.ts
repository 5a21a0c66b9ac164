/** What an operator is for, roughly: enough to see a head's parts at a glance. */
export type OperatorKind = 'weights' | 'activation' | 'arithmetic' | 'shape' | 'selection' | 'other';

const namesByKind: Readonly<Record<Exclude<OperatorKind, 'other'>, string>> = {
  weights: `Conv ConvTranspose ConvInteger QLinearConv FusedConv MatMul MatMulInteger QLinearMatMul Gemm LSTM GRU RNN
    BatchNormalization LayerNormalization InstanceNormalization GroupNormalization Attention MultiHeadAttention CONV_2D
    DEPTHWISE_CONV_2D TRANSPOSE_CONV FULLY_CONNECTED BATCH_MATMUL`,
  activation: `Relu LeakyRelu PRelu Elu Selu Gelu Sigmoid HardSigmoid HardSwish Swish Mish Tanh Softmax LogSoftmax Softplus Clip
    RELU RELU6 LEAKY_RELU PRELU ELU GELU LOGISTIC HARD_SWISH TANH SOFTMAX LOG_SOFTMAX`,
  arithmetic: `Add Sub Mul Div Pow Sqrt Exp Log Neg Abs Min Max Sum Mean Floor Ceil Round Mod Reciprocal Where Equal Greater Less
    GreaterOrEqual LessOrEqual And Or Not Cast Erf Sin Cos QuantizeLinear DequantizeLinear DynamicQuantizeLinear ADD SUB MUL DIV POW
    SQRT RSQRT EXP LOG NEG ABS MINIMUM MAXIMUM SQUARE CAST QUANTIZE DEQUANTIZE SELECT SELECT_V2 SQUARED_DIFFERENCE`,
  shape: `Reshape Transpose Concat Split Slice Squeeze Unsqueeze Flatten Expand Tile Pad Shape Identity Resize Upsample
    DepthToSpace SpaceToDepth ConstantOfShape Range RESHAPE TRANSPOSE CONCATENATION SPLIT SPLIT_V SLICE STRIDED_SLICE SQUEEZE
    EXPAND_DIMS TILE PAD PADV2 SHAPE PACK UNPACK RESIZE_BILINEAR RESIZE_NEAREST_NEIGHBOR DEPTH_TO_SPACE SPACE_TO_DEPTH FILL
    BROADCAST_TO`,
  selection: `TopK ArgMax ArgMin NonMaxSuppression Gather GatherND GatherElements ScatterND ScatterElements NonZero ReduceMax
    ReduceMin ReduceSum ReduceMean MaxPool AveragePool GlobalAveragePool GlobalMaxPool OneHot GridSample TOPK_V2 ARG_MAX ARG_MIN
    NON_MAX_SUPPRESSION_V4 NON_MAX_SUPPRESSION_V5 GATHER GATHER_ND SCATTER_ND MAX_POOL_2D AVERAGE_POOL_2D MEAN SUM REDUCE_MAX
    REDUCE_MIN custom.TFLite_Detection_PostProcess`,
};

const kinds: ReadonlyMap<string, OperatorKind> = new Map(
  Object.entries(namesByKind).flatMap(([kind, names]) =>
    names.split(/\s+/).map((name) => [name, kind as OperatorKind] as const),
  ),
);

/** The kind of an operator of either format; `other` for control flow, and for what few models have. */
export function operatorKind(operator: string): OperatorKind {
  return kinds.get(operator) ?? 'other';
}
