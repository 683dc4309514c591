// The part of htm/preact/standalone that the page uses.

export type Node = unknown;
export type Setter<T> = (value: T | ((before: T) => T)) => void;
export function h(type: unknown, properties: object | null, ...children: unknown[]): Node;
export function html(strings: TemplateStringsArray, ...values: any[]): Node;
export function render(tree: Node, parent: Element | DocumentFragment): void;
export function useState<T>(first?: T | (() => T)): [T, Setter<T>];
export function useReducer<S, A>(reduce: (state: S, action: A) => S, first: S): [S, (action?: A) => void];
export function useEffect(effect: () => void | (() => void), inputs?: unknown[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: unknown[]): void;
export function useRef<T = any>(first?: T | null): { current: T };
export function useMemo<T>(make: () => T, inputs?: unknown[]): T;
export function useCallback<T>(call: T, inputs?: unknown[]): T;
export function createContext<T>(value: T): { Provider: unknown };
export function useContext(context: object): any;
export function useErrorBoundary(): [unknown, () => void];
export class Component {}
