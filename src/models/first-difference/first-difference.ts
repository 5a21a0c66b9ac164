import type { InferenceSession } from '../../machine/vision/face/inference.ts';
import type { Tensor } from '../../machine/vision/face/feeding.ts';

export type Tensors = Readonly<Record<string, Tensor>>;

/** One way to run a network: a backend with its settings, or another file of the same network. */
export interface ComparedSide {
  /** for people: "WASM, one thread" */
  readonly name: string;
  /** a .onnx file; of two backends the same one twice, of float and int8, or of original and fitted, two */
  readonly model: Uint8Array<ArrayBuffer>;
  /** Compiles any model, not only `model`, as this side does. Opened sessions are released. @throws InferenceError */
  open(model: Uint8Array<ArrayBuffer>): Promise<InferenceSession>;
  /** what this side's model is fed for the frame, by name of input */
  readonly feeds: Tensors;
  /** the same for another frame, which finds results that are left from the run before; null: there is none */
  readonly earlierFeeds: Tensors | null;
}

export interface HuntLimits {
  /** how often a session of either side is run at most, default 20 */
  readonly mostRuns?: number;
  /** bytes of tensors that one run takes and gives at most, default 256 MiB: they all stay in memory until it ends */
  readonly mostBytes?: number;
  /** tries each node also where both sides give the same outputs, default false */
  readonly evenIfSame?: boolean;
  /** told before each run */
  readonly onRun?: (run: number) => void;
  readonly signal?: AbortSignal;
}

/** How two tensors of the same shape differ. */
export interface TensorDifference {
  /** largest |reference − other|; Infinity where one is no number, or has another shape */
  readonly largest: number;
  /** the same, as a share of the largest finite |reference|; Infinity where that is 0 */
  readonly share: number;
  /** where it is, outermost index first; [] where the shapes differ */
  readonly at: readonly number[];
  /** both values there */
  readonly values: readonly [number, number];
  /** how many values are further apart than rounding allows */
  readonly beyond: number;
  readonly count: number;
}

/** What a node's kind may round. */
export interface RoundingBound {
  /** largest healthy |reference − other| of a value `v` is `absolute + relative · |v|` */
  readonly absolute: number;
  readonly relative: number;
  /** share of values that may lie anywhere: ties of sorted or nearest values */
  readonly outliers: number;
  /** where the bound comes from, as a phrase: "sum of 576 products in float32" */
  readonly because: string;
}

export interface NodeFacts {
  /** '' where the file gives none */
  readonly name: string;
  /** "Conv"; outside the default domain "domain.Name" */
  readonly opType: string;
  /** place in the reference's order of nodes, from 0 */
  readonly place: number;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** One tensor on both sides. */
export interface TensorPair {
  /** the reference's name of it */
  readonly name: string;
  readonly otherName: string;
  readonly reference: Tensor;
  readonly other: Tensor;
  readonly difference: TensorDifference;
  readonly bound: RoundingBound;
}

/** A part of the network, cut out as a model for each side, with what both were fed and what they gave. */
export interface CutOut {
  /** the part's nodes in the reference's order; of one file and two backends a single one, where it fails alone */
  readonly nodes: readonly NodeFacts[];
  readonly referenceModel: Uint8Array<ArrayBuffer>;
  readonly otherModel: Uint8Array<ArrayBuffer>;
  /** what both models were fed: the reference's values, by the names of the models' inputs, which are the same */
  readonly feeds: Tensors;
  /** fed before, where only a second run differs; else null */
  readonly earlierFeeds: Tensors | null;
  /** outputs by the names of the models' outputs, which are the same */
  readonly outputs: readonly TensorPair[];
  /** index of the output that differs most against its bound */
  readonly worst: number;
}

/** Says how much of two files can be compared. */
export interface Correspondence {
  /** tensors of the reference that the other side has too */
  readonly matched: number;
  /** tensors of the reference that it has not */
  readonly unmatched: number;
}

interface Hunt {
  /** how often a session was run, both sides and trials of other frames counted */
  readonly runs: number;
  readonly correspondence: Correspondence;
  /** the models' outputs that both have, as they were without a look inside */
  readonly outputs: readonly TensorPair[];
}

/** What a hunt for the first wrong node came to. `says` is a sentence or two for people. */
export type FirstDifference = Hunt & { readonly says: string } & (
    | {
        /** outputs agree, and with `evenIfSame` each node */
        readonly kind: 'same';
        /** nodes that were fed the same on both sides and compared */
        readonly tried: number;
      }
    | {
        /** the first part that, fed the same, gives something else on the other side */
        readonly kind: 'node';
        readonly cutOut: CutOut;
        /** whether its results are wrong in the whole model too: some kernels are chosen by a node's neighbours */
        readonly isWrongInside: boolean;
        /** whether it needs another frame before: a result left from the run before */
        readonly needsEarlier: boolean;
      }
    | {
        /** the first part that is wrong only together with its neighbours: `cutOut` holds as few as show it, or null where none does */
        readonly kind: 'together';
        /** the node whose result is the first wrong one */
        readonly node: NodeFacts;
        readonly inside: TensorPair;
        readonly cutOut: CutOut | null;
      }
    | {
        /** outputs differ only as long as these tensors are not looked at: the runtime joins the nodes around them to one */
        readonly kind: 'hidden';
        readonly nodes: readonly NodeFacts[];
        /** the part without a look inside, where it shows the difference alone; else null */
        readonly cutOut: CutOut | null;
      }
    | {
        /** each node is within its rounding, and yet outputs differ: rounding adds up, or a step of a decision turns on it */
        readonly kind: 'adds-up';
        readonly tried: number;
        /** where a difference grows most, by how much */
        readonly grows: { readonly node: NodeFacts; readonly times: number } | null;
      }
    | {
        /** both are fed other numbers: nothing inside can be compared */
        readonly kind: 'fed-differently';
        readonly input: TensorPair;
      }
    | {
        /** the two files have no tensor inside in common */
        readonly kind: 'no-correspondence';
      }
    | {
        /** runs were spent, or a side could not run a part: `nodes` are those that are left */
        readonly kind: 'not-found';
        readonly nodes: readonly NodeFacts[];
        /** what a side refused, '' where runs were spent */
        readonly refused: string;
      }
  );

/** Files of a case by their path in its zip (`caseFiles` in `case-files.ts`): models, tensors, facts, a page that runs both. */
export type CaseFiles = Readonly<Record<string, Uint8Array>>;

/** What a case says of where it was seen. */
export interface CaseFacts {
  readonly referenceName: string;
  readonly otherName: string;
  /** by what it is: runtime, browser, adapter, processor, operating system, each with its version */
  readonly versions: Readonly<Record<string, string>>;
  /** version of onnxruntime-web that the page loads from the folder "ort" beside it */
  readonly ortVersion: string;
  /** what each side runs on in the page */
  readonly providers: { readonly reference: 'wasm' | 'webgpu'; readonly other: 'wasm' | 'webgpu' };
}
