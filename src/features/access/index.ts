import { definePlugin } from '../../plugin/define-plugin.ts'
import { aceInfo } from './ace-info.ts'
import { dropNotesWithDocument, keepNotesOfEntries } from './ace-notes.ts'
import { aceStatusSchedule } from './ace-status.ts'
import { aclAdapter } from './acl-adapter.ts'

/** Who may do what: rights shown, what is kept beside them, and those that begin or end by the clock. */
export default definePlugin({
  name: 'access',
  requires: ['content-model'],
  directories: [aceInfo],
  adapters: [aclAdapter],
  listeners: [keepNotesOfEntries, dropNotesWithDocument],
  schedules: [aceStatusSchedule],
})
