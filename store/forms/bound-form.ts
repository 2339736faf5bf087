/** SQL that finds the form version to which a binding leads, for step commits and for requests. */
import { ordinaryProject } from '../projects/tests.js';

interface Places {
  projectID: string;
  formID: string;
  /** JSON of a `ChildBinding`; null means the latest version. */
  binding: string;
  /** The version of the process that names the form. */
  definitionID: string;
}

/** The id of the form version; null if none is deployed. The members are SQL expressions. */
export function boundForm({ projectID, formID, binding, definitionID }: Places): string {
  return `(SELECT f.id FROM forms f WHERE f.project_id = ${ordinaryProject(projectID)} AND f.form_id = ${formID}
    AND CASE coalesce(${binding} ->> 'kind', 'latest')
      WHEN 'versionTag' THEN f.version_tag = ${binding} ->> 'versionTag'
      WHEN 'deployment' THEN f.id = (SELECT b.id FROM definitions p JOIN deployment_items b ON b.deployment_id = p.deployment_id
        WHERE p.id = ${definitionID} AND b.kind = 'FORM' AND b.key = ${formID})
      ELSE true END
    ORDER BY f.version DESC LIMIT 1)`;
}

/** Whether a form key names a form embedded in the BPMN file; see `embeddedFormID` of the engine's model. */
export function isEmbedded(formKey: string): string {
  return `${formKey} LIKE 'camunda-forms:bpmn:%'`;
}
