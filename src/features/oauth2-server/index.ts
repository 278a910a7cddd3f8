import { definePlugin } from '../../plugin/define-plugin.ts'
import { oauth2Directories, oauth2Schemas } from './oauth2-server-model.ts'

/** Programs that act for users with their consent, and the tokens they were given. */
export default definePlugin({ name: 'oauth2-server', schemas: oauth2Schemas, directories: oauth2Directories })
