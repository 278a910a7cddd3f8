import { definePlugin } from '../../plugin/define-plugin.ts'
import { oauth1Directories, oauth1Schemas } from './oauth1-model.ts'

/** Programs that sign their requests, as older ones do. */
export default definePlugin({ name: 'oauth1', schemas: oauth1Schemas, directories: oauth1Directories })
