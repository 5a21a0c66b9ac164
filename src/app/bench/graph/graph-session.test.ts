import { describe, expect, it } from 'vitest';
import type { FoldNode, GraphClient, GraphView, PlacedNode } from '../../../../workers/model-graph/client.ts';
import { GraphLoader } from './graph-loader.svelte.ts';
import { GraphSession } from './graph-session.svelte.ts';

const words = { title: 't', subtitle: '', widthPx: 80, heightPx: 30 };
const tensor = { name: 'n', dtype: '', shape: '', constant: null };
const output = (id: string, y: number): PlacedNode => {
  return { kind: 'output', id, leadsTo: [id], tensor, ...words, x: 100, y };
};
const fold: PlacedNode & FoldNode = {
  kind: 'fold',
  id: 'fold',
  leadsTo: ['a'],
  count: 40,
  operators: [],
  next: [7, 8],
  ...words,
  x: 100,
  y: 50,
};

const viewOf = (...nodes: readonly PlacedNode[]): GraphView => ({
  nodes,
  edges: [],
  widthPx: 200,
  heightPx: 2000,
  operatorCount: 40,
  leftOut: 0,
});

/** Answers with one view after the other. */
function clientOf(...views: readonly (GraphView | Error)[]) {
  const asked: (readonly number[])[] = [];
  let ended = 0;
  const client: GraphClient = {
    show: async (unfolded) => {
      const view = views[asked.length]!;
      asked.push(unfolded);
      if (view instanceof Error) throw view;
      return view;
    },
    end: () => void ended++,
  };
  return { client, asked, ended: () => ended };
}

const settled = (session: GraphSession) => expect.poll(() => session.busy).toBe(false);

describe('a graph that is looked at', () => {
  it('begins at an output, and keeps what was chosen while it is there', async () => {
    const { client } = clientOf(viewOf(fold, output('a', 300), output('b', 400)), viewOf(output('a', 900)));
    const session = new GraphSession('net.onnx', client);
    await settled(session);
    expect(session.node?.id).toBe('b');
    session.chooseNode('fold');
    await session.unfold(fold);
    expect(session.node?.id).toBe('a');
  });

  it('unfolds on top of what was unfolded, and takes steps back', async () => {
    const first = viewOf(fold, output('a', 300));
    const { client, asked } = clientOf(first, first, first, first);
    const session = new GraphSession('net.onnx', client);
    await settled(session);
    expect(session.isUnfolded).toBe(false);
    await session.unfold(fold);
    await session.unfold({ ...fold, next: [3] });
    await session.foldAgain();
    expect(asked).toEqual([[], [7, 8], [7, 8, 3], [7, 8]]);
    expect(session.isUnfolded).toBe(true);
  });

  it('unfolds one part at a time: a second click while one is laid out does nothing', async () => {
    const first = viewOf(fold, output('a', 300));
    const { client, asked } = clientOf(first, first, first);
    const session = new GraphSession('net.onnx', client);
    await settled(session);
    await Promise.all([session.unfold(fold), session.unfold({ ...fold, next: [3] })]);
    expect(asked).toEqual([[], [7, 8]]);
  });

  it('asks for nothing where a fold has nothing to show', async () => {
    const { client, asked } = clientOf(viewOf(fold));
    const session = new GraphSession('net.onnx', client);
    await settled(session);
    await session.unfold({ ...fold, next: [] });
    expect(asked).toHaveLength(1);
  });

  it('keeps the chosen node where it was on the screen, whatever moves', async () => {
    const { client } = clientOf(viewOf(fold, output('a', 300)), viewOf({ ...fold, y: 700 }, output('a', 900)));
    const session = new GraphSession('net.onnx', client);
    const { viewport } = session;
    viewport.stageWidthPx = 400;
    viewport.stageHeightPx = 300;
    await settled(session);
    viewport.zoomTo(1);
    session.chooseNode('fold');
    const was = viewport.toStage(fold.x, fold.y);
    await session.unfold(fold);
    expect(viewport.toStage(fold.x, 700).x).toBeCloseTo(was.x);
    expect(viewport.toStage(fold.x, 700).y).toBeCloseTo(was.y);
  });

  it('lets only those stand out that lead to the chosen output', async () => {
    const { client } = clientOf(viewOf(fold, output('a', 300), output('b', 400)));
    const session = new GraphSession('net.onnx', client);
    await settled(session);
    expect(session.matters(output('b', 0))).toBe(true);
    session.chooseOutput('a');
    expect([fold, output('a', 0), output('b', 0)].map((node) => session.matters(node))).toEqual([true, true, false]);
  });

  it('says what failed, keeps what it shows, and tries again', async () => {
    const first = viewOf(fold);
    const { client } = clientOf(first, new Error('The worker stopped.'), first);
    const session = new GraphSession('net.onnx', client);
    await settled(session);
    await session.unfold(fold);
    expect([session.fault, session.isUnfolded, session.view]).toEqual(['The worker stopped.', false, first]);
    await session.unfold(fold);
    expect([session.fault, session.isUnfolded]).toEqual(['', true]);
  });
});

it('ends the worker of a graph with its dialog, and with the next graph', async () => {
  const clients = [clientOf(viewOf(fold)), clientOf(viewOf(fold))];
  let opened = 0;
  const loader = new GraphLoader(async () => clients[opened++]!.client);
  const source = { fileName: 'net.onnx', source: { kind: 'stored', sha256: 'a' } } as const;
  await loader.open(source);
  await loader.open(source);
  expect(clients.map(({ ended }) => ended())).toEqual([1, 0]);
  loader.close();
  expect([clients[1]!.ended(), loader.session]).toEqual([1, null]);
});
