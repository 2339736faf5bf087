/**
 * A pattern whose time grows faster than the text it reads lets one long text stop a process. The rule refuses such
 * patterns. Where texts cannot be long, disable the rule for the line, with the bound as the reason.
 */
import { analyse } from 'scslre';

export const linearPatterns = {
  create(context) {
    return {
      Literal(node) {
        if (!node.regex) return;
        const { pattern: source, flags } = node.regex;
        const [found] = analyse({ source, flags }, { assumeRejectingSuffix: false }).reports;
        if (!found) return;
        context.report({
          node,
          message: `The time of this pattern is ${found.exponential ? 'exponential' : 'quadratic'} in the length of a text. Let its parts exclude each other, or scan the text by hand.`,
        });
      },
    };
  },
};
