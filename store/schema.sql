CREATE TABLE agent_turns (
  workflow_id text COLLATE "C" NOT NULL,
  element integer NOT NULL,
  turn integer NOT NULL,
  node_id text NOT NULL,
  model text NOT NULL,
  job integer NOT NULL,
  started_at timestamp with time zone DEFAULT now() NOT NULL,
  answered_at timestamp with time zone,
  duration_ms integer,
  input_tokens integer,
  output_tokens integer,
  counted_tokens bigint NOT NULL,
  failure text,
  text text,
  calls json DEFAULT '[]'::json NOT NULL,
  PRIMARY KEY (workflow_id, element, turn)
);

CREATE TABLE audit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
  actor text NOT NULL,
  actor_type text NOT NULL,
  via text NOT NULL,
  operation text NOT NULL,
  outcome text NOT NULL,
  code text,
  workflow_id text COLLATE "C",
  definition_id text COLLATE "C",
  execution_key text COLLATE "C",
  batch_id text COLLATE "C",
  command_number integer,
  details jsonb DEFAULT '{}'::jsonb NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX audit_entries_by_time ON public.audit_entries USING brin (recorded_at);
CREATE INDEX audit_entries_of_actor ON public.audit_entries USING btree (actor, project_id, id DESC);
CREATE INDEX audit_entries_of_batch ON public.audit_entries USING btree (batch_id) WHERE (batch_id IS NOT NULL);
CREATE INDEX audit_entries_of_execution ON public.audit_entries USING btree (execution_key, project_id, id DESC) WHERE (execution_key IS NOT NULL);
CREATE INDEX audit_entries_of_instance ON public.audit_entries USING btree (workflow_id, recorded_at, id) WHERE (workflow_id IS NOT NULL);
CREATE INDEX audit_entries_of_operation ON public.audit_entries USING btree (operation, project_id, id DESC);
CREATE INDEX audit_entries_of_project ON public.audit_entries USING btree (project_id, id DESC);
CREATE INDEX audit_entries_of_project_by_time ON public.audit_entries USING btree (project_id, recorded_at);
CREATE INDEX audit_entries_of_suspensions ON public.audit_entries USING btree (definition_id, recorded_at) WHERE (operation = ANY (ARRAY['SuspendBpmnDefinition'::text, 'ResumeBpmnDefinition'::text]));
CREATE UNIQUE INDEX audit_entries_pending ON public.audit_entries USING btree (workflow_id, command_number) WHERE ((outcome = 'PENDING'::text) AND (command_number IS NOT NULL));
CREATE TRIGGER log_new_entry AFTER INSERT ON public.audit_entries FOR EACH ROW EXECUTE FUNCTION log_audit_entry();
CREATE TRIGGER log_outcome AFTER UPDATE OF outcome ON public.audit_entries FOR EACH ROW WHEN ((old.outcome <> new.outcome)) EXECUTE FUNCTION log_audit_entry();

CREATE TABLE audit_entries_to_log (
  number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  entry_id bigint NOT NULL,
  PRIMARY KEY (number)
);

CREATE TABLE audit_logs (
  project_id text COLLATE "C" NOT NULL,
  shortened_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
  former_retention_ms bigint,
  formerly_default boolean DEFAULT false NOT NULL,
  deleted_through bigint DEFAULT 0 NOT NULL,
  PRIMARY KEY (project_id)
);

CREATE TABLE backtest_groups (
  backtest_id uuid NOT NULL,
  cause text COLLATE "C" NOT NULL,
  outcome text NOT NULL,
  node_id text COLLATE "C",
  reason text NOT NULL,
  count integer NOT NULL,
  examples text[] NOT NULL,
  durations bytea NOT NULL,
  durations_before bytea NOT NULL,
  PRIMARY KEY (backtest_id, cause),
  FOREIGN KEY (backtest_id) REFERENCES backtests(id) ON DELETE CASCADE
);

CREATE TABLE backtest_items (
  backtest_id uuid NOT NULL,
  position integer NOT NULL,
  workflow_id text COLLATE "C" NOT NULL,
  outcome text,
  node_id text COLLATE "C",
  occurrence integer,
  expected json,
  found json,
  variables json,
  duration_ms bigint,
  duration_before_ms bigint,
  reason text,
  PRIMARY KEY (backtest_id, "position"),
  CHECK ((outcome = ANY (ARRAY['SAME'::text, 'OTHER_PATH'::text, 'OTHER_RESULT'::text, 'INCIDENT'::text, 'UNANSWERED'::text, 'SKIPPED'::text]))),
  FOREIGN KEY (backtest_id) REFERENCES backtests(id) ON DELETE CASCADE
);
CREATE INDEX backtest_items_by_node ON public.backtest_items USING btree (backtest_id, node_id, "position") WHERE (node_id IS NOT NULL);
CREATE INDEX backtest_items_by_outcome ON public.backtest_items USING btree (backtest_id, outcome, "position") WHERE (outcome IS NOT NULL);
CREATE UNIQUE INDEX backtest_items_of_instance ON public.backtest_items USING btree (backtest_id, workflow_id);
CREATE INDEX backtest_items_to_compare ON public.backtest_items USING btree (backtest_id, "position") WHERE (outcome IS NULL);

