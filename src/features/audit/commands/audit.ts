import { type CommandFamily, defineCommand } from '../../../command/command.ts'
import { defineSettings } from '../../../settings/define-settings.ts'

const exportOptions = defineSettings({
  from: { type: 'string', help: 'First day or moment: 2026-03-02, 2026-03-02T08:00:00Z. The beginning of the log unless told' },
  before: {
    type: 'string',
    help: 'Day or moment up to which rows are taken, which is not one of them. The end of the log unless told',
  },
  repository: { type: 'string', help: 'Only this repository; all unless told' },
  output: { type: 'string', help: 'File to write, which must not exist yet; standard output unless told' },
})

/** What happened, for programs. */
export const auditFamily: CommandFamily = {
  kind: 'family',
  name: 'audit',
  summary: 'read the audit log',
  commands: {
    export: async () =>
      defineCommand({
        name: 'audit export',
        summary: 'write rows of the audit log as JSON, a line each, the oldest first',
        shownSettings: ['data', 'databaseUrl', 'databaseSchema', 'repositories', 'logLevel', 'config'],
        options: exportOptions,
        notes: ['Rows that --audit-keep-days has moved to files are there in the same form.'],
        run: async (call) => (await import('./audit-actions.ts')).exportAudit(call),
      }),
  },
}
