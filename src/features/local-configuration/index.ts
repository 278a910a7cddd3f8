import { definePlugin } from '../../plugin/define-plugin.ts'
import { localConfigurationFacet, localConfigurationSchema } from './local-parameters.ts'
import { localConfigurationOperations } from './operations.ts'

/** Parameters that a folder sets for all that is in it. */
export default definePlugin({
  name: 'local-configuration',
  schemas: [localConfigurationSchema],
  facets: [localConfigurationFacet],
  operations: localConfigurationOperations,
})