CREATE TABLE backtests (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  process_id text COLLATE "C" NOT NULL,
  definition_id uuid,
  resource_id uuid,
  graph text,
  graph_sha256 text COLLATE "C" NOT NULL,
  deployment_id uuid,
  deployed_at timestamp with time zone DEFAULT now() NOT NULL,
  reason text,
  created_by text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  total integer NOT NULL,
  status text DEFAULT 'RUNNING'::text NOT NULL,
  completed_at timestamp with time zone,
  same integer DEFAULT 0 NOT NULL,
  other_path integer DEFAULT 0 NOT NULL,
  other_result integer DEFAULT 0 NOT NULL,
  incident integer DEFAULT 0 NOT NULL,
  unanswered integer DEFAULT 0 NOT NULL,
  skipped integer DEFAULT 0 NOT NULL,
  flows json DEFAULT '{}'::json NOT NULL,
  lease uuid,
  due_at timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (id),
  CHECK ((status = ANY (ARRAY['RUNNING'::text, 'COMPLETED'::text, 'CANCELED'::text]))),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX backtests_by_project ON public.backtests USING btree (project_id, number DESC);
CREATE INDEX backtests_completed ON public.backtests USING btree (project_id, completed_at) WHERE (completed_at IS NOT NULL);
CREATE INDEX backtests_due ON public.backtests USING btree (project_id, due_at) WHERE (completed_at IS NULL);

CREATE TABLE batch_items (
  batch_id uuid NOT NULL,
  position integer NOT NULL,
  workflow_id text COLLATE "C" NOT NULL,
  incident integer,
  status text DEFAULT 'PENDING'::text NOT NULL,
  code text,
  message text,
  issues json,
  begun_at timestamp with time zone,
  command_number integer,
  processed_at timestamp with time zone,
  PRIMARY KEY (batch_id, "position"),
  CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPLIED'::text, 'FAILED_AGAIN'::text, 'REJECTED'::text, 'SKIPPED'::text, 'CANCELED'::text]))),
  FOREIGN KEY (batch_id) REFERENCES batches(id) ON DELETE CASCADE
);
CREATE INDEX batch_items_begun ON public.batch_items USING btree (batch_id) WHERE ((status = 'PENDING'::text) AND (begun_at IS NOT NULL));
CREATE INDEX batch_items_by_status ON public.batch_items USING btree (batch_id, status, "position");
CREATE INDEX batch_items_to_begin ON public.batch_items USING btree (batch_id, "position") WHERE ((status = 'PENDING'::text) AND (begun_at IS NULL));

CREATE TABLE batches (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  operation text NOT NULL,
  filter json,
  input json,
  shown json NOT NULL,
  source_definition_id uuid,
  reason text,
  created_by text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  items_per_second integer NOT NULL,
  total integer NOT NULL,
  status text DEFAULT 'RUNNING'::text NOT NULL,
  completed_at timestamp with time zone,
  counts json,
  lease uuid,
  due_at timestamp with time zone DEFAULT now() NOT NULL,
  paced_until timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (id),
  CHECK ((operation = ANY (ARRAY['CANCEL'::text, 'RESOLVE'::text, 'SET_VARIABLES'::text, 'MIGRATE'::text, 'SUSPEND'::text, 'RESUME'::text, 'MODIFY'::text, 'DELETE'::text, 'FIRE_TIMERS'::text]))),
  CHECK ((status = ANY (ARRAY['RUNNING'::text, 'PAUSED'::text, 'COMPLETED'::text, 'CANCELED'::text]))),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX batches_by_project ON public.batches USING btree (project_id, number DESC);
CREATE INDEX batches_completed ON public.batches USING btree (project_id, completed_at) WHERE (completed_at IS NOT NULL);
CREATE INDEX batches_due ON public.batches USING btree (project_id, due_at) WHERE (completed_at IS NULL);

CREATE TABLE business_id_holders (
  project_id text COLLATE "C" NOT NULL,
  process_id text COLLATE "C" NOT NULL,
  business_id text NOT NULL,
  workflow_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (project_id, process_id, business_id)
);
CREATE INDEX business_id_holders_by_instance ON public.business_id_holders USING btree (workflow_id);

CREATE TABLE commands (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  body json NOT NULL,
  signal_id uuid,
  payload_id uuid,
  actor text,
  reason text,
  awaited boolean NOT NULL,
  status text DEFAULT 'PENDING'::text NOT NULL,
  code text,
  message text,
  issues json,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  applied_at timestamp with time zone,
  deliver_at timestamp with time zone NOT NULL,
  audit jsonb,
  PRIMARY KEY (workflow_id, number),
  CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPLIED'::text, 'REJECTED'::text])))
);
CREATE INDEX commands_by_payload ON public.commands USING btree (payload_id) WHERE (payload_id IS NOT NULL);
CREATE INDEX commands_due ON public.commands USING btree (project_id, deliver_at) WHERE (status = 'PENDING'::text);
CREATE INDEX commands_of_parents ON public.commands USING btree (workflow_id) WHERE ((actor IS NULL) AND (audit IS NULL) AND ("substring"("left"((body)::text, 64), '^\{ ?"kind" ?: ?"([A-Z_]+)"'::text) = 'CANCEL_INSTANCE'::text));
CREATE INDEX commands_of_signals ON public.commands USING btree (workflow_id, signal_id) WHERE (signal_id IS NOT NULL);
CREATE TRIGGER audit_command AFTER INSERT ON public.commands FOR EACH ROW WHEN ((new.audit IS NOT NULL)) EXECUTE FUNCTION audit_command();
CREATE TRIGGER audit_outcome AFTER UPDATE OF status ON public.commands FOR EACH ROW WHEN (((new.audit IS NOT NULL) AND (old.status = 'PENDING'::text) AND (new.status <> 'PENDING'::text))) EXECUTE FUNCTION audit_outcome();

CREATE TABLE concurrency_groups (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  process_id text COLLATE "C" NOT NULL,
  key_sha256 bytea NOT NULL,
  running integer DEFAULT 0 NOT NULL,
  queued integer DEFAULT 0 NOT NULL,
  due_at timestamp with time zone,
  PRIMARY KEY (id)
);
CREATE UNIQUE INDEX concurrency_groups_by_key ON public.concurrency_groups USING btree (project_id, process_id, key_sha256);
CREATE INDEX concurrency_groups_due ON public.concurrency_groups USING btree (project_id, due_at) WHERE (due_at IS NOT NULL);

CREATE TABLE counting_processes (
  project_id text COLLATE "C" NOT NULL,
  process_id text COLLATE "C" NOT NULL,
  counted_through bigint DEFAULT 0 NOT NULL,
  due_at timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (project_id, process_id),
  FOREIGN KEY (project_id, process_id) REFERENCES process_settings(project_id, process_id) ON DELETE CASCADE
);
CREATE INDEX counting_processes_due ON public.counting_processes USING btree (project_id, due_at);

CREATE TABLE decision_definitions (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  definitions_id text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  name text NOT NULL,
  version integer NOT NULL,
  xml text NOT NULL,
  imported json NOT NULL,
  model text NOT NULL,
  created_by text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone,
  used_at timestamp with time zone,
  PRIMARY KEY (id),
  CHECK ((version > 0)),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  UNIQUE (project_id, definitions_id, version)
);
CREATE INDEX decision_definitions_by_namespace ON public.decision_definitions USING btree (project_id, namespace, number DESC);
CREATE INDEX decision_definitions_by_project ON public.decision_definitions USING btree (project_id, number DESC);

CREATE TABLE decision_executions (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  definition_id uuid NOT NULL,
  definitions_id text COLLATE "C" NOT NULL,
  business_id text,
  executed_at timestamp with time zone DEFAULT now() NOT NULL,
  executed_by text,
  inputs json NOT NULL,
  outputs json NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (definition_id) REFERENCES decision_definitions(id),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX decision_executions_by_age ON public.decision_executions USING btree (project_id, executed_at);
CREATE INDEX decision_executions_by_business_id ON public.decision_executions USING btree (project_id, business_id, number DESC) WHERE (business_id IS NOT NULL);
CREATE INDEX decision_executions_by_definition ON public.decision_executions USING btree (definition_id, number DESC);
CREATE INDEX decision_executions_by_definitions_id ON public.decision_executions USING btree (project_id, definitions_id, number DESC);
CREATE INDEX decision_executions_by_project ON public.decision_executions USING btree (project_id, number DESC);

CREATE TABLE decisions (
  definition_id uuid NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  decision_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  version_tag text COLLATE "C",
  input_fields json NOT NULL,
  PRIMARY KEY (definition_id, decision_id),
  FOREIGN KEY (definition_id) REFERENCES decision_definitions(id) ON DELETE CASCADE
);
CREATE INDEX decisions_by_id ON public.decisions USING btree (project_id, decision_id);

CREATE TABLE definitions (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  resource_id uuid NOT NULL,
  deployment_id uuid,
  process_id text COLLATE "C" NOT NULL,
  process_name text,
  version integer NOT NULL,
  version_tag text,
  graph_sha256 text COLLATE "C" NOT NULL,
  compiler_version integer NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  starts_by_call boolean DEFAULT true NOT NULL,
  controlled boolean DEFAULT false NOT NULL,
  forms json,
  tools json,
  suspended_at timestamp with time zone,
  suspended_by text,
  suspend_reason text,
  starts_suspended_at timestamp with time zone,
  starts_suspended_by text,
  starts_suspend_reason text,
  suspension_scheduled_at timestamp with time zone,
  suspension_scheduled_instances boolean,
  suspension_scheduled_by text,
  suspension_scheduled_actor_type text,
  suspension_scheduled_reason text,
  suspension_due_at timestamp with time zone,
  deleted_at timestamp with time zone,
  PRIMARY KEY (id),
  CHECK ((num_nulls(suspension_scheduled_at, suspension_scheduled_instances, suspension_scheduled_by, suspension_scheduled_actor_type, suspension_due_at) = ANY (ARRAY[0, 5]))),
  FOREIGN KEY (deployment_id) REFERENCES deployments(id),
  FOREIGN KEY (graph_sha256) REFERENCES graphs(sha256),
  FOREIGN KEY (project_id) REFERENCES projects(id),
  FOREIGN KEY (resource_id) REFERENCES resources(id)
);
CREATE INDEX definitions_by_deployment ON public.definitions USING btree (deployment_id) WHERE (deployment_id IS NOT NULL);
CREATE INDEX definitions_by_resource ON public.definitions USING btree (resource_id);
CREATE UNIQUE INDEX definitions_by_version ON public.definitions USING btree (project_id, process_id, version, (
CASE
    WHEN (version = 0) THEN (id)::text
    ELSE ''::text
END));
CREATE INDEX definitions_suspended ON public.definitions USING btree (project_id) WHERE (suspended_at IS NOT NULL);
CREATE INDEX definitions_suspension_due ON public.definitions USING btree (project_id, suspension_due_at) WHERE (suspension_due_at IS NOT NULL);
CREATE INDEX definitions_with_tools ON public.definitions USING btree (project_id, process_id) WHERE (tools IS NOT NULL);
CREATE TRIGGER copy_form_uses AFTER INSERT OR UPDATE OF graph_sha256, forms ON public.definitions FOR EACH ROW WHEN ((new.version > 0)) EXECUTE FUNCTION copy_form_uses();

CREATE TABLE deployment_items (
  deployment_id uuid NOT NULL,
  kind text NOT NULL,
  key text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  PRIMARY KEY (deployment_id, kind, key),
  CHECK ((kind = ANY (ARRAY['PROCESS'::text, 'DECISION'::text, 'FORM'::text]))),
  FOREIGN KEY (deployment_id) REFERENCES deployments(id) ON DELETE CASCADE
);

CREATE TABLE deployments (
  id uuid NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  name text,
  reason text,
  created_by text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  files json NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX deployments_by_project ON public.deployments USING btree (project_id, number DESC);

CREATE TABLE element_templates (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  template_id text COLLATE "C" NOT NULL,
  version integer,
  deployment_id uuid NOT NULL,
  template json NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (deployment_id) REFERENCES deployments(id) ON DELETE CASCADE,
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX element_templates_by_deployment ON public.element_templates USING btree (deployment_id);
CREATE UNIQUE INDEX element_templates_by_version ON public.element_templates USING btree (project_id, template_id, COALESCE(version, '-1'::integer));

CREATE TABLE ended_publications (
  id uuid NOT NULL,
  position bigint NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  correlation json,
  state text NOT NULL,
  published_by text,
  published_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone NOT NULL,
  taken_by text COLLATE "C",
  taken_node text,
  started jsonb NOT NULL,
  reached integer NOT NULL,
  PRIMARY KEY (id),
  CHECK ((state = ANY (ARRAY['TAKEN'::text, 'EXPIRED'::text, 'DELETED'::text])))
);
CREATE INDEX ended_publications_by_age ON public.ended_publications USING btree (ended_at);
CREATE INDEX ended_publications_by_project ON public.ended_publications USING btree (project_id, "position" DESC);

CREATE TABLE erased_instances (
  workflow_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  erased_at timestamp with time zone DEFAULT now() NOT NULL,
  due_at timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (workflow_id)
);
CREATE INDEX erased_instances_due ON public.erased_instances USING btree (project_id, due_at);

CREATE TABLE event_deliveries (
  subscription_id uuid NOT NULL,
  position bigint NOT NULL,
  order_key text COLLATE "C" NOT NULL,
  workflow_id text COLLATE "C",
  attempts integer DEFAULT 0 NOT NULL,
  last_error text,
  queued_at timestamp with time zone DEFAULT now() NOT NULL,
  due_at timestamp with time zone,
  dead_at timestamp with time zone,
  PRIMARY KEY (subscription_id, "position"),
  FOREIGN KEY (subscription_id) REFERENCES event_subscriptions(id) ON DELETE CASCADE
);
CREATE INDEX event_deliveries_dead ON public.event_deliveries USING btree (subscription_id, dead_at) WHERE (dead_at IS NOT NULL);
CREATE INDEX event_deliveries_due ON public.event_deliveries USING btree (subscription_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX event_deliveries_in_order ON public.event_deliveries USING btree (subscription_id, order_key, "position") WHERE (dead_at IS NULL);
CREATE INDEX event_deliveries_of_instance ON public.event_deliveries USING btree (workflow_id) WHERE (workflow_id IS NOT NULL);

CREATE TABLE event_feeds (
  project_id text COLLATE "C" NOT NULL,
  expired_through bigint NOT NULL,
  PRIMARY KEY (project_id),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

CREATE TABLE event_subscriptions (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  secret text COLLATE "C" NOT NULL,
  types text[] COLLATE "C" NOT NULL,
  process_ids text[] COLLATE "C",
  enabled boolean DEFAULT true NOT NULL,
  position bigint NOT NULL,
  failing_since timestamp with time zone,
  last_error text,
  created_by text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  lease uuid,
  due_at timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX event_subscriptions_due ON public.event_subscriptions USING btree (due_at) WHERE enabled;
CREATE INDEX event_subscriptions_of_project ON public.event_subscriptions USING btree (project_id, created_at);

CREATE TABLE events (
  number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  position bigint,
  project_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  workflow_id text COLLATE "C",
  process_id text COLLATE "C",
  happened_at timestamp with time zone DEFAULT now() NOT NULL,
  recorded_at timestamp with time zone DEFAULT now() NOT NULL,
  data jsonb NOT NULL,
  PRIMARY KEY (number)
);
CREATE UNIQUE INDEX events_by_position ON public.events USING btree (project_id, "position") WHERE ("position" IS NOT NULL);
CREATE INDEX events_of_instance ON public.events USING btree (workflow_id) WHERE (workflow_id IS NOT NULL);
CREATE INDEX events_without_position ON public.events USING btree (number) WHERE ("position" IS NULL);

CREATE TABLE far_steps (
  workflow_id text COLLATE "C" NOT NULL,
  subject integer NOT NULL,
  step integer NOT NULL,
  times integer NOT NULL,
  PRIMARY KEY (workflow_id, subject, step)
);

CREATE TABLE folded_instances (
  workflow_id text COLLATE "C" NOT NULL,
  steps integer NOT NULL,
  state json NOT NULL,
  PRIMARY KEY (workflow_id)
) WITH (fillfactor=80);

CREATE TABLE form_uses (
  definition_id uuid NOT NULL,
  node_id text NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  form_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (definition_id, node_id),
  FOREIGN KEY (definition_id) REFERENCES definitions(id) ON DELETE CASCADE
);
CREATE INDEX form_uses_by_form ON public.form_uses USING btree (project_id, form_id);

CREATE TABLE forms (
  id uuid NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  form_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  version_tag text COLLATE "C",
  deployment_id uuid NOT NULL,
  schema json NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (deployment_id) REFERENCES deployments(id) ON DELETE CASCADE,
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  UNIQUE (project_id, form_id, version)
);
CREATE INDEX forms_by_deployment ON public.forms USING btree (deployment_id);

CREATE TABLE gone_instances (
  workflow_id text COLLATE "C" NOT NULL,
  gone_at timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (workflow_id)
);
CREATE INDEX gone_instances_by_age ON public.gone_instances USING btree (gone_at);

CREATE TABLE graphs (
  sha256 text COLLATE "C" NOT NULL,
  graph text NOT NULL,
  PRIMARY KEY (sha256)
);
CREATE TRIGGER copy_user_task_names AFTER INSERT ON public.graphs FOR EACH ROW EXECUTE FUNCTION copy_user_task_names();

CREATE TABLE hook_deliveries (
  number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  hook_id uuid NOT NULL,
  received_at timestamp with time zone DEFAULT now() NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  publication_id uuid,
  problem text,
  body text,
  request json,
  redeliveries integer DEFAULT 0 NOT NULL,
  PRIMARY KEY (number),
  CHECK ((outcome = ANY (ARRAY['PUBLISHED'::text, 'IGNORED'::text, 'REPEATED'::text, 'FAILED'::text])))
);
CREATE INDEX hook_deliveries_by_time ON public.hook_deliveries USING btree (received_at);
CREATE INDEX hook_deliveries_of_hook ON public.hook_deliveries USING btree (hook_id, number);
CREATE INDEX hook_deliveries_of_project ON public.hook_deliveries USING btree (project_id);
CREATE INDEX hook_deliveries_with_body ON public.hook_deliveries USING btree (hook_id, number) WHERE (body IS NOT NULL);

CREATE TABLE hooks (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  auth json NOT NULL,
  message_name text NOT NULL,
  correlation_keys text,
  variables text,
  idempotency_key text,
  ttl text,
  enabled boolean NOT NULL,
  revision integer DEFAULT 1 NOT NULL,
  created_by text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_by text,
  updated_at timestamp with time zone,
  PRIMARY KEY (id),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX hooks_of_project ON public.hooks USING btree (project_id, created_at, id);

CREATE TABLE idempotency_keys (
  project_id text COLLATE "C" NOT NULL,
  operation_id text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  status integer,
  body json,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (project_id, operation_id, subject, key)
);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);

CREATE TABLE incidents (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  definition_id uuid NOT NULL,
  element integer NOT NULL,
  node_id text NOT NULL,
  scope integer,
  status text DEFAULT 'OPEN'::text NOT NULL,
  error_type text NOT NULL,
  error_code text,
  message text NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  failed_work integer,
  previous integer,
  raised_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  resolved_by text,
  ending_command integer,
  PRIMARY KEY (workflow_id, number),
  CHECK ((status = ANY (ARRAY['OPEN'::text, 'RESOLVED'::text, 'WITHDRAWN'::text])))
);
CREATE INDEX incidents_by_definition ON public.incidents USING btree (definition_id, raised_at DESC);
CREATE INDEX incidents_by_error_code ON public.incidents USING btree (project_id, error_code, raised_at DESC) WHERE (error_code IS NOT NULL);
CREATE INDEX incidents_by_error_type ON public.incidents USING btree (project_id, error_type, raised_at DESC);
CREATE INDEX incidents_by_group ON public.incidents USING btree (project_id, group_id, raised_at DESC);
CREATE INDEX incidents_by_node ON public.incidents USING btree (project_id, node_id, raised_at DESC);
CREATE INDEX incidents_by_project ON public.incidents USING btree (project_id, raised_at DESC);
CREATE INDEX incidents_by_text ON public.incidents USING gin (lower(message) gin_trgm_ops);
CREATE INDEX incidents_open ON public.incidents USING btree (project_id, raised_at DESC) WHERE (status = 'OPEN'::text);
CREATE TRIGGER group_incident BEFORE INSERT OR UPDATE OF definition_id, node_id ON public.incidents FOR EACH ROW EXECUTE FUNCTION group_incident();

CREATE TABLE instance_starts (
  workflow_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  input json NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  deliver_at timestamp with time zone NOT NULL,
  queue_group bigint,
  queue_rank bigint,
  PRIMARY KEY (workflow_id)
);
CREATE INDEX instance_starts_due ON public.instance_starts USING btree (project_id, deliver_at) WHERE (deliver_at < 'infinity'::timestamp with time zone);
CREATE INDEX instance_starts_queued ON public.instance_starts USING btree (queue_group, queue_rank) WHERE (queue_group IS NOT NULL);

CREATE TABLE instances (
  workflow_id text COLLATE "C" NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  definition_id uuid NOT NULL,
  started_definition_id uuid,
  parent_workflow_id text COLLATE "C",
  parent_wait integer,
  root_workflow_id text COLLATE "C" NOT NULL,
  depth integer DEFAULT 0 NOT NULL,
  ancestor_definitions uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  restarted_from text,
  imported_system text,
  imported_id text,
  imported_started_by text,
  imported_at timestamp with time zone,
  business_id text,
  status text DEFAULT 'RUNNING'::text NOT NULL,
  failure_reason text,
  started_by text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  completed_at timestamp with time zone,
  variables json NOT NULL,
  captured_at timestamp with time zone DEFAULT now() NOT NULL,
  search_summary jsonb,
  redacted_variables text[] DEFAULT '{}'::text[] NOT NULL,
  active_nodes text[] COLLATE "C",
  open_incidents integer DEFAULT 0 NOT NULL,
  descendants_at_most integer DEFAULT 0 NOT NULL,
  canceling boolean DEFAULT false NOT NULL,
  suspended_at timestamp with time zone,
  suspended_by text,
  suspend_reason text,
  ancestor_suspended boolean DEFAULT false NOT NULL,
  step_count integer DEFAULT 0 NOT NULL,
  fact_count integer DEFAULT 0 NOT NULL,
  entry_count integer DEFAULT 0 NOT NULL,
  command_count integer DEFAULT 0 NOT NULL,
  received_commands integer DEFAULT 0 NOT NULL,
  lingering_worker text,
  lingering_until timestamp with time zone,
  result_awaited_until timestamp with time zone,
  concurrency_group bigint,
  queued boolean DEFAULT false NOT NULL,
  nexus_endpoint text COLLATE "C",
  PRIMARY KEY (workflow_id),
  CHECK ((status = ANY (ARRAY['RUNNING'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELED'::text])))
) WITH (fillfactor=80);
CREATE INDEX instances_below_root ON public.instances USING btree (root_workflow_id, completed_at DESC) WHERE (parent_workflow_id IS NOT NULL);
CREATE INDEX instances_by_business_id ON public.instances USING btree (project_id, business_id, number DESC) WHERE (business_id IS NOT NULL);
CREATE INDEX instances_by_business_id_text ON public.instances USING btree (project_id, business_id COLLATE "C", number) WHERE (business_id IS NOT NULL);
CREATE INDEX instances_by_completion ON public.instances USING btree (project_id, completed_at, number) WHERE (completed_at IS NOT NULL);
CREATE INDEX instances_by_creation ON public.instances USING btree (project_id, created_at DESC);
CREATE INDEX instances_by_definition ON public.instances USING btree (definition_id, number DESC);
CREATE INDEX instances_by_failure_reason ON public.instances USING gin (lower(failure_reason) gin_trgm_ops) WHERE (failure_reason IS NOT NULL);
CREATE INDEX instances_by_parent ON public.instances USING btree (parent_workflow_id) WHERE (parent_workflow_id IS NOT NULL);
CREATE UNIQUE INDEX instances_by_project ON public.instances USING btree (project_id, number DESC);
CREATE INDEX instances_by_starter ON public.instances USING btree (project_id, started_by, number) WHERE (started_by IS NOT NULL);
CREATE INDEX instances_ended ON public.instances USING btree (project_id, completed_at) WHERE ((status <> 'RUNNING'::text) AND (parent_workflow_id IS NULL));
CREATE INDEX instances_ended_for_nexus ON public.instances USING btree (completed_at) WHERE ((nexus_endpoint IS NOT NULL) AND (status <> 'RUNNING'::text));
CREATE INDEX instances_failed_or_canceled ON public.instances USING btree (project_id, status, number DESC) WHERE (status = ANY (ARRAY['FAILED'::text, 'CANCELED'::text]));
CREATE UNIQUE INDEX instances_imported ON public.instances USING btree (project_id, imported_system, imported_id) WHERE (imported_system IS NOT NULL);
CREATE INDEX instances_imported_by_number ON public.instances USING btree (definition_id, number) WHERE (imported_system IS NOT NULL);
CREATE INDEX instances_imported_running ON public.instances USING btree (project_id) WHERE ((imported_system IS NOT NULL) AND (status = 'RUNNING'::text));
CREATE INDEX instances_restarted ON public.instances USING btree (project_id, restarted_from, number) WHERE (restarted_from IS NOT NULL);
CREATE INDEX instances_running ON public.instances USING btree (project_id, definition_id, number DESC) WHERE (status = 'RUNNING'::text);
CREATE INDEX instances_running_below ON public.instances USING gin (ancestor_definitions) WITH (fastupdate=off) WHERE ((status = 'RUNNING'::text) AND (ancestor_definitions <> '{}'::uuid[]));
CREATE INDEX instances_running_by_number ON public.instances USING btree (number) WHERE (status = 'RUNNING'::text);
CREATE INDEX instances_suspended ON public.instances USING btree (project_id, number DESC) WHERE ((status = 'RUNNING'::text) AND ((suspended_at IS NOT NULL) OR ancestor_suspended));
CREATE INDEX instances_with_incident ON public.instances USING btree (project_id, number DESC) WHERE (open_incidents > 0);
CREATE TRIGGER free_place AFTER UPDATE OF status ON public.instances FOR EACH ROW WHEN (((old.concurrency_group IS NOT NULL) AND (old.status = 'RUNNING'::text) AND (new.status <> 'RUNNING'::text))) EXECUTE FUNCTION free_place();
CREATE TRIGGER instances_follow_definition AFTER UPDATE OF definition_id ON public.instances FOR EACH ROW WHEN ((old.definition_id <> new.definition_id)) EXECUTE FUNCTION follow_definition();

CREATE TABLE job_limits (
  project_id text COLLATE "C" NOT NULL,
  task_type text COLLATE "C" NOT NULL,
  keyed boolean DEFAULT false NOT NULL,
  concurrent integer,
  rate_count integer,
  rate_per_ms integer,
  counting uuid,
  updated_by text,
  updated_at timestamp with time zone,
  PRIMARY KEY (project_id, task_type),
  CHECK (((rate_count IS NULL) = (rate_per_ms IS NULL))),
  CHECK ((concurrent > 0)),
  CHECK ((rate_count > 0)),
  CHECK ((rate_per_ms > 0)),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

CREATE TABLE job_workers (
  project_id text COLLATE "C" NOT NULL,
  task_type text COLLATE "C" NOT NULL,
  client_id text NOT NULL,
  last_seen_at timestamp with time zone NOT NULL,
  PRIMARY KEY (project_id, task_type, client_id)
);

CREATE TABLE jobs (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  definition_path uuid[] NOT NULL,
  element integer NOT NULL,
  node_id text NOT NULL,
  task_type text COLLATE "C" NOT NULL,
  status text DEFAULT 'PENDING'::text NOT NULL,
  priority integer DEFAULT 0 NOT NULL,
  retries integer NOT NULL,
  headers json,
  listener json,
  local_variables json,
  trace_context json,
  created_at timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  available_at timestamp with time zone NOT NULL,
  withheld boolean DEFAULT false NOT NULL,
  hot_until timestamp with time zone,
  lease integer DEFAULT 0 NOT NULL,
  locked_by text,
  lock_expires_at timestamp with time zone,
  first_leased_at timestamp with time zone,
  leased_at timestamp with time zone,
  error_code text,
  error_message text,
  cancel_reason text,
  ending_command integer,
  ended_by_client text,
  ending_sha256 text,
  limit_key text,
  limit_group text COLLATE "C",
  keyed boolean DEFAULT (limit_group IS NOT NULL) NOT NULL,
  counted boolean DEFAULT false NOT NULL,
  execution json,
  cancel_execution_at timestamp with time zone,
  PRIMARY KEY (workflow_id, number),
  CHECK ((status = ANY (ARRAY['PENDING'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELED'::text])))
) WITH (fillfactor=80);
CREATE INDEX jobs_by_completion ON public.jobs USING btree (project_id, completed_at, workflow_id, number) WHERE (completed_at IS NOT NULL);
CREATE INDEX jobs_by_definition ON public.jobs USING btree (project_id, (definition_path[cardinality(definition_path)]), created_at DESC);
CREATE INDEX jobs_by_error_code ON public.jobs USING btree (project_id, error_code, created_at DESC) WHERE (error_code IS NOT NULL);
CREATE INDEX jobs_by_limit_group ON public.jobs USING btree ((((project_id || ' '::text) || task_type)), withheld, priority, limit_group, available_at) WHERE ((status = 'PENDING'::text) AND (limit_group IS NOT NULL));
CREATE INDEX jobs_by_node ON public.jobs USING btree (project_id, node_id, created_at DESC);
CREATE INDEX jobs_by_priority ON public.jobs USING btree (project_id, task_type, withheld, keyed, definition_path, priority, available_at) WHERE (status = 'PENDING'::text);
CREATE INDEX jobs_by_project ON public.jobs USING btree (project_id, created_at DESC);
CREATE INDEX jobs_by_task_type ON public.jobs USING btree (project_id, task_type, created_at DESC);
CREATE INDEX jobs_counted ON public.jobs USING btree ((((project_id || ' '::text) || task_type)), COALESCE(limit_group, ''::text), lock_expires_at) WHERE (counted AND (status = 'PENDING'::text) AND (ending_command IS NULL));
CREATE INDEX jobs_failed_or_canceled ON public.jobs USING btree (project_id, status, created_at DESC) WHERE (status = ANY (ARRAY['FAILED'::text, 'CANCELED'::text]));
CREATE INDEX jobs_hot ON public.jobs USING btree (project_id, task_type, hot_until) WHERE ((status = 'PENDING'::text) AND (hot_until IS NOT NULL));
CREATE INDEX jobs_listed_by_priority ON public.jobs USING btree (project_id, priority, workflow_id, number);
CREATE INDEX jobs_of_type_by_priority ON public.jobs USING btree (project_id, task_type, withheld, keyed, priority, available_at) WHERE (status = 'PENDING'::text);
CREATE INDEX jobs_of_type_prioritized ON public.jobs USING btree (project_id, task_type, withheld, keyed, available_at) WHERE ((status = 'PENDING'::text) AND (priority <> 0));
CREATE INDEX jobs_prioritized ON public.jobs USING btree (project_id, task_type, withheld, keyed, definition_path, available_at) WHERE ((status = 'PENDING'::text) AND (priority <> 0));
CREATE INDEX jobs_with_execution_to_cancel ON public.jobs USING btree (cancel_execution_at) WHERE ((cancel_execution_at IS NOT NULL) AND (status <> 'PENDING'::text));

CREATE TABLE limit_groups (
  project_id text COLLATE "C" NOT NULL,
  task_type text COLLATE "C" NOT NULL,
  in_tests boolean NOT NULL,
  limit_group text COLLATE "C" NOT NULL,
  served_at timestamp with time zone NOT NULL,
  counted_at timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
  counted integer[] DEFAULT '{}'::integer[] NOT NULL,
  PRIMARY KEY (project_id, task_type, in_tests, limit_group),
  FOREIGN KEY (project_id, task_type) REFERENCES job_limits(project_id, task_type) ON DELETE CASCADE
);

CREATE TABLE parents_to_follow (
  workflow_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  root_workflow_id text COLLATE "C" NOT NULL,
  depth integer NOT NULL,
  queued_at timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (workflow_id)
);
CREATE INDEX parents_to_follow_by_project ON public.parents_to_follow USING btree (project_id, queued_at);
CREATE INDEX parents_to_follow_by_root ON public.parents_to_follow USING btree (root_workflow_id);

CREATE TABLE pause_waiters (
  number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workflow_id text COLLATE "C" NOT NULL,
  blocked_by text COLLATE "C" NOT NULL,
  wake_at timestamp with time zone,
  PRIMARY KEY (number)
);
CREATE INDEX pause_waiters_by_blocker ON public.pause_waiters USING btree (blocked_by);
CREATE INDEX pause_waiters_by_instance ON public.pause_waiters USING btree (workflow_id);
CREATE INDEX pause_waiters_to_wake ON public.pause_waiters USING btree (wake_at) WHERE (wake_at IS NOT NULL);

CREATE TABLE process_settings (
  project_id text COLLATE "C" NOT NULL,
  process_id text COLLATE "C" NOT NULL,
  unique_business_id text DEFAULT 'NONE'::text NOT NULL,
  concurrent_instances integer,
  concurrency_key text,
  concurrency_key_tree json,
  when_full text DEFAULT 'QUEUE'::text NOT NULL,
  max_queued integer DEFAULT 10000 NOT NULL,
  queued integer DEFAULT 0 NOT NULL,
  has_overflowed boolean DEFAULT false NOT NULL,
  PRIMARY KEY (project_id, process_id),
  CHECK ((length(concurrency_key) <= 16384)),
  CHECK ((concurrent_instances > 0)),
  CHECK ((max_queued > 0)),
  CHECK ((unique_business_id = ANY (ARRAY['NONE'::text, 'RUNNING'::text, 'EVER'::text]))),
  CHECK ((when_full = ANY (ARRAY['QUEUE'::text, 'REFUSE'::text]))),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX process_settings_overflowed ON public.process_settings USING btree (project_id) WHERE has_overflowed;

CREATE TABLE projects (
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone,
  description text,
  message_ttl_ms bigint,
  signal_ttl_ms bigint,
  history_retention_ms bigint,
  audit_retention_ms bigint,
  event_retention_ms bigint,
  validate_forms boolean DEFAULT false NOT NULL,
  agent_prices jsonb DEFAULT '[]'::jsonb NOT NULL,
  deleted_at timestamp with time zone,
  PRIMARY KEY (id),
  CHECK ((event_retention_ms > 0)),
  CHECK ((history_retention_ms >= 0)),
  CHECK ((message_ttl_ms >= 0)),
  CHECK ((signal_ttl_ms >= 0))
);
CREATE INDEX projects_deleted ON public.projects USING btree (id) WHERE (deleted_at IS NOT NULL);
CREATE TRIGGER begin_event_feed AFTER UPDATE OF event_retention_ms ON public.projects FOR EACH ROW WHEN (((old.event_retention_ms IS NULL) AND (new.event_retention_ms IS NOT NULL))) EXECUTE FUNCTION begin_event_feed();
CREATE TRIGGER keep_audit_entries AFTER UPDATE OF audit_retention_ms ON public.projects FOR EACH ROW WHEN (((old.audit_retention_ms IS DISTINCT FROM new.audit_retention_ms) AND COALESCE((new.audit_retention_ms < old.audit_retention_ms), true))) EXECUTE FUNCTION keep_audit_entries();
CREATE CONSTRAINT TRIGGER keep_audit_entries_of_deleted AFTER DELETE ON public.projects DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((strpos(old.id, '~'::text) = 0)) EXECUTE FUNCTION keep_audit_entries();

CREATE TABLE publications (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  channel text COLLATE "C" NOT NULL,
  keys text[] NOT NULL,
  correlation json,
  variables json NOT NULL,
  published_by text,
  published_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  match_at timestamp with time zone,
  claimed_by text COLLATE "C",
  claimed_subscription integer,
  claimed_command integer,
  delivered_to bigint DEFAULT 0 NOT NULL,
  deferred_for text[] DEFAULT '{}'::text[] NOT NULL,
  started jsonb DEFAULT '[]'::jsonb NOT NULL,
  reached integer DEFAULT 0 NOT NULL,
  trace_context json,
  PRIMARY KEY (id),
  CHECK ((type = ANY (ARRAY['message'::text, 'signal'::text])))
);
CREATE INDEX publications_by_channel ON public.publications USING btree (channel, project_id, "position") WHERE (claimed_by IS NULL);
CREATE INDEX publications_by_expiry ON public.publications USING btree (expires_at);
CREATE INDEX publications_by_position ON public.publications USING btree (project_id, "position" DESC);
CREATE INDEX publications_by_project ON public.publications USING btree (project_id, expires_at) WHERE (type = 'message'::text);
CREATE INDEX publications_claimed ON public.publications USING btree (claimed_by) WHERE (claimed_by IS NOT NULL);
CREATE INDEX publications_due ON public.publications USING btree (project_id, match_at) WHERE (match_at IS NOT NULL);
CREATE INDEX publications_kept ON public.publications USING gin (keys) WITH (fastupdate=off) WHERE (claimed_by IS NULL);

CREATE TABLE redacting_instances (
  workflow_id text COLLATE "C" NOT NULL,
  root_workflow_id text COLLATE "C" NOT NULL,
  due_at timestamp with time zone DEFAULT now() NOT NULL,
  part text NOT NULL,
  done integer DEFAULT 0 NOT NULL,
  PRIMARY KEY (workflow_id)
);
CREATE INDEX redacting_instances_by_root ON public.redacting_instances USING btree (root_workflow_id);
CREATE INDEX redacting_instances_due ON public.redacting_instances USING btree (due_at);

CREATE TABLE removed_instances (
  workflow_id text COLLATE "C" NOT NULL,
  removed_at timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (workflow_id)
);

CREATE TABLE resources (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  xml text NOT NULL,
  definitions_id text NOT NULL,
  created_by text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone,
  revision integer DEFAULT 1 NOT NULL,
  deployed_by text,
  deployed_at timestamp with time zone,
  tested_draft uuid,
  PRIMARY KEY (id),
  FOREIGN KEY (project_id) REFERENCES projects(id)
);
CREATE INDEX resources_by_definitions_id ON public.resources USING btree (project_id, definitions_id, created_at DESC);
CREATE INDEX resources_by_project ON public.resources USING btree (project_id, created_at DESC);

CREATE TABLE resumptions (
  blocker text COLLATE "C" NOT NULL,
  resumed_at timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (blocker)
);

CREATE TABLE search_cursor_key (
  single boolean DEFAULT true NOT NULL,
  secret bytea NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (single),
  CHECK (single)
);

CREATE TABLE signal_deliveries (
  publication_id uuid NOT NULL,
  workflow_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (publication_id, workflow_id),
  FOREIGN KEY (publication_id) REFERENCES publications(id) ON DELETE CASCADE
);

CREATE TABLE signal_payloads (
  publication_id uuid NOT NULL,
  variables json NOT NULL,
  PRIMARY KEY (publication_id)
);

CREATE TABLE start_subscriptions (
  definition_id uuid NOT NULL,
  node_id text NOT NULL,
  trigger integer NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  channel text COLLATE "C" NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  match_at timestamp with time zone,
  together boolean DEFAULT false NOT NULL,
  PRIMARY KEY (definition_id, node_id, trigger),
  CHECK ((type = ANY (ARRAY['message'::text, 'signal'::text]))),
  FOREIGN KEY (definition_id) REFERENCES definitions(id) ON DELETE CASCADE
);
CREATE INDEX start_subscriptions_by_channel ON public.start_subscriptions USING btree (channel, project_id, "position");
CREATE INDEX start_subscriptions_due ON public.start_subscriptions USING btree (project_id, match_at) WHERE (match_at IS NOT NULL);

CREATE TABLE start_timers (
  definition_id uuid NOT NULL,
  node_id text NOT NULL,
  trigger integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  timer text NOT NULL,
  deployed_at timestamp with time zone NOT NULL,
  wanted boolean DEFAULT true NOT NULL,
  wanted_at timestamp with time zone DEFAULT now() NOT NULL,
  revision integer DEFAULT 0 NOT NULL,
  send_at timestamp with time zone DEFAULT now(),
  skipped_ticks integer DEFAULT 0 NOT NULL,
  last_skipped_tick timestamp with time zone,
  skipped_by_hand timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
  last_tick timestamp with time zone,
  PRIMARY KEY (definition_id, node_id, trigger),
  CHECK ((type = ANY (ARRAY['date'::text, 'cycle'::text])))
);
CREATE INDEX start_timers_by_project ON public.start_timers USING btree (project_id);
CREATE INDEX start_timers_due ON public.start_timers USING btree (project_id, send_at) WHERE (send_at IS NOT NULL);

CREATE TABLE statistics (
  project_id text COLLATE "C" NOT NULL,
  process_id text COLLATE "C" NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  unit text COLLATE "C" NOT NULL,
  time timestamp with time zone NOT NULL,
  version integer NOT NULL,
  started bigint DEFAULT 0 NOT NULL,
  completed bigint DEFAULT 0 NOT NULL,
  failed bigint DEFAULT 0 NOT NULL,
  canceled bigint DEFAULT 0 NOT NULL,
  incidents bigint DEFAULT 0 NOT NULL,
  durations bytea,
  waiting bytea,
  working bytea,
  PRIMARY KEY (project_id, process_id, unit, "time", node_id, version),
  CHECK ((unit = ANY (ARRAY['hour'::text, 'day'::text]))),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
) WITH (fillfactor=80);
CREATE INDEX statistics_of_instances ON public.statistics USING btree (project_id, process_id, unit, "time") WHERE (node_id = ''::text);
CREATE INDEX statistics_of_project ON public.statistics USING btree (project_id, "time") WHERE (unit = 'hour'::text);

CREATE TABLE statistics_progress (
  single boolean DEFAULT true NOT NULL,
  as_of timestamp with time zone NOT NULL,
  begun_at timestamp with time zone DEFAULT now() NOT NULL,
  checked_through text COLLATE "C" DEFAULT ''::text NOT NULL,
  checked_at timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
  PRIMARY KEY (single),
  CHECK (single)
);

CREATE TABLE steps (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  facts_before integer NOT NULL,
  fact_count integer NOT NULL,
  entries_before integer DEFAULT 0 NOT NULL,
  inputs json NOT NULL,
  facts json NOT NULL,
  snapshot json,
  PRIMARY KEY (workflow_id, number)
);
CREATE INDEX steps_with_snapshot ON public.steps USING btree (workflow_id, number DESC) WHERE (snapshot IS NOT NULL);

CREATE TABLE steps_to_fold (
  workflow_id text COLLATE "C" NOT NULL
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000);

CREATE TABLE stored_payloads (
  workflow_id text COLLATE "C" NOT NULL,
  sha256 text COLLATE "C" NOT NULL,
  stored_by text COLLATE "C" NOT NULL,
  payload bytea NOT NULL,
  PRIMARY KEY (workflow_id, sha256, stored_by)
);

CREATE TABLE subscriptions (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  element integer NOT NULL,
  node_id text NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  channel text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  keys text[] NOT NULL,
  correlation json,
  opened_at timestamp with time zone DEFAULT now() NOT NULL,
  publication_id uuid,
  match_at timestamp with time zone,
  PRIMARY KEY (workflow_id, number),
  CHECK ((type = ANY (ARRAY['message'::text, 'signal'::text])))
);
CREATE INDEX subscriptions_by_channel ON public.subscriptions USING btree (channel, project_id, "position");
CREATE INDEX subscriptions_by_project ON public.subscriptions USING btree (project_id, opened_at);
CREATE INDEX subscriptions_due ON public.subscriptions USING btree (project_id, match_at) WHERE (match_at IS NOT NULL);
CREATE INDEX subscriptions_open ON public.subscriptions USING btree (key, project_id, "position") WHERE (publication_id IS NULL);

CREATE TABLE target_counts (
  project_id text COLLATE "C" NOT NULL,
  process_id text COLLATE "C" NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  duration_ms bigint NOT NULL,
  hour timestamp with time zone NOT NULL,
  version integer NOT NULL,
  met bigint DEFAULT 0 NOT NULL,
  missed bigint DEFAULT 0 NOT NULL,
  PRIMARY KEY (project_id, process_id, hour, node_id, duration_ms, version),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

CREATE TABLE target_dues (
  workflow_id text COLLATE "C" NOT NULL,
  element integer NOT NULL,
  due_at timestamp with time zone NOT NULL,
  duration_ms bigint NOT NULL,
  missed boolean DEFAULT false NOT NULL,
  PRIMARY KEY (workflow_id, element)
);
CREATE INDEX target_dues_to_miss ON public.target_dues USING btree (due_at) WHERE (NOT missed);

CREATE TABLE target_misses (
  number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workflow_id text COLLATE "C" NOT NULL,
  element integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  definition_id uuid NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  duration_ms bigint NOT NULL,
  due_at timestamp with time zone NOT NULL,
  recorded_at timestamp with time zone DEFAULT now() NOT NULL,
  PRIMARY KEY (workflow_id, element)
);

CREATE TABLE targets (
  project_id text COLLATE "C" NOT NULL,
  process_id text COLLATE "C" NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  since timestamp with time zone NOT NULL,
  until timestamp with time zone,
  duration_ms bigint NOT NULL,
  PRIMARY KEY (project_id, process_id, node_id, since),
  CHECK ((duration_ms > 0)),
  FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

CREATE TABLE temporal_executions (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  token uuid NOT NULL,
  run_id text,
  attempted_at timestamp with time zone NOT NULL,
  client_id text NOT NULL,
  lease text NOT NULL,
  look_at timestamp with time zone NOT NULL,
  looks integer DEFAULT 0 NOT NULL,
  PRIMARY KEY (workflow_id, number)
);
CREATE INDEX temporal_executions_by_look ON public.temporal_executions USING btree (look_at);

CREATE TABLE user_task_comments (
  workflow_id text COLLATE "C" NOT NULL,
  element integer NOT NULL,
  user_task integer NOT NULL,
  ordinal integer NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  text text NOT NULL,
  author text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  imported boolean DEFAULT false NOT NULL,
  PRIMARY KEY (workflow_id, element, user_task, ordinal)
);

CREATE TABLE user_task_names (
  graph_sha256 text COLLATE "C" NOT NULL,
  node_id text NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (graph_sha256, node_id),
  FOREIGN KEY (graph_sha256) REFERENCES graphs(sha256)
);

CREATE TABLE user_tasks (
  workflow_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  element integer NOT NULL,
  node_id text NOT NULL,
  status text DEFAULT 'CREATED'::text NOT NULL,
  candidate_users text[] NOT NULL,
  candidate_groups text[] NOT NULL,
  assignee text COLLATE "C",
  assigned_at timestamp with time zone,
  assigned_by text,
  first_assigned_at timestamp with time zone,
  priority integer DEFAULT 50 NOT NULL,
  due_date timestamp with time zone,
  follow_up_date timestamp with time zone,
  overdue_reported boolean DEFAULT false NOT NULL,
  form_key text,
  form_id text,
  form_binding json,
  form_version_id uuid,
  form_definition_id uuid,
  headers json,
  local_variables json,
  completion_variables json,
  comment_count integer DEFAULT 0 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  error_code text,
  cancel_reason text,
  ending_command integer,
  decided text[],
  asked text,
  denied json,
  PRIMARY KEY (workflow_id, number),
  CHECK ((status = ANY (ARRAY['CREATED'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELED'::text])))
) WITH (fillfactor=80);
CREATE INDEX user_tasks_becoming_overdue ON public.user_tasks USING btree (project_id, due_date) WHERE ((status = 'CREATED'::text) AND (due_date IS NOT NULL) AND (NOT overdue_reported));
CREATE INDEX user_tasks_by_assignee ON public.user_tasks USING btree (project_id, assignee, created_at DESC) WHERE (assignee IS NOT NULL);
CREATE INDEX user_tasks_by_candidate_group ON public.user_tasks USING gin (candidate_groups) WHERE (candidate_groups <> '{}'::text[]);
CREATE INDEX user_tasks_by_candidate_user ON public.user_tasks USING gin (candidate_users) WHERE (candidate_users <> '{}'::text[]);
CREATE INDEX user_tasks_by_project ON public.user_tasks USING btree (project_id, created_at DESC);
CREATE INDEX user_tasks_ended ON public.user_tasks USING btree (project_id, completed_at, workflow_id, number) WHERE (completed_at IS NOT NULL);
CREATE INDEX user_tasks_open ON public.user_tasks USING btree (project_id, created_at DESC) WHERE (status = 'CREATED'::text);
CREATE INDEX user_tasks_open_by_due_date ON public.user_tasks USING btree (project_id, due_date, workflow_id, number) WHERE ((status = 'CREATED'::text) AND (due_date IS NOT NULL));
CREATE INDEX user_tasks_open_by_priority ON public.user_tasks USING btree (project_id, priority, workflow_id, number) WHERE (status = 'CREATED'::text);
CREATE INDEX user_tasks_open_unassigned ON public.user_tasks USING btree (project_id, due_date, workflow_id, number) WHERE ((status = 'CREATED'::text) AND (assignee IS NULL));

CREATE OR REPLACE FUNCTION public.add_bytes(bytes bigint, value anyelement, enough bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN bytes >= enough THEN bytes ELSE bytes + coalesce(octet_length(value::text), 0) END
$function$

CREATE OR REPLACE FUNCTION public.audit_command()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO audit_entries (project_id, actor, actor_type, via, operation, outcome, workflow_id, definition_id,
    execution_key, batch_id, command_number, details)
  SELECT split_part(i.project_id, '~', 1), NEW.audit ->> 'actor', NEW.audit ->> 'actorType', NEW.audit ->> 'via',
    NEW.audit ->> 'operation', 'PENDING', i.workflow_id, i.definition_id::text, NEW.audit ->> 'executionKey',
    NEW.audit ->> 'batchID', NEW.number, NEW.audit -> 'details'
  FROM instances i WHERE i.workflow_id = NEW.workflow_id;
  RETURN NULL;
END $function$

CREATE OR REPLACE FUNCTION public.audit_outcome()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- The last condition lets the statement use the index of pending entries.
  UPDATE audit_entries SET outcome = NEW.status, code = NEW.code
  WHERE workflow_id = NEW.workflow_id AND command_number = NEW.number AND outcome = 'PENDING'
    AND command_number IS NOT NULL;
  RETURN NULL;
END $function$

CREATE OR REPLACE FUNCTION public.begin_event_feed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO event_feeds (project_id, expired_through) VALUES (NEW.id, nextval('event_positions'))
  ON CONFLICT (project_id) DO UPDATE SET expired_through = excluded.expired_through;
  RETURN NULL;
END $function$

CREATE AGGREGATE public.bytes_until(value anyelement, enough bigint) (SFUNC = add_bytes, STYPE = bigint, INITCOND = '0');

CREATE OR REPLACE FUNCTION public.copy_form_uses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM form_uses WHERE definition_id = NEW.id;
  INSERT INTO form_uses (definition_id, node_id, project_id, form_id)
  SELECT NEW.id, node_id, NEW.project_id, form_id FROM (
    SELECT node ->> 'id' AS node_id, node #>> '{formID,literal}' AS form_id
    FROM graphs g CROSS JOIN json_array_elements(
      regexp_replace(g.graph, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi')::json -> 'nodes') node
    WHERE g.sha256 = NEW.graph_sha256 AND g.graph LIKE '%"formID":%' AND node ->> 'kind' = 'userTask'
    UNION ALL
    SELECT coalesce(g.graph::json #>> '{nodes,0,start}', NEW.process_id), NEW.forms #>> '{start,formID}'
    FROM graphs g WHERE g.sha256 = NEW.graph_sha256 AND NEW.forms #>> '{start,formID}' IS NOT NULL
  ) used WHERE length(form_id) <= 255;
  RETURN NULL;
END $function$

CREATE OR REPLACE FUNCTION public.copy_user_task_names()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO user_task_names (graph_sha256, node_id, name)
  SELECT NEW.sha256, node ->> 'id', node ->> 'name' FROM json_array_elements(
    regexp_replace(NEW.graph, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi')::json -> 'nodes') node
  WHERE node ->> 'kind' = 'userTask' AND node ->> 'name' IS NOT NULL;
  RETURN NULL;
END $function$

CREATE OR REPLACE FUNCTION public.follow_definition()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- The suspension that paused the instance may not apply to its new definition.
  UPDATE pause_waiters SET wake_at = now() WHERE workflow_id = NEW.workflow_id;
  UPDATE jobs SET definition_path = NEW.ancestor_definitions || NEW.definition_id
  WHERE workflow_id = NEW.workflow_id AND status = 'PENDING';
  PERFORM follow_parents(ARRAY[NEW.workflow_id]);
  RETURN NULL;
END $function$

CREATE OR REPLACE FUNCTION public.follow_parents(parents text[])
 RETURNS void
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  level text[] := parents;
  unfinished text[] := '{}';
  behind text[];
  room integer := 500;
BEGIN
  WHILE room > 0 AND cardinality(level) > 0 LOOP
    behind := ARRAY(
      SELECT c.workflow_id FROM unnest(level) AS parent(id) CROSS JOIN LATERAL (
        SELECT workflow_id FROM children_behind b WHERE b.parent_workflow_id = parent.id LIMIT room
      ) c LIMIT room
    );
    IF behind = '{}' THEN RETURN; END IF;
    PERFORM FROM instances WHERE workflow_id = ANY(behind) ORDER BY workflow_id FOR NO KEY UPDATE;
    -- The suspension that paused these instances may not apply to their new definitions.
    UPDATE pause_waiters w SET wake_at = now() FROM instances i JOIN instances p ON p.workflow_id = i.parent_workflow_id
    WHERE i.workflow_id = ANY(behind) AND w.workflow_id = i.workflow_id
      AND i.ancestor_definitions <> p.ancestor_definitions || p.definition_id;
    UPDATE instances i SET canceling = i.canceling OR p.canceling,
      ancestor_suspended = p.suspended_at IS NOT NULL OR p.ancestor_suspended,
      ancestor_definitions = p.ancestor_definitions || p.definition_id
    FROM instances p WHERE i.workflow_id = ANY(behind) AND i.status || '' = 'RUNNING' AND p.workflow_id = i.parent_workflow_id;
    -- As in store/work/withheld-jobs.ts.
    WITH now AS MATERIALIZED (
      SELECT workflow_id, suspended_at IS NOT NULL OR ancestor_suspended OR canceling AS withheld,
        ancestor_definitions || definition_id AS path
      FROM instances WHERE workflow_id = ANY(behind)
    )
    UPDATE jobs j SET withheld = now.withheld, definition_path = now.path FROM now
    WHERE j.workflow_id = now.workflow_id AND j.status || '' = 'PENDING'
      AND (j.withheld <> now.withheld OR j.definition_path <> now.path);
    room := room - cardinality(behind);
    IF room = 0 THEN
      unfinished := ARRAY(
        SELECT id FROM unnest(level) AS parent(id)
        WHERE (SELECT true FROM children_behind b WHERE b.parent_workflow_id = id LIMIT 1)
      );
    END IF;
    level := ARRAY(
      SELECT id FROM unnest(behind) AS parent(id)
      WHERE (SELECT true FROM instances i WHERE i.parent_workflow_id = id AND i.status || '' = 'RUNNING' LIMIT 1)
    );
  END LOOP;
  INSERT INTO parents_to_follow (workflow_id, project_id, root_workflow_id, depth)
  SELECT workflow_id, project_id, root_workflow_id, depth FROM instances WHERE workflow_id = ANY(unfinished || level)
  ON CONFLICT DO NOTHING;
END $function$

CREATE OR REPLACE FUNCTION public.free_place()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  place concurrency_groups;
BEGIN
  IF OLD.queued THEN
    UPDATE process_settings s SET queued = s.queued - 1 FROM concurrency_groups g
    WHERE g.id = OLD.concurrency_group AND s.project_id = g.project_id AND s.process_id = g.process_id;
  END IF;
  SELECT * INTO place FROM concurrency_groups WHERE id = OLD.concurrency_group FOR UPDATE;
  IF place.running + place.queued <= 1 THEN
    DELETE FROM concurrency_groups WHERE id = place.id;
  ELSE
    UPDATE concurrency_groups SET running = running - (NOT OLD.queued)::integer, queued = queued - OLD.queued::integer,
      due_at = CASE WHEN queued > OLD.queued::integer THEN coalesce(due_at, now()) END
    WHERE id = place.id;
  END IF;
  RETURN NULL;
END $function$

CREATE OR REPLACE FUNCTION public.group_incident()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.group_id := incident_group((SELECT process_id FROM definitions WHERE id = NEW.definition_id),
    NEW.node_id, NEW.error_type, NEW.error_code, NEW.message);
  RETURN NEW;
END $function$

CREATE OR REPLACE FUNCTION public.incident_group(process_id text, node_id text, error_type text, error_code text, message text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN "left"(encode(sha256(convert_to((jsonb_build_array(process_id, node_id, error_type, error_code, incident_text(message)))::text, 'UTF8'::name)), 'hex'::text), 32)

CREATE OR REPLACE FUNCTION public.incident_text(message text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(("left"(message, 1000) COLLATE "C"), '"(?:[^"\\]|\\.)*(?:"|$)|(?<![A-Za-z0-9_])''[^'']*''(?![A-Za-z0-9_])|`[^`]*`|“[^”]*”|«[^»]*»|[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}|[0-9]+(?:[.,][0-9]+)*'::text, '…'::text, 'g'::text)

CREATE OR REPLACE FUNCTION public.keep_audit_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO audit_logs AS l (project_id, shortened_at, former_retention_ms, formerly_default, deleted_through)
  VALUES (OLD.id, clock_timestamp(), OLD.audit_retention_ms, OLD.audit_retention_ms IS NULL,
    CASE WHEN TG_OP = 'DELETE' THEN coalesce((SELECT max(id) FROM audit_entries), 0) ELSE 0 END)
  ON CONFLICT (project_id) DO UPDATE SET shortened_at = excluded.shortened_at,
    former_retention_ms = greatest(l.former_retention_ms, excluded.former_retention_ms),
    formerly_default = l.formerly_default OR excluded.formerly_default,
    deleted_through = greatest(l.deleted_through, excluded.deleted_through);
  RETURN NULL;
END $function$

CREATE OR REPLACE FUNCTION public.last_number_before(project text, moment timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  found_number bigint;
  is_imported boolean;
  given_at timestamptz;
  low bigint := 0;
  high bigint;
BEGIN
  SELECT number, imported_system IS NOT NULL INTO found_number, is_imported FROM instances
  WHERE project_id = project AND created_at < moment ORDER BY created_at DESC LIMIT 1;
  IF found_number IS NULL THEN
    RETURN 0;
  ELSIF NOT is_imported THEN
    RETURN found_number;
  END IF;
  SELECT number INTO high FROM instances WHERE project_id = project ORDER BY number DESC LIMIT 1;
  WHILE low < high LOOP
    SELECT number, coalesce(imported_at, created_at) INTO found_number, given_at FROM instances
    WHERE project_id = project AND number > low AND number <= low + (high - low + 1) / 2 ORDER BY number DESC LIMIT 1;
    IF found_number IS NULL OR given_at < moment THEN
      low := low + (high - low + 1) / 2;
    ELSE
      high := found_number - 1;
    END IF;
  END LOOP;
  RETURN low;
END $function$

CREATE OR REPLACE FUNCTION public.log_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO audit_entries_to_log (entry_id) VALUES (NEW.id);
  RETURN NULL;
END $function$

CREATE OR REPLACE FUNCTION public.pick_variables(variables json, names text[])
 RETURNS json
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (strpos((variables)::text, '\u'::text) > 0) THEN variables ELSE (SELECT json_object_agg(v.key, v.value) AS json_object_agg FROM json_each(pick_variables.variables) v(key, value) WHERE (v.key = ANY (pick_variables.names))) END
