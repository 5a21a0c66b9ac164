import { describe, expect, it } from 'vitest';
import { readOrtEvents } from './onnxruntime-events.ts';

const session = (name: string, ts: number, dur: number) => ({ cat: 'Session', name, ts, dur, args: {} });
const node = (name: string, operator: string, ts: number, dur: number, provider = 'CPUExecutionProvider') => ({
  cat: 'Node',
  name: `${name}_kernel_time`,
  ts,
  dur,
  args: { op_name: operator, provider },
});
const kernel = (name: string, ts: number, dur: number) => ({ cat: 'Api', name, ts, dur, args: {} });
const read = (...events: readonly object[]) => readOrtEvents(JSON.stringify(events));

describe("the events of ONNX Runtime's profiler", () => {
  it('belong to the run in which they began; opening the model is none', () => {
    const runs = read(
      session('session_initialization', 0, 900),
      node('c1', 'FusedConv', 1010, 400),
      node('up', 'Resize', 1420, 500),
      session('SequentialExecutor::Execute', 1005, 990),
      session('model_run', 1000, 1000),
      node('c1', 'FusedConv', 2010, 300),
      session('model_run', 2001, 600),
    );
    expect(runs).toEqual([
      {
        ms: 1,
        nodes: [
          { node: 'c1', operator: 'FusedConv', onGpu: false, ms: 0.4 },
          { node: 'up', operator: 'Resize', onGpu: false, ms: 0.5 },
        ],
      },
      { ms: 0.6, nodes: [{ node: 'c1', operator: 'FusedConv', onGpu: false, ms: 0.3 }] },
    ]);
  });

  it('count the body of a loop once', () => {
    const [run] = read(
      session('model_run', 0, 1000),
      node('inner', 'Add', 110, 100),
      node('inner', 'Add', 220, 100),
      node('loop', 'Loop', 100, 400),
      node('after', 'Relu', 500, 50),
    );
    expect(run!.nodes.map(({ operator, ms }) => [operator, ms])).toEqual([
      ['Loop', 0.2],
      ['Add', 0.1],
      ['Add', 0.1],
      ['Relu', 0.05],
    ]);
  });

  it('tell of the GPU by its kernels, not by how long they took to hand over', () => {
    const [run] = read(
      session('model_run', 0, 5000),
      node('/up/Resize', 'Resize', 10, 20, 'WebGpuExecutionProvider'),
      node('/nms', 'NonMaxSuppression', 40, 300),
      kernel('/up/Resize_token_24&Resize&ResizeLinear', 60, 4000),
    );
    expect(run!.nodes).toEqual([
      { node: '/nms', operator: 'NonMaxSuppression', onGpu: false, ms: 0.3 },
      { node: '/up/Resize', operator: 'Resize', onGpu: true, ms: 4 },
    ]);
  });

  it('are none where nothing ran', () => expect(read(session('model_loading_array', 0, 9))).toEqual([]));
});
