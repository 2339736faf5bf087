/** The text of a draft: a BPMN file, a DMN file, or a form, by its content. */
import { compileResource, type CompiledResource } from '@perdure/bpmn';
import { readForm } from '@perdure/forms/read-form.js';
import type { Turns } from '@perdure/lib/fair-turns.js';
import { contentKind } from '@perdure/lib/model-files/content-kind.js';
import { declaredAsUtf8 } from '@perdure/lib/model-files/declaration.js';
import { isName, isObject, readJsonFile } from '@perdure/lib/model-files/json.js';
import type { ResourceContent } from '../../../../store/definitions/resources.js';
import type { Database } from '../../../../store/sql/database.js';
import { problem, type Problem } from '../../../contract/problem.js';
import { compileWithImports } from '../../dmn/shared/file.js';
import { unreadable } from './model.js';

type Problems = CompiledResource['problems'];
type Unreadable = Problem<'INVALID_MODEL' | 'PAYLOAD_TOO_LARGE'>;

/** A draft as it is stored, and what would prevent its deployment. */
interface ReadDraft {
  content: ResourceContent;
  problems: Problems;
}

interface GivenDraft {
  name: string;
  xml: string;
}

/** Imports of decisions are those of the project. A text that cannot be stored even as a draft is a problem. */
export async function readDraft(
  store: Database,
  projectID: string,
  { name, xml }: GivenDraft,
  turns: Turns,
): Promise<ReadDraft | Unreadable> {
  const kind = contentKind(xml);
  if (kind === 'FORM') return readFormDraft({ name, xml });
  const decisions =
    kind === 'DMN' ? await compileWithImports(store, projectID, { xml, together: new Map() }, turns) : undefined;
  const text = declaredAsUtf8(xml);
  if (decisions?.content)
    return {
      content: { name, xml: text, definitionsID: groupOf(decisions.content.definitionsID, 'dmn') },
      problems: decisions.problems,
    };
  const compiled = await compileResource(xml, turns);
  return (
    unreadable(compiled) ?? {
      content: { name, xml: text, definitionsID: compiled.definitionsID },
      problems: decisions?.problems ?? compiled.problems,
    }
  );
}

const formLimits = { noun: 'form', maxBytes: 1024 * 1024 };

function readFormDraft({ name, xml }: GivenDraft): ReadDraft | Unreadable {
  const json = readJsonFile(xml, formLimits);
  if (!json.ok) {
    const errors = issuesOf([json.problem]);
    return problem('INVALID_MODEL', errors[0]!.message, { details: { errors, warnings: [] } });
  }
  const read = readForm(xml);
  const id = isObject(json.value) && isName(json.value['id']) ? json.value['id'] : name;
  return {
    content: { name, xml, definitionsID: groupOf(id, 'form') },
    problems: read.ok ? [] : issuesOf(read.problems),
  };
}

function issuesOf(problems: readonly { message: string; line?: number; column?: number }[]): Problems {
  return problems.map(({ message, line, column }) => ({
    severity: 'error',
    message: line === undefined ? message : `${message}, see line ${line}, column ${column}.`,
  }));
}

/** Revisions of a file have this in common. BPMN files have their id alone, which other files may have too. */
function groupOf(id: string, end: 'dmn' | 'form'): string {
  return `${id}.${end}`;
}
