/** Makes the database refuse steps whose facts contain a word. */
import type { Database } from '../../../store/sql/database.js';

const sql = `
  CREATE TABLE refusals (workflow_id text, word text, code text, constraint_name text, quote text);
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE found refusals;
  BEGIN
    SELECT * INTO found FROM refusals r
    WHERE r.workflow_id IN (NEW.workflow_id, '*') AND strpos(NEW.facts::text, r.word) > 0 LIMIT 1;
    IF found.code IS NOT NULL THEN
      RAISE EXCEPTION 'refused on purpose %', found.quote
        USING ERRCODE = found.code, CONSTRAINT = coalesce(found.constraint_name, '');
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER refuse BEFORE INSERT ON steps FOR EACH ROW EXECUTE FUNCTION refuse();`;

export interface Refusal {
  sqlState?: string;
  constraint?: string | null;
  /** Part of the message of the database. */
  quote?: string;
}

export interface Refusals {
  /** @param workflowID `*` for every instance */
  add(workflowID: string, word: string, refusal?: Refusal): Promise<void>;
  /** Of one instance, or all. */
  clear(workflowID?: string): Promise<void>;
}

export async function installRefusals(store: Database): Promise<Refusals> {
  await store.query(sql);
  return {
    async add(workflowID, word, { sqlState = '22000', constraint = null, quote = '' } = {}) {
      const values = [workflowID, word, sqlState, constraint, quote];
      await store.query('INSERT INTO refusals VALUES ($1, $2, $3, $4, $5)', values);
    },
    async clear(workflowID) {
      await store.query('DELETE FROM refusals WHERE $1::text IS NULL OR workflow_id = $1', [workflowID ?? null]);
    },
  };
}
