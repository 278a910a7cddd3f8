import { builtinPlugins } from '../../../src/builtin-plugins.ts'
import { createModel, type Model } from '../../../src/model/model.ts'
import type { Contributions } from '../../../src/plugin/define-plugin.ts'
import { gatherPlugins } from '../../../src/plugin/gather-plugins.ts'

/** What all features together contribute: all that a server knows before a deployment's plugins speak. */
export const builtinContributions: Contributions = gatherPlugins(builtinPlugins)

export const builtinModel: Model = createModel(builtinContributions)
