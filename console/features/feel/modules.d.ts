/** The editor has no types. These cover the parts that the console uses. */
declare module '@bpmn-io/feel-editor' {
  export default class FeelEditor {
    constructor(options: {
      container: HTMLElement;
      value?: string;
      placeholder?: string | undefined;
      variables?: readonly { name: string }[];
      contentAttributes?: Readonly<Record<string, string>>;
      onChange?(value: string): void;
      onKeyDown?(event: KeyboardEvent): void;
    });
    setValue(value: string): void;
    setVariables(variables: readonly { name: string }[]): void;
  }
}
