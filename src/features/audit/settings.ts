import { defineSettings, type SettingValues } from '../../settings/define-settings.ts'

export const auditSettings = defineSettings({
  auditKeepDays: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 36_500,
    help: 'Days for which rows of the audit log stay in the database; older ones go to files of --audit-archive. 0 is for ever',
  },
  auditArchive: {
    type: 'string',
    pattern: { matches: /./, expected: 'a folder' },
    help: 'Folder of the files that older rows of the audit log go to; audit-archive in --data unless told',
  },
})

export type AuditValues = SettingValues<typeof auditSettings>
