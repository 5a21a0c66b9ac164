import type { NodeTime, ProfiledRun } from '../../models/profile/operator-times.ts';

/** An event as ONNX Runtime's profiler writes it (the trace event format): times in µs of one clock. */
interface OrtEvent {
  /** "Session": a run and what is around it; "Node": an operator on the CPU, or handed to the GPU; "Api": a kernel on the GPU */
  readonly cat: 'Session' | 'Node' | 'Api';
  readonly name: string;
  readonly ts: number;
  readonly dur: number;
  readonly args: { readonly op_name?: string; readonly provider?: string };
}

interface Timed {
  readonly startUs: number;
  readonly endUs: number;
  readonly node: string;
  readonly operator: string;
  readonly onGpu: boolean;
}

const gpuProvider = 'WebGpuExecutionProvider';
const kernelTime = '_kernel_time';

/**
 * Reads the runs out of what ONNX Runtime's profiler wrote, the first one first. The time of an operator with a body
 * (Loop, If) is without that of the operators in it. On a GPU that tells no times, its operators are not among them.
 *
 * @param text a JSON array of events, as the profiler writes it
 */
export function readOrtEvents(text: string): ProfiledRun[] {
  const events = JSON.parse(text) as readonly OrtEvent[];
  const runs = events
    .filter(({ cat, name }) => cat === 'Session' && name === 'model_run')
    .sort((a, b) => a.ts - b.ts)
    .map(({ ts, dur }) => ({ startUs: ts, endUs: ts + dur, ms: dur / 1000, nodes: [] as NodeTime[] }));
  const onCpu = events.filter((event) => event.cat === 'Node' && event.args.provider !== gpuProvider);
  const timed = onCpu.filter(({ name }) => name.endsWith(kernelTime)).map(cpuNode);
  const kernels = events.filter(({ cat }) => cat === 'Api').map(gpuKernel);
  for (const { node, operator, onGpu, startUs, selfUs } of [...withoutBodies(timed), ...withoutBodies(kernels)]) {
    const run = runs.find((candidate) => candidate.startUs <= startUs && startUs <= candidate.endUs);
    run?.nodes.push({ node, operator, onGpu, ms: selfUs / 1000 });
  }
  return runs.map(({ ms, nodes }) => ({ ms, nodes }));
}

function cpuNode({ name, ts, dur, args }: OrtEvent): Timed {
  const node = name.slice(0, -kernelTime.length);
  return { startUs: ts, endUs: ts + dur, node, operator: args.op_name ?? 'unknown', onGpu: false };
}

/** A kernel is named "/head/Resize_token_24&Resize&ResizeLinear": node and the number of the call, operator, shader. */
function gpuKernel({ name, ts, dur }: OrtEvent): Timed {
  const [call = name, operator = 'unknown'] = name.split('&');
  return { startUs: ts, endUs: ts + dur, node: call.replace(/_token_\d+$/, ''), operator, onGpu: true };
}

/** The time of each event without what ran inside it: one thread calls them, so that they lie beside or within each other. */
function withoutBodies(times: readonly Timed[]): (Timed & { readonly selfUs: number })[] {
  const inOrder = times
    .map((time) => ({ ...time, selfUs: time.endUs - time.startUs }))
    .sort((a, b) => a.startUs - b.startUs || b.endUs - a.endUs);
  const around: typeof inOrder = [];
  for (const time of inOrder) {
    while (around.length > 0 && around.at(-1)!.endUs < time.endUs) around.pop();
    const outer = around.at(-1);
    if (outer && outer.endUs > time.startUs) outer.selfUs = Math.max(0, outer.selfUs - (time.endUs - time.startUs));
    around.push(time);
  }
  return inOrder;
}
