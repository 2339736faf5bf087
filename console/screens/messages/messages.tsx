/** Messages and signals with their outcomes, open subscriptions, and forms to publish, as external systems do. */
import { Card } from '../../components/basics/card.js';
import { DebouncedText } from '../../components/fields/debounced-text.js';
import { SelectField } from '../../components/fields/field.js';
import { Tabs } from '../../components/basics/tabs.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { Allowed } from '../../frame/project/project.js';
import styles from './messages.module.css';
import { PublicationList } from './publication-list.js';
import { publicationStates } from './publication.js';
import { PublishForms } from './publish-forms.js';
import { SubscriptionList } from './subscription-list.js';

const tabs = [
  { id: 'publications', label: 'Messages and signals' },
  { id: 'subscriptions', label: 'Open subscriptions' },
];

export default function Messages() {
  const address = useAddress();
  const tab = address.get('tab') === 'subscriptions' ? 'subscriptions' : 'publications';
  const name = address.get('name');
  const state = publicationStates.find((known) => known === address.get('state'));
  return (
    <Page title="Messages and signals">
      <Allowed role="executor">
        <PublishForms />
      </Allowed>
      <search className={styles.filters} aria-label="Filters">
        <DebouncedText
          label="Name"
          placeholder="Exact name"
          value={name}
          onSettle={(settled) => address.set({ name: settled, page: undefined })}
        />
        {tab === 'publications' && (
          <SelectField
            label="State"
            value={state ?? ''}
            onChange={({ target }) => address.set({ state: target.value, page: undefined })}
          >
            <option value="">Any</option>
            <option value="KEPT">Kept</option>
            <option value="CLAIMED">On its way</option>
            <option value="TAKEN">Taken</option>
            <option value="EXPIRED">Expired</option>
            <option value="DELETED">Deleted</option>
          </SelectField>
        )}
      </search>
      <Card>
        <Tabs
          label="Publications and subscriptions"
          tabs={tabs}
          selected={tab}
          onSelect={(id) => address.set({ tab: id, page: undefined })}
        >
          {tab === 'publications' ? <PublicationList name={name} state={state} /> : <SubscriptionList name={name} />}
        </Tabs>
      </Card>
    </Page>
  );
}
