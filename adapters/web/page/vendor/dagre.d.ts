// The part of dagre that the page uses.

export type Laid = { x: number; y: number; width: number; height: number };
export class Graph {
  constructor(options?: { multigraph?: boolean });
  setGraph(options: { rankdir?: "LR" | "TB"; nodesep?: number; ranksep?: number; marginx?: number; marginy?: number }): void;
  setDefaultEdgeLabel(make: () => object): void;
  setNode(name: string, size: { width: number; height: number }): void;
  setEdge(from: string, to: string): void;
  node(name: string): Laid;
  edge(from: string, to: string): { points: { x: number; y: number }[] };
  graph(): { width: number; height: number };
}
export function layout(graph: Graph): void;
