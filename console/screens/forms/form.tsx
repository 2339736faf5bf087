/** A version of a form, as a task shows it. Nothing that is typed here is sent. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { ButtonLink } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { SelectField } from '../../components/fields/field.js';
import { ErrorState, Loading } from '../../components/feedback/states.js';
import { Facts } from '../../components/values/facts.js';
import { FormPreview } from '../../features/forms/form-preview.js';
import { modelerOf, ofForm } from '../../features/modeler/files/addresses.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { Allowed, useProject } from '../../frame/project/project.js';
import styles from './forms.module.css';

/** Older versions are reached by the address. */
const MAX_VERSIONS = 100;

export default function FormScreen() {
  const { formID = '' } = useParams();
  const { id: projectID } = useProject();
  const { get } = useAddress();
  const chosen = versionIn(get('version'));
  const newest = useForm(formID, undefined);
  const shown = useForm(formID, chosen);
  const failed = shown.isError ? shown : newest;
  return (
    <Page
      title={formID}
      parent={{ label: 'Forms', to: '../forms' }}
      place={shown.data && { name: formID, about: 'Form' }}
      actions={
        shown.data && (
          <Allowed role="editor">
            <ButtonLink icon="edit" to={modelerOf(projectID, ofForm(formID, shown.data.version!))}>
              Edit a copy
            </ButtonLink>
          </Allowed>
        )
      }
    >
      {shown.data && newest.data ? (
        <Version key={shown.data.version} form={shown.data} newest={newest.data.version!} />
      ) : (
        <Card>
          {failed.isError ? (
            <ErrorState error={failed.error} retry={() => void failed.refetch()} />
          ) : (
            <Loading label="Loading the form" />
          )}
        </Card>
      )}
    </Page>
  );
}

function Version({ form, newest }: { form: Schemas['BpmnForm']; newest: number }) {
  const { set } = useAddress();
  const { version = newest, versionTag, deploymentID } = form;
  return (
    <>
      <div className={styles.facts}>
        <SelectField
          label="Version"
          value={version}
          onChange={({ target }) => set({ version: target.value === String(newest) ? undefined : target.value })}
        >
          {versionsUpTo(newest, version).map((one) => (
            <option key={one} value={one}>
              {one === newest ? `${one} (newest)` : one}
            </option>
          ))}
        </SelectField>
        <Facts
          facts={[
            ['Version tag', versionTag],
            [
              'Deployment',
              deploymentID && (
                <Link key="deployment" to={`../deployments/${deploymentID}`}>
                  Show the deployment
                </Link>
              ),
            ],
          ]}
        />
      </div>
      <FormPreview schema={form.schema} />
    </>
  );
}

function useForm(formID: string, version: number | undefined) {
  const { id: projectID } = useProject();
  return useQuery({
    queryKey: [projectID, 'forms', 'one', formID, version],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/forms/{formID}', {
          params: { path: { projectID, formID }, query: version === undefined ? {} : { version } },
          signal,
        }),
      ),
  });
}

/** An invalid number counts as the newest version. */
function versionIn(text: string | undefined): number | undefined {
  const version = Number(text);
  return Number.isInteger(version) && version >= 1 && version < 2 ** 31 ? version : undefined;
}

/** The newest first, and the shown one if it is older. */
function versionsUpTo(newest: number, shown: number): number[] {
  const versions = Array.from({ length: Math.min(newest, MAX_VERSIONS) }, (_, index) => newest - index);
  return versions.includes(shown) ? versions : [...versions, shown];
}
