import { z } from 'zod';
import {
  auditSorts,
  listOrganizationEntries,
  organizationAuditFilters,
  streamOrganizationEntries,
} from '../../../store/audit/list.js';
import { defineList } from '../../commands/define-list.js';
import { pageOf } from '../../contract/schemas.js';
import { auditEntry, toEntry } from './list.js';

const organizationAuditEntry = z
  .strictObject({ projectID: z.string(), ...auditEntry.shape })
  .meta({ id: 'OrganizationAuditEntry' });

export const listOrganizationAuditEntries = defineList({
  operationID: 'ListOrganizationAuditEntries',
  path: '/audit',
  role: 'system-admin',
  summary: 'List the audit log of the organization',
  description:
    'Entries of all projects, newest first: those of deleted projects too, and the creation and deletion of projects.',
  filters: organizationAuditFilters,
  sorts: auditSorts,
  item: organizationAuditEntry,
  page: pageOf('OrganizationAuditEntryPaginatedResponse', organizationAuditEntry),
}).rows({
  page: ({ context }, page, filter) => listOrganizationEntries(context.store, filter, page),
  all: ({ context }, order, filter) => streamOrganizationEntries(context.store, filter, order),
  toItem: ({ projectID, ...row }) => ({ projectID, ...toEntry(row) }),
});
