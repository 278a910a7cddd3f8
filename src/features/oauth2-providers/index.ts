import { definePlugin } from '../../plugin/define-plugin.ts'
import { oauth2ProviderDirectories, oauth2ProviderSchemas } from './oauth2-provider-model.ts'

/** Other services in which this one acts for users. */
export default definePlugin({ name: 'oauth2-providers', schemas: oauth2ProviderSchemas, directories: oauth2ProviderDirectories })
