import { eventsOf } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { accessSchemas, aceInfo, permissionProviders, permissionsSearchType } from './access-model.ts'
import { dropNotesWithDocument, storeNotesOfEntries } from './ace-notes.ts'
import { aceStatusSchedule } from './ace-status.ts'
import { aclAdapter } from './acl-adapter.ts'
import { mailGrants } from './mail-grants.ts'
import {
  addAceOperation,
  blockInheritanceOperation,
  removeAclOperation,
  unblockInheritanceOperation,
} from './operations/change-lists.ts'
import { addPermissionOperation, removePermissionOperation, replacePermissionOperation } from './operations/change-permissions.ts'
import { permissionsPurgeOperation } from './operations/purge-permissions.ts'
import { sendNotificationOperation } from './operations/send-notification.ts'
import { getEmails, getUsersAndGroups } from './operations/who-has-permission.ts'
import { permissionsPurge } from './permissions-purge.ts'
import { accessSettings } from './settings.ts'

/** Who may do what: rights shown, what is noted beside them, and those that begin or end by the clock. */
export default definePlugin({
  name: 'access',
  events: eventsOf('after', 'ACEStatusUpdated permissionNotification'),
  requires: ['content-model', 'mail'],
  schemas: accessSchemas,
  documentTypes: [permissionsSearchType],
  directories: [aceInfo],
  pageProviders: permissionProviders,
  adapters: [aclAdapter],
  listeners: [storeNotesOfEntries, dropNotesWithDocument],
  schedules: [aceStatusSchedule],
  bulkActions: [permissionsPurge],
  operations: [
    replacePermissionOperation,
    removePermissionOperation,
    blockInheritanceOperation,
    unblockInheritanceOperation,
    addAceOperation,
    removeAclOperation,
    sendNotificationOperation,
    getUsersAndGroups,
    getEmails,
    permissionsPurgeOperation,
  ],
  settings: accessSettings,
  contribute: ({ transientUsernameUnique: uniqueGuest }, services) => ({
    operations: [addPermissionOperation({ uniqueGuest })],
    listeners: [mailGrants(services)],
  }),
})
