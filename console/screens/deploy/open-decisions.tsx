/** One DMN file: its decisions, and a button that deploys it as their next version. */
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import { Badge } from '../../components/values/badge.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import { useToasts } from '../../components/feedback/toast.js';
import { DecisionView } from '../../features/decision/decision-view.js';
import { readDecisions } from '../../features/decision/read-file.js';
import { useProject } from '../../frame/project/project.js';
import styles from './deploy.module.css';
import type { ModelFile } from './read-file.js';
import { Problems } from './problems.js';

export function OpenDecisions({ file: { name, xml } }: { file: ModelFile }) {
  const { id: projectID } = useProject();
  const toasts = useToasts();
  const decisions = useMemo(() => readDecisions(xml), [xml]);
  const deploy = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/projects/{projectID}/dmn/definitions', { params: { path: { projectID } }, body: { name, xml } }),
      ),
    onSuccess: () => toasts.done(`${name} deployed.`),
  });
  const warnings = deploy.data?.warnings ?? [];
  const nameOf = (id: string) => decisions.find((decision) => decision.id === id)?.name ?? id;
  return (
    <Card
      title={name}
      actions={
        <span className={styles.buttons}>
          <Refusal error={deploy.error} />
          {deploy.data ? (
            <Badge tone="green" icon="check">
              Deployed
            </Badge>
          ) : (
            <Button kind="primary" icon="deploy" isBusy={deploy.isPending} onClick={() => deploy.mutate()}>
              Deploy
            </Button>
          )}
        </span>
      }
    >
      {deploy.data && (
        <>
          <p className={styles.sound}>
            This file is{' '}
            <Link
              to={`/projects/${encodeURIComponent(projectID)}/decisions/${encodeURIComponent(deploy.data.definitionsID)}`}
            >
              version {deploy.data.version} of its decisions
            </Link>
            .{warnings.length > 0 && ' Problems are listed below: the affected parts fail when they are evaluated.'}
          </p>
          {warnings.length > 0 && <Problems issues={warnings} nameOf={nameOf} />}
        </>
      )}
      {decisions.map((decision) => (
        <section key={decision.id} aria-label={decision.name}>
          <h3 className={styles.decision}>{decision.name}</h3>
          <DecisionView decision={decision} />
        </section>
      ))}
      {decisions.length === 0 && <p className={styles.sound}>This file contains no decision.</p>}
    </Card>
  );
}
