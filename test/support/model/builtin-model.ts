import { builtinPlugins } from '../../../src/builtin-plugins.ts'
import { settingGroups } from '../../../src/builtin-settings.ts'
import { createModel, type Model } from '../../../src/model/model.ts'
import { deferServices } from '../../../src/plugin/deferred-services.ts'
import type { Contributions } from '../../../src/plugin/define-plugin.ts'
import { gatherPlugins, withContributed } from '../../../src/plugin/gather-plugins.ts'
import { readSettings } from '../../../src/settings/read-settings.ts'

const { servicesFor } = deferServices()

/** What all features together contribute: all that a server knows before a deployment's plugins speak and anything is set. */
export const builtinContributions: Contributions = gatherPlugins(
  withContributed(builtinPlugins, readSettings(settingGroups, {}), servicesFor),
)

export const builtinModel: Model = createModel(builtinContributions)
