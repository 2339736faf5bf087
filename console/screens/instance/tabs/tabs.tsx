import { Tabs } from '../../../components/basics/tabs.js';
import { useAddress } from '../../../frame/layout/use-address.js';
import { useProject } from '../../../frame/project/project.js';
import { includesRole } from '../../../frame/project/roles.js';
import { useInstance } from '../use-instance.js';
import { instanceTabs } from './index.js';
import type { TabProps } from './tab.js';

export function InstanceTabs(props: TabProps) {
  const { role } = useProject();
  const { instance, model } = useInstance();
  const address = useAddress();
  const visible = instanceTabs.filter((tab) => includesRole(role, tab.role) && (tab.isShown?.(model) ?? true));
  const open = visible.find(({ id }) => id === address.get('tab')) ?? visible[0]!;
  return (
    <Tabs
      label="About this instance"
      tabs={visible.map(({ id, label, count }) => ({ id, label, count: count?.(instance) }))}
      selected={open.id}
      onSelect={(id) => address.set({ tab: id, page: undefined })}
    >
      <open.Content {...props} />
    </Tabs>
  );
}
