/** Declarations in a file to which events refer. The id is the name and the code too. */
import { extensions } from './extensions.js';
import { element, tag } from './xml.js';

export const root = {
  /** @param correlationKey a FEEL expression: `=orderID`; a message that only starts processes has none */
  message: (id: string, correlationKey?: string) =>
    element(
      'message',
      { id, name: id },
      extensions(correlationKey === undefined ? '' : tag('zeebe:subscription', { correlationKey })),
    ),
  signal: (id: string) => element('signal', { id, name: id }),
  error: (id: string) => element('error', { id, name: id, errorCode: id }),
  escalation: (id: string) => element('escalation', { id, name: id, escalationCode: id }),
};
