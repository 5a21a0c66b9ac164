/** The part of the library that is used here, its labels typed: the library's own types leave those open (`any`). */
declare module '@dagrejs/dagre' {
  interface GraphLabel {
    readonly rankdir?: 'TB';
    readonly nodesep?: number;
    readonly edgesep?: number;
    readonly ranksep?: number;
    readonly marginx?: number;
    readonly marginy?: number;
    /** set by `layout` */
    readonly width?: number;
    readonly height?: number;
  }
  interface Size {
    readonly width: number;
    readonly height: number;
  }
  interface Point {
    readonly x: number;
    readonly y: number;
  }
  interface EdgeLabel extends Size {
    readonly labelpos: 'c';
  }
  export class Graph {
    setGraph(label: GraphLabel): this;
    graph(): GraphLabel;
    setNode(id: string, size: Size): this;
    setEdge(from: string, to: string, label: EdgeLabel): this;
    /** the middle and the size of a node, after `layout` */
    node(id: string): Size & Point;
    /** bends of an edge and, where its label has a size, the middle of that, after `layout` */
    edge(from: string, to: string): { readonly points: readonly Point[]; readonly x?: number; readonly y?: number };
  }
  export function layout(graph: Graph): void;
}
