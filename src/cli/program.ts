import { type Settings, settingGroups } from '../builtin-settings.ts'
import { archiveCommands } from '../features/archives/commands.ts'
import { auditCommands } from '../features/audit/commands.ts'
import { fulltextCommands } from '../features/fulltext/commands.ts'
import { fileCommands } from '../features/orphaned-files/commands.ts'
import { peopleCommands } from '../features/people/commands.ts'
import { searchEngineCommands } from '../features/search-engine/commands.ts'
import { tokenCommands } from '../features/tokens/commands.ts'
import { workflowCommands } from '../features/workflow/commands.ts'
import { createLog } from './command/log.ts'
import type { Program } from './command/run-command-line.ts'

/** `quire` as it comes; those of features are also in their plugins, and listed here so that calling one loads no other. */
export const program: Program = {
  commands: {
    serve: async () => (await import('./serve.ts')).serve,
    init: async () => (await import('./init.ts')).init,
    ...peopleCommands,
    ...tokenCommands,
    operations: async () => (await import('./operations.ts')).operations,
    ...archiveCommands,
    copy: async () => (await import('./copy.ts')).copy,
    backup: async () => (await import('./backup.ts')).backup,
    upgrade: async () => (await import('./upgrade.ts')).upgrade,
    restore: async () => (await import('./restore.ts')).restore,
    doctor: async () => (await import('./doctor.ts')).doctor,
    ...fileCommands,
    ...fulltextCommands,
    ...searchEngineCommands,
    ...auditCommands,
    ...workflowCommands,
  },
  settings: settingGroups,
  async openServices({ settings: told, plugins }, { onlyDirectories = false }) {
    const { openServices } = await import('../server.ts')
    const settings = told as Settings // all of their groups were read
    const needed = onlyDirectories ? { ...settings, repositories: ['default'], blobs: undefined } : settings
    return openServices({ settings: needed, plugins, log: createLog(settings.logLevel, process.stderr) })
  },
}
