/** These libraries have no types, or none for what the console uses. */

declare module 'camunda-bpmn-js/lib/camunda-cloud/Modeler' {
  import type BaseModeler from 'bpmn-js/lib/Modeler';
  export default class Modeler extends BaseModeler {}
}

declare module '@bpmn-io/properties-panel' {
  export const Group: unknown;
  export const FeelEntry: (properties: object) => unknown;
  export function isFeelEntryEdited(node: unknown): boolean;
}

declare module '@bpmn-io/properties-panel/preact/hooks' {
  export function useState<Value>(initial: Value): [Value, (value: Value) => void];
  export function useEffect(effect: () => (() => void) | undefined, dependencies: readonly unknown[]): void;
}

declare module 'bpmn-js-properties-panel' {
  export function useService<Service>(name: string): Service;
}

declare module 'dmn-js/lib/Modeler' {
  interface DmnElement {
    id: string;
    name?: string;
  }

  interface View {
    id: string;
    name?: string;
    type: 'drd' | 'decisionTable' | 'literalExpression' | 'boxedExpression';
    element: DmnElement;
  }

  interface Viewer {
    get<Service>(name: string): Service;
    on<Event>(event: string, listener: (event: Event) => void): void;
  }

  export default class Modeler {
    constructor(options: object);
    importXML(xml: string, options?: { open: boolean }): Promise<{ warnings: unknown[] }>;
    saveXML(options: { format: boolean }): Promise<{ xml: string }>;
    getViews(): View[];
    getActiveView(): View | undefined;
    getActiveViewer(): Viewer | undefined;
    open(view: View): Promise<{ warnings: unknown[] }>;
    on<Event>(event: string, listener: (event: Event) => void): void;
    destroy(): void;
  }
}
