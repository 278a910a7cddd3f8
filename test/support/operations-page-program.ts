import { settingGroups } from '../../src/builtin-settings.ts'
import { readOperations } from '../../src/server.ts'
import { readSettings } from '../../src/settings/read-settings.ts'
import { renderWholePage } from './operation-catalogue.ts'

// Writes docs/operations.md: `npm run operations-page`.
process.stdout.write(renderWholePage(readOperations({ settings: readSettings(settingGroups, { config: {} }), plugins: [] })))
