/** Types for the parts in use of bpmn-js-differ, which ships none. Tests of the console need them too. */

declare module 'bpmn-js-differ' {
  interface Element {
    readonly $type: string;
    readonly id?: string;
    readonly name?: string;
    $instanceOf(type: string): boolean;
  }
  type ByID<Value> = Readonly<Record<string, Value>>;
  export class ChangeHandler {
    readonly _added: ByID<Element>;
    readonly _removed: ByID<Element>;
    readonly _changed: ByID<{ model: Element; attrs: ByID<unknown> }>;
    readonly _layoutChanged: ByID<Element>;
    _isTracked(element: Element): { element: Element; property: string } | undefined;
  }
  export function diff<Handler extends ChangeHandler>(before: unknown, after: unknown, handler: Handler): Handler;
}
