/** Checks the comments and texts of TypeScript files against the word list. */
import { relative, sep } from 'node:path';
import { describeWord, isFinished, wordsIn } from './word-list.mjs';

export const words = {
  create(context) {
    if (!isFinished(relative(context.cwd, context.filename).split(sep).join('/'))) return {};
    const check = (node, text) => {
      for (const finding of wordsIn(text, linesOf(context.sourceCode, node)))
        context.report({ loc: node.loc, message: describeWord(finding) });
    };
    return {
      Program() {
        for (const comment of joined(context.sourceCode.getAllComments()))
          check(comment, comment.value.replaceAll(/^\s*\* ?/gm, ''));
      },
      Literal(node) {
        if (typeof node.value === 'string' && isProse(node.value)) check(node, node.value);
      },
      TemplateElement(node) {
        const text = node.value.cooked ?? '';
        if (isProse(text)) check(node, text);
      },
      JSXText(node) {
        check(node, node.value);
      },
    };
  },
};

/** A name has no space; SQL and XML have their own words. */
function isProse(text) {
  return /\S\s+\S/.test(text) && !/\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|JOIN)\b|<\/?\w+[^>]*>/.test(text);
}

/** Lines of `//` that follow each other are one text. */
function joined(comments) {
  const texts = [];
  for (const comment of comments) {
    const last = texts.at(-1);
    const continues =
      last?.type === 'Line' &&
      comment.type === 'Line' &&
      comment.loc.start.line === last.loc.end.line + 1 &&
      comment.loc.start.column === last.loc.start.column;
    if (continues)
      texts[texts.length - 1] = {
        type: 'Line',
        value: `${last.value} ${comment.value}`,
        loc: { start: last.loc.start, end: comment.loc.end },
      };
    else texts.push({ type: comment.type, value: comment.value, loc: comment.loc });
  }
  return texts;
}

function linesOf({ lines }, { loc }) {
  return lines.slice(loc.start.line - 1, loc.end.line).join('\n');
}
